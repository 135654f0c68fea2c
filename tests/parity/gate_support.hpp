// SPDX-License-Identifier: MIT
// Stand-ins for the emitters and LLVM, and a folder of goldens that is made for a test.
#pragma once
#include "emit/files.hpp"
#include "parity/gate.hpp"
#include "parity/record.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>

namespace twinir::test {

/// The targets of the gates below, and how many cases the example families have on all of them.
constexpr std::string_view test_targets[]{"gfx1250", "gfx1150", "gfx950"};
constexpr std::size_t targets = std::size(test_targets), accepted = 6 * targets, refused_specs = 5 * targets;

/// A folder that goes away.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// Emits a text that depends on kernel and flavor only; `change` may alter what it gives.
class FakeEngine : public Engine {
public:
  std::function<void(Emission&, const std::string& json, const FlavorInfo&)> change;
  [[nodiscard]] Emission emit(const std::string& kernel_json, const FlavorInfo& flavor) override;
};

/// Passes everything on, and lets `change` alter the answer.
class WrappedEngine : public Engine {
public:
  explicit WrappedEngine(Engine& inner) : inner_(inner) {}
  std::function<void(Emission&)> change;
  [[nodiscard]] Emission emit(const std::string& kernel_json, const FlavorInfo& flavor) override;

private:
  Engine& inner_;
};

/// Finds nothing wrong, unless told.
class FakeJudge : public Judge {
public:
  std::optional<Diagnostic> reprint_problem, compile_problem;
  nlohmann::ordered_json report; ///< of a compile
  bool reprints_on_compile = false; ///< a compile says that the text re-prints to itself
  std::atomic<int> reprints{0}, compiles{0};
  [[nodiscard]] Judgement reprint(const std::string& text, const FlavorInfo& flavor) override;
  [[nodiscard]] Judgement compile(const std::string& text, const std::string& kernel,
                                  const std::string& target, const FlavorInfo& flavor) override;
};

/// A gate over the example families with stand-ins; everything in it may be changed before run().
struct FakeGate {
  FakeGate();
  Folder folder;
  std::vector<Family> families;
  std::vector<Case> cases;
  std::vector<FlavorInfo> flavors;
  Golden golden;
  FakeEngine cpp, python;
  FakeJudge judge;
  GateOptions options;

  [[nodiscard]] GateReport run();
  /// Runs and records, so that the next run is green.
  void record();
};

/// The result of the one case whose id contains the text.
[[nodiscard]] const CaseResult& result_of(const GateReport& report, const std::string& flavor,
                                          const std::string& part_of_id);

} // namespace twinir::test
