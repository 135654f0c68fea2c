// SPDX-License-Identifier: MIT
// MIOpenDriver command lines, and what a Winograd plan refuses.
#include "dsl/error.hpp"
#include "instances/conv/command.hpp"
#include "instances/gemm/gemm_launch.hpp"
#include "instances/winograd/specs.hpp"

#include <catch2/catch.hpp>

using namespace twinir;
using conv::parse_command;

namespace {
template <class F> Diagnostic refusal(F f) {
  try {
    f();
  } catch (const UserError& e) {
    return e.diagnostic();
  }
  return {Code::internal, "accepted", "", "", ""};
}
Code code_of(const std::string& line) {
  return refusal([&] { (void)parse_command(line); }).code;
}
} // namespace

TEST_CASE("a layer of ResNet-50") {
  const auto c = parse_command("./bin/MIOpenDriver convfp16 -n 64 -c 128 -H 28 -W 30 -k 96 -y 3 -x 3 -p 1 -q 2 -u 1 -v 1 -l 1 -j 1 --in_layout NHWC "
                               "--fil_layout nhwc --out_layout NHWC -m conv -g 1 -F 1 -t 1");
  CHECK(c.problem.text() == "f16 n64 c128 h28 w30 k96 y3 x3 p1,2 s1,1 d1,1 g1");
  CHECK(c.not_done.empty());
}

TEST_CASE("defaults are the driver's; the last flag wins; long names") {
  CHECK(parse_command("conv").problem.text() == "f32 n100 c3 h32 w32 k32 y3 x3 p0,0 s1,1 d1,1 g1");
  CHECK(parse_command("convbfp16 -n 1 --batchsize 7 --in_h 9").problem.text() == "bf16 n7 c3 h9 w32 k32 y3 x3 p0,0 s1,1 d1,1 g1");
  CHECK(parse_command("convfp16 -z same").problem.pad_w == 1);
}

TEST_CASE("directions beside forward are named as not done") {
  CHECK(parse_command("convfp16 -F 0").not_done == std::vector<std::string>{"backward data", "backward weights"});
  CHECK(parse_command("convfp16 -F 5").not_done == std::vector<std::string>{"backward weights"});
  CHECK(code_of("convfp16 -F 2") == Code::unsupported_mode);
  CHECK(code_of("convfp16 -F 4") == Code::unsupported_mode);
}

TEST_CASE("impossible groups are refused naming c, k and g; transposed mode is not an ordinary convolution") {
  for (const char* line : {"convfp16 -g 4 -c 2 -k 4", "convfp16 -g 4 -c 8 -k 6", "convfp16 -g 0", "convfp16 -g -1"}) {
    const auto d = refusal([&] { (void)parse_command(line); });
    CHECK(d.code == Code::bad_groups);
    for (const char* name : {"g = ", "c = ", "k = "}) CHECK(d.found.find(name) != std::string::npos);
  }
  CHECK(code_of("convfp16 -n 1 -c 256 -H 9 -W 9 -k 512 -y 2 -x 2 -u 2 -v 2 -m trans -F 1") == Code::unsupported_mode);
  CHECK(code_of("conv -m trans -W 4 -H 4 -c 6 -k 4 -x 1 -y 1 -p 2 -q 2 -F 1") == Code::unsupported_mode);
}

TEST_CASE("bad command lines") {
  struct Row {
    const char* line;
    Code code;
  };
  for (const auto& r : {Row{"", Code::bad_command}, Row{"matmul -n 1", Code::bad_command}, Row{"convint8 -n 1", Code::unsupported_dtype},
                        Row{"convfp16 -n", Code::bad_command}, Row{"convfp16 -n 1x", Code::bad_command}, Row{"convfp16 -n 99999999999999999999", Code::bad_command},
                        Row{"convfp16 --key=1", Code::bad_command}, Row{"convfp16 -? 1", Code::bad_command}, Row{"convfp16 n 1", Code::bad_command},
                        Row{"convfp16 -n 0", Code::bad_extent}, Row{"convfp16 -H -5", Code::bad_extent}, Row{"convfp16 -l 0", Code::bad_extent},
                        Row{"convfp16 -u 0", Code::bad_extent}, Row{"convfp16 -H 2 -W 2", Code::bad_extent}, Row{"convfp16 -_ 3", Code::unsupported_mode},
                        Row{"convfp16 -I NCHW", Code::unsupported_mode}, Row{"convfp16 -n 1 -c 512 -H 2048 -W 2048 -k 1 -p 1 -q 1", Code::index_overflow},
                        Row{"convfp16 -n 1 -c 514 -H 2048 -W 2048 -k 1 -p 1 -q 1", Code::index_overflow}}) {
    CAPTURE(r.line);
    CHECK(code_of(r.line) == r.code);
  }
  CHECK(code_of(std::string(20000, ' ')) == Code::bad_command);
}

TEST_CASE("launches refuse what the binary cannot serve, whoever calls them") {
  const auto launch_code = [](const std::string& line, int vec) {
    return refusal([&] {
             winograd::InputSpec spec;
             spec.vec = vec;
             (void)winograd::launch(spec, parse_command(line).problem);
           }).code;
  };
  CHECK(launch_code("convfp16 -n 1 -c 8 -k 8 -p 1 -q 1", 4) == Code::internal); // accepted
  CHECK(launch_code("convfp16 -n 1 -c 8 -k 8 -y 5 -x 5", 4) == Code::not_3x3);
  CHECK(launch_code("convfp16 -n 1 -c 8 -k 8 -u 2 -v 2", 4) == Code::stride_not_1);
  CHECK(launch_code("convfp16 -n 1 -c 8 -k 8 -l 2 -j 2 -p 2 -q 2", 4) == Code::internal);
  CHECK(launch_code("convfp16 -n 1 -c 8 -k 8 -g 2", 4) == Code::internal);
  CHECK(launch_code("convfp16 -n 1 -c 8 -k 8 -g 4", 4) == Code::vector_width);
  CHECK(launch_code("conv -n 1 -c 8 -k 8", 4) == Code::unsupported_dtype);
  CHECK(launch_code("convbfp16 -n 1 -c 8 -k 8", 4) == Code::unsupported_dtype);
  CHECK(launch_code("convfp16 -n 1 -c 6 -k 8", 4) == Code::vector_width);
  CHECK(launch_code("convfp16 -n 64 -c 511 -H 256 -W 256 -k 1 -p 1 -q 1", 1) == Code::index_overflow);
}
