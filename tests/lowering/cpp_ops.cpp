// SPDX-License-Identifier: MIT
// One line per operation: the statement and the exact IR it becomes.
#include "cpp_rows.hpp"
#include "cpp_support.hpp"
#include "dsl/op.hpp"
#include "dsl/target.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

namespace twinir::lowering {
namespace {

// Values in scope: the parameters of KernelText, %z (p1, inout), %c (i1) and %q (p8).
const Row rows[] = {
    {R"({"op":"add","n":"r","t":"i32","a":["i","j"],"f":["nuw","nsw"]})", "  %r = add nuw nsw i32 %i, %j", ""},
    {R"({"op":"add","n":"r","t":"i32","a":["i",["i32","ffffffff"]]})", "  %r = add i32 %i, -1", ""},
    {R"({"op":"add","n":"r","t":"i32","a":[["i32","2"],["i32","3"]]})", "  %r = add i32 2, 3", ""},
    {R"({"op":"sub","n":"r","t":"i32","a":["i","j"],"f":["nsw"]})", "  %r = sub nsw i32 %i, %j", ""},
    {R"({"op":"mul","n":"r","t":"v4i32","a":["vi","vi"],"f":["nuw"]})", "  %r = mul nuw <4 x i32> %vi, %vi", ""},
    {R"({"op":"udiv","n":"r","t":"i32","a":["i","j"],"f":["exact"]})", "  %r = udiv exact i32 %i, %j", ""},
    {R"({"op":"sdiv","n":"r","t":"i32","a":["i","j"]})", "  %r = sdiv i32 %i, %j", ""},
    {R"({"op":"urem","n":"r","t":"i32","a":["i","j"]})", "  %r = urem i32 %i, %j", ""},
    {R"({"op":"srem","n":"r","t":"i32","a":["i","j"]})", "  %r = srem i32 %i, %j", ""},
    {R"({"op":"and","n":"r","t":"i1","a":["c","c"]})", "  %r = and i1 %c, %c", ""},
    {R"({"op":"or","n":"r","t":"i64","a":["l","l"]})", "  %r = or i64 %l, %l", ""},
    {R"({"op":"xor","n":"r","t":"i1","a":["c",["i1","1"]]})", "  %r = xor i1 %c, true", ""},
    {R"({"op":"shl","n":"r","t":"i32","a":["i","j"],"f":["nuw","nsw"]})", "  %r = shl nuw nsw i32 %i, %j", ""},
    {R"({"op":"lshr","n":"r","t":"i32","a":["i",["i32","3"]],"f":["exact"]})", "  %r = lshr exact i32 %i, 3", ""},
    {R"({"op":"ashr","n":"r","t":"i32","a":["i",["i32","3"]]})", "  %r = ashr i32 %i, 3", ""},
    {R"({"op":"umin","n":"r","t":"i32","a":["i","j"]})", "  %r = call i32 @llvm.umin.i32(i32 %i, i32 %j)", ""},
    {R"({"op":"umax","n":"r","t":"v4i32","a":["vi","vi"]})", "  %r = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %vi, <4 x i32> %vi)", ""},
    {R"({"op":"smin","n":"r","t":"i64","a":["l","l"]})", "  %r = call i64 @llvm.smin.i64(i64 %l, i64 %l)", ""},
    {R"({"op":"smax","n":"r","t":"i32","a":["i","j"]})", "  %r = call i32 @llvm.smax.i32(i32 %i, i32 %j)", ""},
    {R"({"op":"ctpop","n":"r","t":"i32","a":["i"]})", "  %r = call i32 @llvm.ctpop.i32(i32 %i)", ""},
    {R"({"op":"ctlz","n":"r","t":"i32","a":["i"]})", "  %r = call i32 @llvm.ctlz.i32(i32 %i, i1 false)", ""},
    {R"({"op":"cttz","n":"r","t":"i32","a":["i"]})", "  %r = call i32 @llvm.cttz.i32(i32 %i, i1 false)", ""},
    {R"({"op":"bitreverse","n":"r","t":"i32","a":["i"]})", "  %r = call i32 @llvm.bitreverse.i32(i32 %i)", ""},
    {R"({"op":"fadd","n":"r","t":"f32","a":["f","g"],"f":["contract"]})", "  %r = fadd contract float %f, %g", ""},
    {R"({"op":"fsub","n":"r","t":"f32","a":["f","g"]})", "  %r = fsub float %f, %g", ""},
    {R"({"op":"fmul","n":"r","t":"v4f32","a":["vf","vf"]})", "  %r = fmul <4 x float> %vf, %vf", ""},
    {R"({"op":"fdiv","n":"r","t":"f64","a":["d","d"]})", "  %r = fdiv double %d, %d", ""},
    {R"({"op":"minnum","n":"r","t":"f32","a":["f","g"]})", "  %r = call float @llvm.minnum.f32(float %f, float %g)", ""},
    {R"({"op":"maxnum","n":"r","t":"f16","a":["h","h"]})", "  %r = call half @llvm.maxnum.f16(half %h, half %h)", ""},
    {R"({"op":"minimumnum","n":"r","t":"f32","a":["f","g"]})", "  %r = call float @llvm.minimumnum.f32(float %f, float %g)", "-"},
    {R"({"op":"maximumnum","n":"r","t":"f32","a":["f","g"]})", "  %r = call float @llvm.maximumnum.f32(float %f, float %g)", "-"},
    {R"({"op":"copysign","n":"r","t":"f32","a":["f","g"]})", "  %r = call float @llvm.copysign.f32(float %f, float %g)", ""},
    {R"({"op":"fneg","n":"r","t":"f32","a":["f"]})", "  %r = fneg float %f", ""},
    {R"({"op":"fabs","n":"r","t":"bf16","a":["b"]})", "  %r = call bfloat @llvm.fabs.bf16(bfloat %b)", ""},
    {R"({"op":"floor","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.floor.f32(float %f)", ""},
    {R"({"op":"ceil","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.ceil.f32(float %f)", ""},
    {R"({"op":"ftrunc","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.trunc.f32(float %f)", ""},
    {R"({"op":"rint","n":"r","t":"v4f32","a":["vf"]})", "  %r = call <4 x float> @llvm.rint.v4f32(<4 x float> %vf)", ""},
    {R"({"op":"sqrt","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.sqrt.f32(float %f)", ""},
    {R"({"op":"rsq","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.amdgcn.rsq.f32(float %f)", ""},
    {R"({"op":"rcp","n":"r","t":"f16","a":["h"]})", "  %r = call half @llvm.amdgcn.rcp.f16(half %h)", ""},
    {R"({"op":"exp2","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.exp2.f32(float %f)", ""},
    {R"({"op":"log2","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.log2.f32(float %f)", ""},
    {R"({"op":"canonicalize","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.canonicalize.f32(float %f)", ""},
    {R"({"op":"frexp.mant","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.amdgcn.frexp.mant.f32(float %f)", ""},
    {R"({"op":"frexp.exp","n":"r","t":"i32","a":["d"]})", "  %r = call i32 @llvm.amdgcn.frexp.exp.i32.f64(double %d)", ""},
    {R"({"op":"frexp.exp","n":"r","t":"i16","a":["h"]})", "  %r = call i16 @llvm.amdgcn.frexp.exp.i16.f16(half %h)", ""},
    {R"({"op":"fma","n":"r","t":"f32","a":["f","g",["f32","3f800000"]]})", "  %r = call float @llvm.fma.f32(float %f, float %g, float 1.000000e+00)", ""},
    {R"({"op":"ldexp","n":"r","t":"f32","a":["f","i"]})", "  %r = call float @llvm.ldexp.f32.i32(float %f, i32 %i)", ""},
    {R"({"op":"ldexp","n":"r","t":"v4f32","a":["vf","vi"]})", "  %r = call <4 x float> @llvm.ldexp.v4f32.v4i32(<4 x float> %vf, <4 x i32> %vi)", ""},
    {R"({"op":"icmp","n":"r","t":"i1","a":["i","j"],"pred":"ule"})", "  %r = icmp ule i32 %i, %j", ""},
    {R"({"op":"icmp","n":"r","t":"v4i1","a":["vi","vi"],"pred":"sgt"})", "  %r = icmp sgt <4 x i32> %vi, %vi", ""},
    {R"({"op":"fcmp","n":"r","t":"i1","a":["f","g"],"pred":"oeq"})", "  %r = fcmp oeq float %f, %g", ""},
    {R"({"op":"fcmp","n":"r","t":"i1","a":["f","g"],"pred":"uno"})", "  %r = fcmp uno float %f, %g", ""},
    {R"({"op":"select","n":"r","t":"f32","a":["c","f",["f32","80000000"]]})", "  %r = select i1 %c, float %f, float -0.000000e+00", ""},
    {R"({"op":"classify","n":"r","t":"i1","a":["f"],"mask":3})", "  %r = call i1 @llvm.is.fpclass.f32(float %f, i32 3)", ""},
    {R"({"op":"classify","n":"r","t":"v4i1","a":["vf"],"mask":516})", "  %r = call <4 x i1> @llvm.is.fpclass.v4f32(<4 x float> %vf, i32 516)", ""},
    {R"({"op":"trunc","n":"r","t":"i16","a":["i"]})", "  %r = trunc i32 %i to i16", ""},
    {R"({"op":"zext","n":"r","t":"i64","a":["i"]})", "  %r = zext i32 %i to i64", ""},
    {R"({"op":"sext","n":"r","t":"i32","a":["c"]})", "  %r = sext i1 %c to i32", ""},
    {R"({"op":"fptrunc","n":"r","t":"v4f16","a":["vf"]})", "  %r = fptrunc <4 x float> %vf to <4 x half>", ""},
    {R"({"op":"fpext","n":"r","t":"f32","a":["b"]})", "  %r = fpext bfloat %b to float", ""},
    {R"({"op":"fptoui","n":"r","t":"i32","a":["f"]})", "  %r = fptoui float %f to i32", ""},
    {R"({"op":"fptosi","n":"r","t":"i32","a":["f"]})", "  %r = fptosi float %f to i32", ""},
    {R"({"op":"fptoui.sat","n":"r","t":"i32","a":["f"]})", "  %r = call i32 @llvm.fptoui.sat.i32.f32(float %f)", ""},
    {R"({"op":"fptosi.sat","n":"r","t":"v4i32","a":["vf"]})", "  %r = call <4 x i32> @llvm.fptosi.sat.v4i32.v4f32(<4 x float> %vf)", ""},
    {R"({"op":"uitofp","n":"r","t":"f32","a":["i"]})", "  %r = uitofp i32 %i to float", ""},
    {R"({"op":"sitofp","n":"r","t":"f32","a":["i"]})", "  %r = sitofp i32 %i to float", ""},
    {R"({"op":"bitcast","n":"r","t":"v4i32","a":["vf"]})", "  %r = bitcast <4 x float> %vf to <4 x i32>", ""},
    {R"({"op":"cvt.f32.fp8","n":"r","t":"f32","a":["i"],"byte":2})", "  %r = call float @llvm.amdgcn.cvt.f32.fp8(i32 %i, i32 2)", ""},
    {R"({"op":"cvt.f32.bf8","n":"r","t":"f32","a":["i"],"byte":0})", "  %r = call float @llvm.amdgcn.cvt.f32.bf8(i32 %i, i32 0)", ""},
    {R"({"op":"cvt.pk.fp8.f32","n":"r","t":"i32","a":["f","g","i"],"word":1})", "  %r = call i32 @llvm.amdgcn.cvt.pk.fp8.f32(float %f, float %g, i32 %i, i1 true)", ""},
    {R"({"op":"cvt.pk.bf8.f32","n":"r","t":"i32","a":["f","g","i"],"word":0})", "  %r = call i32 @llvm.amdgcn.cvt.pk.bf8.f32(float %f, float %g, i32 %i, i1 false)", ""},
    {R"({"op":"extract","n":"r","t":"f32","a":["vf",["i32","2"]]})", "  %r = extractelement <4 x float> %vf, i32 2", ""},
    {R"({"op":"extract","n":"r","t":"f32","a":[["v4f32","3f800000","0","0","0"],["i32","0"]]})",
     "  %r = extractelement <4 x float> <float 1.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>, i32 0", ""},
    {R"({"op":"insert","n":"r","t":"v4f32","a":[["v4f32","poison"],"f",["i32","0"]]})", "  %r = insertelement <4 x float> poison, float %f, i32 0", ""},
    {R"({"op":"shuffle","n":"r","t":"v2f32","a":["vf","vf"],"mask":[-1,7]})", "  %r = shufflevector <4 x float> %vf, <4 x float> %vf, <2 x i32> <i32 poison, i32 7>", ""},
    {R"({"op":"shuffle","n":"r","t":"v2f32","a":["vf",["v4f32","poison"]],"mask":[0,0]})",
     "  %r = shufflevector <4 x float> %vf, <4 x float> poison, <2 x i32> zeroinitializer", ""},
    {R"({"op":"workitem.x","n":"r","t":"i32"})", "  %r = call i32 @llvm.amdgcn.workitem.id.x()", ""},
    {R"({"op":"workitem.y","n":"r","t":"i32"})", "  %r = call i32 @llvm.amdgcn.workitem.id.y()", ""},
    {R"({"op":"workitem.z","n":"r","t":"i32"})", "  %r = call i32 @llvm.amdgcn.workitem.id.z()", ""},
    {R"({"op":"workgroup.x","n":"r","t":"i32"})", "  %r = call i32 @llvm.amdgcn.workgroup.id.x()", ""},
    {R"({"op":"workgroup.y","n":"r","t":"i32"})", "  %r = call i32 @llvm.amdgcn.workgroup.id.y()", ""},
    {R"({"op":"workgroup.z","n":"r","t":"i32"})", "  %r = call i32 @llvm.amdgcn.workgroup.id.z()", ""},
    {R"({"op":"mbcnt.lo","n":"r","t":"i32","a":[["i32","ffffffff"],"i"]})", "  %r = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 %i)", ""},
    {R"({"op":"mbcnt.hi","n":"r","t":"i32","a":["i","j"]})", "  %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 %i, i32 %j)", ""},
    {R"({"op":"implicit.args","n":"r","t":"p4"})", "  %r = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()", ""},
    {R"({"op":"gep","n":"r","t":"p1","e":"v4f16","a":["x","l"],"f":["inbounds"]})", "  %r = getelementptr inbounds <4 x half>, ptr addrspace(1) %x, i64 %l", ""},
    {R"({"op":"gep","n":"r","t":"p3","e":"i8","a":["@s",["i32","8"]]})", "  %r = getelementptr i8, ptr addrspace(3) @k.s, i32 8", ""},
    {R"({"op":"load","n":"r","t":"v4f32","a":["x"],"f":["invariant","nontemporal"],"align":16})",
     "  %r = load <4 x float>, ptr addrspace(1) %x, align 16, !invariant.load !2, !nontemporal !3", ""},
    {R"({"op":"load","n":"r","t":"f32","a":["@s"],"align":4})", "  %r = load float, ptr addrspace(3) @k.s, align 4", ""},
    {R"({"op":"store","a":["f","y"],"f":["nontemporal"],"align":4})", "  store float %f, ptr addrspace(1) %y, align 4, !nontemporal !2", ""},
    {R"({"op":"store","a":[["i8","ff"],"@s"],"align":1})", "  store i8 -1, ptr addrspace(3) @k.s, align 1", ""},
    {R"({"op":"rsrc","n":"r","t":"p8","a":["x",["i32","40"]],"flags":159744})",
     "  %r.n = zext i32 64 to i64\n"
     "  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %x, i16 0, i64 %r.n, i32 159744)",
     "  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p1(ptr addrspace(1) %x, i16 0, i32 64, i32 159744)"},
    {R"({"op":"buffer.load","n":"r","t":"v4f16","a":["q","i",["i32","0"]],"aux":1})",
     "  %r = call <4 x half> @llvm.amdgcn.raw.ptr.buffer.load.v4f16(ptr addrspace(8) %q, i32 %i, i32 0, i32 1)", ""},
    {R"({"op":"buffer.store","a":["vf","q","i","j"],"aux":0})",
     "  call void @llvm.amdgcn.raw.ptr.buffer.store.v4f32(<4 x float> %vf, ptr addrspace(8) %q, i32 %i, i32 %j, i32 0)", ""},
    {R"({"op":"atomic.add","n":"r","t":"i32","a":["z","i"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw add ptr addrspace(1) %z, i32 %i syncscope(\"agent\") monotonic, align 4", ""},
    {R"({"op":"atomic.add","n":"r","t":"i64","a":["z","l"],"order":"acq_rel","scope":"system"})",
     "  %r = atomicrmw add ptr addrspace(1) %z, i64 %l acq_rel, align 8", ""},
    {R"({"op":"atomic.sub","n":"r","t":"i32","a":["@s",["i32","1"]],"order":"acquire","scope":"workgroup"})",
     "  %r = atomicrmw sub ptr addrspace(3) @k.s, i32 1 syncscope(\"workgroup\") acquire, align 4", ""},
    {R"({"op":"atomic.umin","n":"r","t":"i32","a":["z","i"],"order":"release","scope":"agent"})",
     "  %r = atomicrmw umin ptr addrspace(1) %z, i32 %i syncscope(\"agent\") release, align 4", ""},
    {R"({"op":"atomic.umax","n":"r","t":"i32","a":["z","i"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw umax ptr addrspace(1) %z, i32 %i syncscope(\"agent\") monotonic, align 4", ""},
    {R"({"op":"atomic.smin","n":"r","t":"i32","a":["z","i"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw min ptr addrspace(1) %z, i32 %i syncscope(\"agent\") monotonic, align 4", ""},
    {R"({"op":"atomic.smax","n":"r","t":"i32","a":["z","i"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw max ptr addrspace(1) %z, i32 %i syncscope(\"agent\") monotonic, align 4", ""},
    {R"({"op":"atomic.and","n":"r","t":"i32","a":["z","i"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw and ptr addrspace(1) %z, i32 %i syncscope(\"agent\") monotonic, align 4", ""},
    {R"({"op":"atomic.or","n":"r","t":"i32","a":["z","i"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw or ptr addrspace(1) %z, i32 %i syncscope(\"agent\") monotonic, align 4", ""},
    {R"({"op":"atomic.xor","n":"r","t":"i32","a":["@s","i"],"order":"monotonic","scope":"wavefront"})",
     "  %r = atomicrmw xor ptr addrspace(3) @k.s, i32 %i syncscope(\"wavefront\") monotonic, align 4", ""},
    {R"({"op":"atomic.exchange","n":"r","t":"f32","a":["z","f"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw xchg ptr addrspace(1) %z, float %f syncscope(\"agent\") monotonic, align 4", ""},
    {R"({"op":"atomic.compare","n":"r","t":"i32","a":["z","i","j"],"order":"acq_rel","scope":"agent"})",
     "  %r.pair = cmpxchg ptr addrspace(1) %z, i32 %i, i32 %j syncscope(\"agent\") acq_rel acquire, align 4\n"
     "  %r = extractvalue { i32, i1 } %r.pair, 0", ""},
    {R"({"op":"atomic.compare","n":"r","t":"i64","a":["@s","l",["i64","0"]],"order":"release","scope":"system"})",
     "  %r.pair = cmpxchg ptr addrspace(3) @k.s, i64 %l, i64 0 release monotonic, align 8\n"
     "  %r = extractvalue { i64, i1 } %r.pair, 0", ""},
    {R"({"op":"atomic.fadd","n":"r","t":"f32","a":["z","f"],"f":["coarse"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw fadd ptr addrspace(1) %z, float %f syncscope(\"agent\") monotonic, align 4, !amdgpu.no.fine.grained.memory !2", ""},
    {R"({"op":"atomic.fmin","n":"r","t":"f64","a":["@s","d"],"order":"monotonic","scope":"workgroup"})",
     "  %r = atomicrmw fmin ptr addrspace(3) @k.s, double %d syncscope(\"workgroup\") monotonic, align 8", ""},
    {R"({"op":"atomic.fmax","n":"r","t":"f32","a":["z","f"],"order":"monotonic","scope":"agent"})",
     "  %r = atomicrmw fmax ptr addrspace(1) %z, float %f syncscope(\"agent\") monotonic, align 4", ""},
    {R"({"op":"async.load.b32","a":["x","@s"],"offset":16,"aux":1})",
     "  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 16, i32 1)", "-"},
    {R"({"op":"async.load.b64","a":["x","@s"],"offset":0,"aux":0})",
     "  call void @llvm.amdgcn.global.load.async.to.lds.b64(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 0, i32 0)", "-"},
    {R"({"op":"async.load.b128","a":["x","@s"],"offset":0,"aux":0})",
     "  call void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 0, i32 0)", "-"},
    {R"({"op":"wait.async","count":3})", "  call void @llvm.amdgcn.s.wait.asynccnt(i16 3)", "-"},
    {R"({"op":"barrier"})", "  call void @llvm.amdgcn.s.barrier()", ""},
    {R"({"op":"barrier.signal"})", "  call void @llvm.amdgcn.s.barrier.signal(i32 -1)", ""},
    {R"({"op":"barrier.wait"})", "  call void @llvm.amdgcn.s.barrier.wait(i16 -1)", ""},
    {R"({"op":"fence","order":"release","scope":"workgroup"})", "  fence syncscope(\"workgroup\") release", ""},
    {R"({"op":"readfirstlane","n":"r","t":"f32","a":["f"]})", "  %r = call float @llvm.amdgcn.readfirstlane.f32(float %f)", ""},
    {R"({"op":"readlane","n":"r","t":"f32","a":["f","i"]})", "  %r = call float @llvm.amdgcn.readlane.f32(float %f, i32 %i)", ""},
    {R"({"op":"bpermute","n":"r","t":"i32","a":["i","j"]})", "  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %i, i32 %j)", ""},
    {R"({"op":"ballot.b32","n":"r","t":"i32","a":["c"]})", "  %r = call i32 @llvm.amdgcn.ballot.i32(i1 %c)", ""},
    {R"({"op":"ballot.b64","n":"r","t":"i64","a":["c"]})", "  %r = call i64 @llvm.amdgcn.ballot.i64(i1 %c)", ""},
    {R"({"op":"wmma.f32.16x16x32.f16","n":"r","t":"v8f32","a":["vh","vh","acc"]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x32.f16.v8f32.v16f16(i1 false, <16 x half> %vh, i1 false, "
     "<16 x half> %vh, i16 0, <8 x float> %acc, i1 false, i1 false)", "-"},
    {R"({"op":"wmma.f32.16x16x32.bf16","n":"r","t":"v8f32","a":["vb","vb","acc"]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x32.bf16.v8f32.v16bf16(i1 false, <16 x bfloat> %vb, i1 false, "
     "<16 x bfloat> %vb, i16 0, <8 x float> %acc, i1 false, i1 false)", "-"},
    {R"({"op":"wmma.f32.16x16x16.f16","n":"r","t":"v8f32","a":["vh","vh","acc"]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %vh, <16 x half> %vh, <8 x float> %acc)", ""},
    {R"({"op":"wmma.f32.16x16x16.bf16","n":"r","t":"v8f32","a":[["v16i16","0"],["v16i16","0"],"acc"]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v16i16(<16 x i16> zeroinitializer, "
     "<16 x i16> zeroinitializer, <8 x float> %acc)", ""},
    {R"({"op":"mfma.f32.32x32x16.f16","n":"r","t":"v16f32","a":[["v8f16","0"],["v8f16","0"],["v16f32","0"]]})",
     "  %r = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.f16(<8 x half> zeroinitializer, <8 x half> zeroinitializer, "
     "<16 x float> zeroinitializer, i32 0, i32 0, i32 0)", "-"},
    {R"({"op":"mfma.f32.32x32x16.bf16","n":"r","t":"v16f32","a":[["v8bf16","0"],["v8bf16","0"],["v16f32","0"]]})",
     "  %r = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.bf16(<8 x bfloat> zeroinitializer, <8 x bfloat> zeroinitializer, "
     "<16 x float> zeroinitializer, i32 0, i32 0, i32 0)", "-"},
    {R"({"op":"opaque","n":"r","t":"i32","a":["i"],"register":"s"})", "  %r = call i32 asm sideeffect \"\", \"=s,0\"(i32 %i)", ""},
    {R"({"op":"sched.barrier","mask":8})", "  call void @llvm.amdgcn.sched.barrier(i32 8)", ""},
    {R"({"op":"setprio","priority":2})", "  call void @llvm.amdgcn.s.setprio(i16 2)", ""},
    {R"({"op":"trap"})", "  call void @llvm.trap()", ""},
    {R"({"op":"assert","n":"small","a":["c"]})",
     "  br i1 %c, label %small.end, label %small.fail\n\n"
     "small.fail:                                       ; preds = %entry\n"
     "  call void @llvm.trap()\n"
     "  br label %small.end\n\n"
     "small.end:                                        ; preds = %small.fail, %entry", ""},
};

const std::string prelude = R"({"op":"icmp","n":"c","t":"i1","a":["i","j"],"pred":"eq"})";
const std::string resource = R"({"op":"rsrc","n":"q","t":"p8","a":["x","i"],"flags":0})";

std::vector<Row> all_rows() {
  std::vector<Row> all(std::begin(rows), std::end(rows));
  all.insert(all.end(), more_rows().begin(), more_rows().end());
  return all;
}

std::string op_of(const Row& row) { return nlohmann::json::parse(row.statement).at("op").get<std::string>(); }

/// A target that has the operation.
std::string target_of(const std::string& op) {
  for (const char* target : {"gfx1250", "gfx1150", "gfx950", "gfx1201"})
    if (find_target(target).has(info(parse_op(op).value()).feature)) return target;
  return {};
}

std::string kernel_of(const Row& row) {
  const bool buffers = std::string(row.statement).find("\"q\"") != std::string::npos;
  KernelText k{prelude + ",\n" + (buffers ? resource + ",\n" : "") + row.statement};
  k.params += R"(,{"n":"z","t":"p1","k":"inout","align":8,"deref":0})";
  k.target = target_of(op_of(row));
  return k.json();
}

/// The lines just before the end of the kernel, as many as are expected.
std::string last_lines(const std::string& text, const std::string& expected) {
  const auto end = text.find("\n  ret void\n");
  const auto size = expected.size();
  return end < size ? text : text.substr(end - size, size);
}

void check_row(const LlvmPlugin& llvm, const Row& row, const std::string& expected) {
  INFO(row.statement);
  if (expected == "-") {
    CHECK(refusal([&] { (void)llvm.emit(kernel_of(row)); }).code == Code::op_not_in_flavor);
    return;
  }
  const auto text = llvm.emit(kernel_of(row));
  CHECK(last_lines(text, "\n" + expected) == "\n" + expected);
  CHECK(llvm.reprint(text) == text);
}

} // namespace

TEST_CASE("every operation becomes its line, llvm22") {
  const auto* llvm = plugin("llvm22");
  if (llvm == nullptr) return;
  for (const auto& row : all_rows()) check_row(*llvm, row, row.llvm22);
}

TEST_CASE("every operation becomes its line, llvm19") {
  const auto* llvm = plugin("llvm19");
  if (llvm == nullptr) return;
  for (const auto& row : all_rows()) check_row(*llvm, row, *row.llvm19 == '\0' ? row.llvm22 : row.llvm19);
}

/// What a flavor prints otherwise than llvm22, as pieces of its lines; "-" instead of the second: no such operation.
struct Difference {
  const char *llvm22, *other;
};

void check_against_22(const char* flavor, const std::vector<Difference>& differences) {
  const auto* llvm = plugin(flavor);
  if (llvm == nullptr) return;
  for (const auto& row : all_rows()) {
    std::string expected = row.llvm22;
    for (const auto& [piece, other] : differences)
      if (expected.find(piece) != std::string::npos) expected = *other == '-' ? "-" : replaced(expected, piece, other);
    check_row(*llvm, row, expected);
  }
}

const std::vector<Difference> differences_of_23 = {
    {"(i1 false, <16 x half> %vh, i1 false, ", "(<16 x half> %vh, "},
    {"(i1 false, <16 x bfloat> %vb, i1 false, ", "(<16 x bfloat> %vb, "},
    {"llvm.is.fpclass.f32(float %f, i32 3)", "llvm.is.fpclass.f32(float %f, /* (nan) */ i32 3)"},
    {"%vf, i32 516)", "%vf, /* (inf) */ i32 516)"}};

TEST_CASE("every operation becomes its line, llvm21") {
  check_against_22("llvm21", {{"  %r.n = zext i32 64 to i64\n", ""},
                              {"i64 %r.n", "i32 64"},
                              {"wmma.f32.16x16x32", "-"},
                              {"32.16x16x64", "-"},
                              {"global.load.async", "-"}});
}

TEST_CASE("every operation becomes its line, llvm23") { check_against_22("llvm23", differences_of_23); }

TEST_CASE("every operation becomes its line, llvm24") {
  auto differences = differences_of_23;
  differences.push_back({"rsrc.p8.p1(", "rsrc.p8.p1.i64("});
  check_against_22("llvm24", differences);
}

TEST_CASE("the table has every operation") {
  std::set<std::string> have = {"if", "for"}; // cpp_control.cpp
  for (const auto& row : all_rows()) have.insert(op_of(row));
  for (const auto& op : all_ops()) {
    INFO(op.name);
    CHECK(have.contains(std::string(op.name)));
  }
}

} // namespace twinir::lowering
