// SPDX-License-Identifier: MIT
// Operations of a wave: every one against its definition, in waves of 32 and 64, divergent and whole.
#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

struct Target {
  const char* cpu;
  unsigned wave;
};
constexpr Target targets[] = {{"gfx1250", 32}, {"gfx950", 64}};

// out[i] = %y of `steps`, from %x = in[i]
std::vector<std::uint32_t> run(const Target& target, const std::string& steps,
                               const std::vector<std::uint32_t>& in) {
  return map<std::uint32_t>({"i32", "i32", steps, target.cpu}, in);
}

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761u >> 7);
  return values;
}

using Expect = std::uint32_t (*)(const std::vector<std::uint32_t>& x, std::size_t i, unsigned wave);

void check(const std::string& steps, Expect expect) {
  for (const Target& target : targets) {
    const std::vector<std::uint32_t> in = numbers(128);
    const std::vector<std::uint32_t> out = run(target, steps, in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      INFO(steps << " lane " << i << " on " << target.cpu);
      REQUIRE(out[i] == expect(in, i, target.wave));
    }
  }
}

std::size_t base(std::size_t i, unsigned wave) { return i / wave * wave; }

TEST_CASE("readfirstlane, readlane and their types") {
  check("  %y = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x)",
        [](const auto& x, std::size_t i, unsigned wave) { return x[base(i, wave)]; });
  check("  %f = bitcast i32 %x to float\n  %r = call float @llvm.amdgcn.readfirstlane.f32(float %f)\n"
        "  %y = bitcast float %r to i32",
        [](const auto& x, std::size_t i, unsigned wave) { return x[base(i, wave)]; });
  check("  %l = zext i32 %x to i64\n  %s = shl i64 %l, 16\n  %r = call i64 "
        "@llvm.amdgcn.readfirstlane.i64(i64 %s)\n"
        "  %h = lshr i64 %r, 16\n  %y = trunc i64 %h to i32",
        [](const auto& x, std::size_t i, unsigned wave) { return x[base(i, wave)]; });
  check("  %y = call i32 @llvm.amdgcn.readlane.i32(i32 %x, i32 13)",
        [](const auto& x, std::size_t i, unsigned wave) { return x[base(i, wave) + 13]; });
}

TEST_CASE("readfirstlane in divergent flow takes the first lane that is on") {
  const std::string steps = R"(
  %c = icmp uge i32 %t, 5
  br i1 %c, label %a, label %b
a:
  %ra = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)
  br label %j
b:
  %rb = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)
  br label %j
j:
  %y = phi i32 [ %ra, %a ], [ %rb, %b ])";
  const std::vector<std::uint32_t> out = run(targets[0], steps, numbers(64));
  for (std::size_t i = 0; i < 64; ++i) CHECK(out[i] == (i < 5 ? 0u : i < 32 ? 5u : 32u));
}

TEST_CASE("a lane that skips an operation of the wave in one round does not meet the others in the next") {
  const std::string steps = R"(
  br label %before
before:
  br label %head
head:
  %r = phi i32 [ 0, %before ], [ %r1, %latch ]
  %acc = phi i32 [ 0, %before ], [ %acc1, %latch ]
  %q = xor i32 %t, %r
  %p = and i32 %q, 1
  %c = icmp eq i32 %p, 0
  br i1 %c, label %do, label %latch
do:
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 true)
  %s = add i32 %acc, %b
  br label %latch
latch:
  %acc1 = phi i32 [ %acc, %head ], [ %s, %do ]
  %r1 = add i32 %r, 1
  %more = icmp ult i32 %r1, 4
  br i1 %more, label %head, label %done
done:
  %y = add i32 %acc1, 0)";
  const std::vector<std::uint32_t> out = run(targets[0], steps, numbers(64));
  for (std::size_t i = 0; i < 64; ++i) CHECK(out[i] == (i % 2 == 0 ? 2 * 0x55555555u : 2 * 0xaaaaaaaau));
}

