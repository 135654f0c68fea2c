// SPDX-License-Identifier: MIT
#include "parity/reader.hpp"

#include "emit/environment.hpp"
#include "parity/python_engine.hpp"

namespace twinir {
namespace {
using Json = nlohmann::ordered_json;

std::vector<std::string> command_in(const std::filesystem::path& folder) {
  const auto given = environment("TWINIR_READER");
  return {given ? *given : find_python().program, "-I", "-B", (folder / "serve.py").string()};
}

std::string reason(const ChildFailed& e) {
  const auto said = last_line(e.errors());
  return std::string(e.what()) + (said.empty() ? "" : ", saying '" + said + "'");
}

[[noreturn]] void refuse(Code code, const std::string& found) {
  throw UserError({code, found, "a text that LLVM reads", "correct the emitter", {}});
}

} // namespace

Reader::Reader(const std::filesystem::path& folder) : Reader(command_in(folder)) {}

Reader::Reader(std::vector<std::string> command) : workers_(std::move(command)) {
  try {
    const auto reply = Json::parse(workers_.ask(R"({"id":0})"));
    flavor_ = reply.at("flavor"), wheel_ = reply.at("wheel");
  } catch (const ChildFailed& e) {
    problem_ = workers_.command().front() + ": " + reason(e);
  } catch (const Json::exception& e) {
    problem_ = workers_.command().front() + ": " + e.what();
  }
}

std::string Reader::reprint(const std::string& text) {
  try {
    const auto reply = Json::parse(workers_.ask(Json({{"id", 1}, {"text", text}}).dump()));
    if (reply.contains("refused")) refuse(Code::verify_failed, wheel_ + " says: " + reply.at("refused").get<std::string>());
    return reply.at("text");
  } catch (const ChildFailed& e) {
    refuse(Code::engine_failed, "the reader " + wheel_ + " ended: " + reason(e));
  } catch (const Json::exception& e) {
    refuse(Code::engine_failed, "the reader " + wheel_ + " answers with no such reply: " + e.what());
  }
}

void add_reader(std::vector<FlavorInfo>& flavors, const Reader& reader) {
  for (auto& f : flavors)
    if (!f.installed && f.name == reader.flavor()) f.reader = reader.wheel();
}

} // namespace twinir
