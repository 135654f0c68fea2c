// SPDX-License-Identifier: MIT
#include "cpp_support.hpp"

#include <catch2/catch.hpp>
#include <iostream>
#include <sstream>

namespace twinir::lowering {

const std::string KernelText::standard_params =
    R"({"n":"x","t":"p1","k":"in","align":4,"deref":0},{"n":"y","t":"p1","k":"out","align":4,"deref":0},)"
    R"({"n":"i","t":"i32","k":"value"},{"n":"j","t":"i32","k":"value"},{"n":"l","t":"i64","k":"value"},)"
    R"({"n":"h","t":"f16","k":"value"},{"n":"b","t":"bf16","k":"value"},{"n":"f","t":"f32","k":"value"},)"
    R"({"n":"g","t":"f32","k":"value"},{"n":"d","t":"f64","k":"value"},{"n":"vi","t":"v4i32","k":"value"},)"
    R"({"n":"vf","t":"v4f32","k":"value"},{"n":"vh","t":"v16f16","k":"value"},{"n":"vb","t":"v16bf16","k":"value"},)"
    R"({"n":"acc","t":"v8f32","k":"value"})";

std::string KernelText::json() const {
  return R"({"schema":"twinir-kernel-1","name":")" + name + R"(","target":")" + target + R"(","block":)" + block +
         R"(,"waves_per_eu":)" + std::to_string(waves) + ",\n\"params\":[" + params + "],\n\"lds\":[" + lds +
         "],\n\"body\":[\n" + body + "]}\n";
}

const std::vector<LlvmPlugin>& plugins() {
  static const auto all = [] {
    std::vector<LlvmPlugin> loaded;
    for (const auto& file : LlvmPlugin::discover()) loaded.push_back(LlvmPlugin::open(file.path));
    return loaded;
  }();
  return all;
}

const LlvmPlugin* plugin(const std::string& flavor) {
  for (const auto& p : plugins())
    if (p.info().flavor == flavor) return &p;
  std::cout << "SKIP: no plugin for " << flavor << '\n';
  return nullptr;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string lines_with(const std::string& text, const std::string& start) {
  std::string out;
  for (const auto& line : lines(text))
    if (line.starts_with(start)) out += (out.empty() ? "" : "\n") + line;
  return out;
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const auto begin = text.find(from);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find(to, begin + from.size()) - begin);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

Diagnostic refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& e) {
    return e.diagnostic();
  }
  FAIL("was not refused");
  return {};
}

} // namespace twinir::lowering
