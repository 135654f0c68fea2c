// SPDX-License-Identifier: MIT
#include "cpp_rows.hpp"

namespace twinir::lowering {
namespace {

const Row rows[] = {
    {R"({"op":"load.lds.b32","a":["x","@s"],"offset":0,"aux":0})",
     "  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 4, i32 0, i32 "
     "0)",
     ""},
    {R"({"op":"load.lds.b96","a":["x","@s"],"offset":4095,"aux":1})",
     "  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 12, i32 4095, "
     "i32 1)",
     ""},
    {R"({"op":"load.lds.b128","a":["x","@s"],"offset":16,"aux":0})",
     "  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 16, i32 16, "
     "i32 0)",
     ""},
    {R"({"op":"wait.load.lds","count":0})", "  call void @llvm.amdgcn.s.waitcnt(i32 3952)", ""},
    {R"({"op":"wait.load.lds","count":17})", "  call void @llvm.amdgcn.s.waitcnt(i32 20337)", ""},
    {R"({"op":"wait.load.lds","count":63})", "  call void @llvm.amdgcn.s.waitcnt(i32 53119)", ""},
    {R"({"op":"mfma.f32.32x32x16.fp8.fp8","n":"r","t":"v16f32","a":[["i64","0"],["i64","0"],["v16f32","0"]]})",
     "  %r = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.fp8.fp8(i64 0, i64 0, "
     "<16 x float> zeroinitializer, i32 0, i32 0, i32 0)",
     ""},
    {R"({"op":"mfma.f32.32x32x16.fp8.bf8","n":"r","t":"v16f32","a":[["i64","0"],["i64","0"],["v16f32","0"]]})",
     "  %r = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.fp8.bf8(i64 0, i64 0, "
     "<16 x float> zeroinitializer, i32 0, i32 0, i32 0)",
     ""},
    {R"({"op":"mfma.f32.32x32x16.bf8.fp8","n":"r","t":"v16f32","a":[["i64","0"],["i64","0"],["v16f32","0"]]})",
     "  %r = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.bf8.fp8(i64 0, i64 0, "
     "<16 x float> zeroinitializer, i32 0, i32 0, i32 0)",
     ""},
    {R"({"op":"mfma.f32.32x32x16.bf8.bf8","n":"r","t":"v16f32","a":[["i64","0"],["i64","0"],["v16f32","0"]]})",
     "  %r = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.bf8.bf8(i64 0, i64 0, "
     "<16 x float> zeroinitializer, i32 0, i32 0, i32 0)",
     ""},
    {R"({"op":"mfma.f32.16x16x32.f16","n":"r","t":"v4f32","a":[["v8f16","0"],["v8f16","0"],["v4f32","0"]]})",
     "  %r = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.f16(<8 x half> zeroinitializer, <8 x half> "
     "zeroinitializer, "
     "<4 x float> zeroinitializer, i32 0, i32 0, i32 0)",
     "-"},
    {R"({"op":"mfma.f32.16x16x32.bf16","n":"r","t":"v4f32","a":[["v8bf16","0"],["v8bf16","0"],["v4f32","0"]]})",
     "  %r = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf16(<8 x bfloat> zeroinitializer, <8 x bfloat> "
     "zeroinitializer, "
     "<4 x float> zeroinitializer, i32 0, i32 0, i32 0)",
     "-"},
    {R"({"op":"mfma.i32.32x32x32.i8","n":"r","t":"v16i32","a":[["v4i32","0"],["v4i32","0"],["v16i32","0"]]})",
     "  %r = call <16 x i32> @llvm.amdgcn.mfma.i32.32x32x32.i8(<4 x i32> zeroinitializer, <4 x i32> "
     "zeroinitializer, "
     "<16 x i32> zeroinitializer, i32 0, i32 0, i32 0)",
     "-"},
    {R"({"op":"wmma.i32.16x16x16.iu8","n":"r","t":"v8i32","a":[["v4i32","0"],["v4i32","0"],["v8i32","0"]],"signed_a":1,"signed_b":0})",
     "  %r = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32(i1 true, <4 x i32> "
     "zeroinitializer, i1 false, "
     "<4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i1 false)",
     ""},
    {R"({"op":"wmma.f32.16x16x16.f16.gfx12","n":"r","t":"v8f32","a":[["v8f16","0"],["v8f16","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> zeroinitializer, <8 "
     "x half> zeroinitializer, "
     "<8 x float> zeroinitializer)",
     ""},
    {R"({"op":"wmma.f32.16x16x16.bf16.gfx12","n":"r","t":"v8f32","a":[["v8i16","0"],["v8i16","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v8i16(<8 x i16> zeroinitializer, <8 "
     "x i16> zeroinitializer, "
     "<8 x float> zeroinitializer)",
     ""},
    {R"({"op":"wmma.f32.16x16x16.fp8.fp8","n":"r","t":"v8f32","a":[["v2i32","0"],["v2i32","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.fp8.fp8.v8f32.v2i32(<2 x i32> zeroinitializer, "
     "<2 x i32> zeroinitializer, "
     "<8 x float> zeroinitializer)",
     ""},
    {R"({"op":"wmma.f32.16x16x16.fp8.bf8","n":"r","t":"v8f32","a":[["v2i32","0"],["v2i32","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.fp8.bf8.v8f32.v2i32(<2 x i32> zeroinitializer, "
     "<2 x i32> zeroinitializer, "
     "<8 x float> zeroinitializer)",
     ""},
    {R"({"op":"wmma.f32.16x16x16.bf8.fp8","n":"r","t":"v8f32","a":[["v2i32","0"],["v2i32","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf8.fp8.v8f32.v2i32(<2 x i32> zeroinitializer, "
     "<2 x i32> zeroinitializer, "
     "<8 x float> zeroinitializer)",
     ""},
    {R"({"op":"wmma.f32.16x16x16.bf8.bf8","n":"r","t":"v8f32","a":[["v2i32","0"],["v2i32","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf8.bf8.v8f32.v2i32(<2 x i32> zeroinitializer, "
     "<2 x i32> zeroinitializer, "
     "<8 x float> zeroinitializer)",
     ""},
    {R"({"op":"wmma.i32.16x16x16.iu8.gfx12","n":"r","t":"v8i32","a":[["v2i32","0"],["v2i32","0"],["v8i32","0"]],"signed_a":0,"signed_b":1})",
     "  %r = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v2i32(i1 false, <2 x i32> "
     "zeroinitializer, i1 true, "
     "<2 x i32> zeroinitializer, <8 x i32> zeroinitializer, i1 false)",
     ""},
    {R"({"op":"wmma.f32.16x16x64.fp8.fp8","n":"r","t":"v8f32","a":[["v8i32","0"],["v8i32","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x64.fp8.fp8.v8f32.v8i32(<8 x i32> zeroinitializer, "
     "<8 x i32> zeroinitializer, "
     "i16 0, <8 x float> zeroinitializer, i1 false, i1 false)",
     "-"},
    {R"({"op":"wmma.f32.16x16x64.fp8.bf8","n":"r","t":"v8f32","a":[["v8i32","0"],["v8i32","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x64.fp8.bf8.v8f32.v8i32(<8 x i32> zeroinitializer, "
     "<8 x i32> zeroinitializer, "
     "i16 0, <8 x float> zeroinitializer, i1 false, i1 false)",
     "-"},
    {R"({"op":"wmma.f32.16x16x64.bf8.fp8","n":"r","t":"v8f32","a":[["v8i32","0"],["v8i32","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x64.bf8.fp8.v8f32.v8i32(<8 x i32> zeroinitializer, "
     "<8 x i32> zeroinitializer, "
     "i16 0, <8 x float> zeroinitializer, i1 false, i1 false)",
     "-"},
    {R"({"op":"wmma.f32.16x16x64.bf8.bf8","n":"r","t":"v8f32","a":[["v8i32","0"],["v8i32","0"],["v8f32","0"]]})",
     "  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x64.bf8.bf8.v8f32.v8i32(<8 x i32> zeroinitializer, "
     "<8 x i32> zeroinitializer, "
     "i16 0, <8 x float> zeroinitializer, i1 false, i1 false)",
     "-"},
    {R"({"op":"wmma.i32.16x16x64.iu8","n":"r","t":"v8i32","a":[["v8i32","0"],["v8i32","0"],["v8i32","0"]],"signed_a":1,"signed_b":1})",
     "  %r = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x64.iu8.v8i32.v8i32(i1 true, <8 x i32> "
     "zeroinitializer, i1 true, "
     "<8 x i32> zeroinitializer, <8 x i32> zeroinitializer, i1 false, i1 false, i1 false)",
     "-"},
};

} // namespace

std::span<const Row> more_rows() { return rows; }

} // namespace twinir::lowering