TEST_CASE("lanes of a loop in a loop wait for each other at the end of the outer round") {
  const std::string steps = R"(
  %last = and i32 %t, 3
  br label %before
before:
  br label %outer
outer:
  %o = phi i32 [ 0, %before ], [ %o1, %latch ]
  %first = phi i32 [ 0, %before ], [ %acc1, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %acc = phi i32 [ %first, %outer ], [ %acc1, %inner ]
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 true)
  %shifted = mul i32 %acc, 3
  %acc1 = add i32 %shifted, %b
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j, %last
  br i1 %again, label %inner, label %latch
latch:
  %o1 = add i32 %o, 1
  %more = icmp ult i32 %o1, 3
  br i1 %more, label %outer, label %done
done:
  %y = add i32 %acc1, 0)";
  const std::vector<std::uint32_t> out = run(targets[0], steps, numbers(64));
  const std::uint32_t masks[] = {0xffffffff, 0xeeeeeeee, 0xcccccccc, 0x88888888}; // lanes with a round j
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t sum = 0;
    for (int round = 0; round < 3; ++round)
      for (std::size_t j = 0; j <= i % 4; ++j) sum = 3 * sum + masks[j];
    CHECK(out[i] == sum);
  }
}

TEST_CASE("ballot, mbcnt and wavefrontsize") {
  for (const Target& target : targets) {
    const std::string type = target.wave == 64 ? "i64" : "i32";
    const std::string narrow = target.wave == 64 ? "  %sh = lshr i64 %b, 32\n  %hi = trunc i64 %sh to i32\n"
                                                   "  %lo = trunc i64 %b to i32\n  %y = xor i32 %hi, %lo"
                                                 : "  %y = add i32 %b, 0";
    const std::vector<std::uint32_t> in = numbers(64);
    const std::vector<std::uint32_t> out = run(target,
                                               "  %c = trunc i32 %x to i1\n  %b = call " + type +
                                                   " @llvm.amdgcn.ballot." + type + "(i1 %c)\n" + narrow,
                                               in);
    for (std::size_t i = 0; i < 64; ++i) {
      std::uint64_t votes = 0;
      for (unsigned lane = 0; lane < target.wave; ++lane)
        votes |= std::uint64_t{in[base(i, target.wave) + lane] & 1} << lane;
      const std::uint64_t expected = target.wave == 64 ? (votes >> 32) ^ (votes & 0xffffffff) : votes;
      REQUIRE(out[i] == expected);
    }
  }
  check("  %l = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n  %y = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, "
        "i32 %l)",
        [](const auto&, std::size_t i, unsigned wave) { return static_cast<std::uint32_t>(i % wave); });
  check("  %y = call i32 @llvm.amdgcn.mbcnt.lo(i32 21, i32 100)",
        [](const auto&, std::size_t i, unsigned wave) {
          const std::size_t lane = i % wave;
          return static_cast<std::uint32_t>(100 + (lane > 0) + (lane > 2) + (lane > 4));
        });
  check("  %y = call i32 @llvm.amdgcn.wavefrontsize()",
        [](const auto&, std::size_t, unsigned wave) { return wave; });
}

TEST_CASE("ds.bpermute reads another lane by byte address") {
  check("  %a = mul i32 %t, 20\n  %y = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %x)",
        [](const auto& x, std::size_t i, unsigned wave) { return x[base(i, wave) + (i % 64 * 5) % wave]; });
}

std::string dpp(unsigned control, unsigned rows, unsigned banks, bool bound) {
  return "  %y = call i32 @llvm.amdgcn.update.dpp.i32(i32 -7, i32 %x, i32 " + std::to_string(control) +
         ", i32 " + std::to_string(rows) + ", i32 " + std::to_string(banks) + ", i1 " +
         (bound ? "true" : "false") + ")";
}

