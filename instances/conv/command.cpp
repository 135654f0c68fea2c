// SPDX-License-Identifier: MIT
#include "instances/conv/command.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <sstream>

namespace twinir::conv {
namespace {

[[noreturn]] void refuse(Code code, std::string found, std::string expected, std::string action) {
  throw UserError({code, std::move(found), std::move(expected), std::move(action), {}});
}

/// The command before it is turned into a problem.
struct Raw {
  ConvProblem problem;
  std::int64_t directions = 0, spatial_dim = 2;
  std::string mode = "conv", pad_mode = "default";
  std::array<std::string, 3> layouts; ///< input, filter, output; empty: not given
};

struct Flag {
  std::string_view name, long_name;
  std::int64_t ConvProblem::*extent = nullptr;            ///< a number of the problem
  std::function<void(Raw&, const std::string&)> set = {}; ///< anything else that counts
};

std::int64_t number(const std::string& text, std::string_view flag) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse(Code::bad_command, "'" + text.substr(0, 40) + "' for " + std::string(flag), "an integer",
           "correct the value");
  return value;
}

std::function<void(Raw&, const std::string&)> layout(std::size_t which) {
  return [which](Raw& r, const std::string& v) { r.layouts[which] = v; };
}

const std::vector<Flag>& flags() {
  using P = ConvProblem;
  static const std::vector<Flag> all{
      {"-n", "--batchsize", &P::n},
      {"-c", "--in_channels", &P::c},
      {"-H", "--in_h", &P::h},
      {"-W", "--in_w", &P::w},
      {"-k", "--out_channels", &P::k},
      {"-y", "--fil_h", &P::y},
      {"-x", "--fil_w", &P::x},
      {"-p", "--pad_h", &P::pad_h},
      {"-q", "--pad_w", &P::pad_w},
      {"-u", "--conv_stride_h", &P::stride_h},
      {"-v", "--conv_stride_w", &P::stride_w},
      {"-l", "--dilation_h", &P::dilation_h},
      {"-j", "--dilation_w", &P::dilation_w},
      {"-g", "--group_count", &P::groups},
      {"-F", "--forw", nullptr, [](Raw& r, const std::string& v) { r.directions = number(v, "-F"); }},
      {"-_", "--spatial_dim", nullptr,
       [](Raw& r, const std::string& v) { r.spatial_dim = number(v, "--spatial_dim"); }},
      {"-m", "--mode", nullptr, [](Raw& r, const std::string& v) { r.mode = v; }},
      {"-z", "--pad_mode", nullptr, [](Raw& r, const std::string& v) { r.pad_mode = v; }},
      {"-I", "--in_layout", nullptr, layout(0)},
      {"-f", "--fil_layout", nullptr, layout(1)},
      {"-O", "--out_layout", nullptr, layout(2)},
  };
  return all;
}

/// Flags of the driver that do not change the problem.
constexpr std::array ignored{"-t",
                             "--time",
                             "-i",
                             "--iter",
                             "-V",
                             "--verify",
                             "-s",
                             "--search",
                             "-b",
                             "--bias",
                             "-w",
                             "--wall",
                             "-S",
                             "--solution",
                             "-G",
                             "--gpualloc",
                             "-M",
                             "--math_type",
                             "-X",
                             "--trans_output_pad_w",
                             "-Y",
                             "--trans_output_pad_h",
                             "-Z",
                             "--tensor_vect",
                             "-L",
                             "--vector_length",
                             "-r",
                             "--pad_val",
                             "-P",
                             "--printconv",
                             "-o",
                             "--dump_output",
                             "-d",
                             "--in_data",
                             "-e",
                             "--weights",
                             "-a",
                             "--in_bias",
                             "-D",
                             "--dout_data",
                             "-C",
                             "--verification_cache",
                             "-U",
                             "--in_cast_type",
                             "-T",
                             "--out_cast_type",
                             "-R",
                             "--wei_cast_type",
                             "-N",
                             "--init_output_nan",
                             "-&",
                             "--tuning_policy",
                             "-!",
                             "--in_d",
                             "-@",
                             "--fil_d",
                             "-#",
                             "--conv_stride_d",
                             "-$",
                             "--pad_d",
                             "-^",
                             "--dilation_d",
                             "--trans_output_pad_d"};

std::vector<std::string> words(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

std::optional<DType> base_type(const std::string& word) {
  if (word == "convfp16") return DType(f16);
  if (word == "convbfp16") return DType(bf16);
  if (word == "conv") return DType(f32);
  return std::nullopt;
}

/// The index of the first flag, behind the optional driver and the type word.
std::size_t read_type(const std::vector<std::string>& w, Raw& raw) {
  std::size_t at = 0;
  const auto is_type = [](const std::string& s) { return s.starts_with("conv") && s.find('/') == s.npos; };
  if (at < w.size() && !is_type(w[at]) && !w[at].starts_with("-")) ++at;
  if (at == w.size())
    refuse(Code::bad_command, "no convolution in the command", "convfp16, convbfp16 or conv, then flags",
           "see --help for an example");
  const auto type = base_type(w[at]);
  if (!type && w[at].starts_with("conv"))
    refuse(Code::unsupported_dtype, "'" + w[at].substr(0, 40) + "'", "convfp16, convbfp16 or conv",
           "use one of these types");
  if (!type)
    refuse(Code::bad_command, "'" + w[at].substr(0, 40) + "'", "convfp16, convbfp16 or conv",
           "begin with the type of convolution");
  raw.problem.dtype = *type;
  return at + 1;
}

void read_flag(const std::string& flag, const std::string& value, Raw& raw) {
  const auto it =
      std::ranges::find_if(flags(), [&](const Flag& f) { return f.name == flag || f.long_name == flag; });
  if (it != flags().end()) {
    if (it->extent)
      raw.problem.*(it->extent) = number(value, flag);
    else
      it->set(raw, value);
  } else if (std::ranges::find(ignored, flag) == ignored.end()) {
    refuse(Code::bad_command, "flag '" + flag.substr(0, 40) + "'", "a flag of MIOpenDriver's conv",
           "remove it or correct its spelling");
  }
}

void read_flags(const std::vector<std::string>& w, std::size_t at, Raw& raw) {
  for (; at < w.size(); at += 2) {
    if (!w[at].starts_with("-"))
      refuse(Code::bad_command, "'" + w[at].substr(0, 40) + "'", "a flag", "write each flag with its value");
    if (at + 1 == w.size())
      refuse(Code::bad_command, "flag '" + w[at] + "' without a value", "a value behind every flag",
             "add the value");
    read_flag(w[at], w[at + 1], raw);
  }
}

void check_mode(const Raw& r) {
  const auto unsupported = [](std::string found, std::string expected) {
    refuse(Code::unsupported_mode, std::move(found), std::move(expected), "choose another problem");
  };
  if (r.spatial_dim == 3) unsupported("a 3-D convolution", "2-D");
  if (r.spatial_dim != 2) unsupported(std::to_string(r.spatial_dim) + " spatial dimensions", "2");
  if (r.mode == "trans") unsupported("a transposed convolution", "mode conv");
  if (r.mode != "conv") unsupported("mode '" + r.mode.substr(0, 40) + "'", "conv");
  if (r.directions < 0 || r.directions > 6) unsupported("-F " + std::to_string(r.directions), "0 to 6");
  if (r.directions == 2 || r.directions == 4 || r.directions == 6)
    unsupported(r.directions == 2   ? "backward data only"
                : r.directions == 4 ? "backward weights only"
                                    : "backward only",
                "forward (-F 0, 1, 3 or 5)");
  for (auto layout : r.layouts) {
    std::ranges::transform(layout, layout.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    if (!layout.empty() && layout != "NHWC")
      unsupported("layout '" + layout.substr(0, 40) + "'", "NHWC for input, filter and output");
  }
}

void apply_pad_mode(Raw& r) {
  auto& p = r.problem;
  if (r.pad_mode == "default") return;
  if (r.pad_mode == "valid") {
    p.pad_h = p.pad_w = 0;
    return;
  }
  const bool same = r.pad_mode == "same" && p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 &&
                    p.dilation_w == 1 && p.y % 2 == 1 && p.x % 2 == 1;
  if (!same)
    refuse(Code::unsupported_mode, "padding mode '" + r.pad_mode.substr(0, 40) + "'",
           "default, valid, or same for odd filters at stride and dilation 1", "give -p and -q");
  p.pad_h = (p.y - 1) / 2, p.pad_w = (p.x - 1) / 2;
}

} // namespace

Command parse_command(std::string_view line) {
  if (line.size() > 10'000)
    refuse(Code::bad_command, "a command of " + std::to_string(line.size()) + " characters", "at most 10000",
           "shorten it");
  Raw raw;
  const auto w = words(line);
  read_flags(w, read_type(w, raw), raw);
  check_mode(raw);
  apply_pad_mode(raw);
  check(raw.problem);
  Command out{raw.problem, {}};
  if (raw.directions == 0 || raw.directions == 3) out.not_done.emplace_back("backward data");
  if (raw.directions == 0 || raw.directions == 5) out.not_done.emplace_back("backward weights");
  return out;
}

std::string command_text(const ConvProblem& p) {
  struct Flag {
    const char* name;
    std::int64_t value;
  };
  std::string out = p.dtype.type() == f16 ? "convfp16" : p.dtype.type() == bf16 ? "convbfp16" : "conv";
  for (const auto& [name, value] :
       {Flag{"-n", p.n}, Flag{"-c", p.c}, Flag{"-H", p.h}, Flag{"-W", p.w}, Flag{"-k", p.k}, Flag{"-y", p.y},
        Flag{"-x", p.x}, Flag{"-p", p.pad_h}, Flag{"-q", p.pad_w}, Flag{"-u", p.stride_h},
        Flag{"-v", p.stride_w}, Flag{"-l", p.dilation_h}, Flag{"-j", p.dilation_w}, Flag{"-g", p.groups}})
    out += std::string(" ") + name + " " + std::to_string(value);
  return out + " -F 1";
}

} // namespace twinir::conv