TEST_CASE("update.dpp: controls, masks, bounds") {
  constexpr auto old = static_cast<std::uint32_t>(-7);
  check(dpp(0x1b, 15, 15, false), // quad_perm [3,2,1,0]
        [](const auto& x, std::size_t i, unsigned) { return x[i / 4 * 4 + 3 - i % 4]; });
  check(dpp(0x101, 15, 15, false), // row_shl:1
        [](const auto& x, std::size_t i, unsigned) { return i % 16 == 15 ? old : x[i + 1]; });
  check(dpp(0x101, 15, 15, true),
        [](const auto& x, std::size_t i, unsigned) { return i % 16 == 15 ? 0u : x[i + 1]; });
  check(dpp(0x113, 15, 15, false), // row_shr:3
        [](const auto& x, std::size_t i, unsigned) { return i % 16 < 3 ? old : x[i - 3]; });
  check(dpp(0x124, 15, 15, false), // row_ror:4
        [](const auto& x, std::size_t i, unsigned) { return x[i / 16 * 16 + (i + 12) % 16]; });
  check(dpp(0x140, 15, 15, false), // row_mirror
        [](const auto& x, std::size_t i, unsigned) { return x[i / 16 * 16 + 15 - i % 16]; });
  check(dpp(0x141, 15, 15, false), // row_half_mirror
        [](const auto& x, std::size_t i, unsigned) { return x[i / 8 * 8 + 7 - i % 8]; });
  check(dpp(0x152, 15, 15, false), // row_share:2
        [](const auto& x, std::size_t i, unsigned) { return x[i / 16 * 16 + 2]; });
  check(dpp(0x165, 15, 15, false), // row_xmask:5
        [](const auto& x, std::size_t i, unsigned) { return x[i / 16 * 16 + (i % 16 ^ 5)]; });
  check(dpp(0x140, 2, 5, false), // rows 1 and banks 0, 2 only
        [](const auto& x, std::size_t i, unsigned wave) {
          const bool on = i % wave / 16 == 1 && i % 16 / 4 % 2 == 0;
          return on ? x[i / 16 * 16 + 15 - i % 16] : old;
        });
  CHECK(thrown_by([] { (void)load_map({"i32", "i32", dpp(0x1f0, 15, 15, false)}); }).code == "TIR5001");
}

TEST_CASE("reading a lane that is off is a fault, permuting from it gives 0") {
  const auto guarded = [](const std::string& inside) {
    return "  %c = icmp ult i32 %t, 4\n  br i1 %c, label %a, label %j\na:\n" + inside +
           "\n  br label %j\nj:\n  %y = phi i32 [ %r, %a ], [ %x, %0 ]";
  };
  const host::Kernel kernel =
      load_map({"i32", "i32", guarded("  %r = call i32 @llvm.amdgcn.readlane.i32(i32 %x, i32 9)")});
  const host::Buffer in = buffer_of(numbers(64));
  const host::Buffer out = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, in).set(1, out);
  CHECK(contains(only_fault(kernel.run(arguments, {.block = {64, 1, 1}}), "TIR5010").found, "lane 9"));
  const auto permuted =
      run(targets[0], guarded("  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 36, i32 %x)"), numbers(64));
  CHECK(permuted[0] == 0);
  const host::Kernel own =
      load_map({"i32", "i32", "  %y = call i32 @llvm.amdgcn.readlane.i32(i32 %x, i32 %t)"});
  CHECK(contains(only_fault(own.run(arguments, {.block = {64, 1, 1}}), "TIR5007").found, "not the same"));
  CHECK(run(targets[0], guarded("  %r = call i32 @llvm.amdgcn.readlane.i32(i32 %x, i32 3)"),
            numbers(64))[0] == numbers(64)[3]);
}

TEST_CASE("collectives in a loop whose trip count differs by lane") {
  const std::string steps = R"(
  br label %head
head:
  %k = phi i32 [ 0, %0 ], [ %k1, %body ]
  %s = phi i32 [ 0, %0 ], [ %s1, %body ]
  %lim = and i32 %t, 7
  %c = icmp ule i32 %k, %lim
  br i1 %c, label %body, label %done
body:
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 true)
  %n = call i32 @llvm.ctpop.i32(i32 %b)
  %s1 = add i32 %s, %n
  %k1 = add i32 %k, 1
  br label %head
done:
  %y = add i32 %s, 0)";
  const std::vector<std::uint32_t> out = run(targets[0], steps, numbers(64));
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t expected = 0;
    for (std::uint32_t k = 0; k <= i % 8; ++k) expected += 4 * (8 - k);
    CHECK(out[i] == expected);
  }
}

} // namespace
