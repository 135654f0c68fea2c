// SPDX-License-Identifier: MIT
// What the gate compares and asks: two emitters, and one LLVM's judgement of their text.
#pragma once
// These are interfaces, so that tests can stand between the gate and the real ones. Every call may come from
// any thread. No engine ever stands in for another: what cannot run says so.
#include "dsl/error.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

namespace twinir {

/// One LLVM as the gate knows it.
struct FlavorInfo {
  std::string name; ///< "llvm22"
  std::string llvm; ///< PluginInfo::llvm: of the installed LLVM, else of the flavor file, else empty
  std::filesystem::path file;     ///< the flavor file; empty when there is none
  bool installed = false;         ///< there is a plugin for it
  bool links = false;             ///< its plugin makes code objects
  std::set<std::string> compiles; ///< targets it generates code for
  bool usual = true; ///< what is taken when none is named: a release that loads into this process
  std::string reader = {};        ///< "llvmlite 0.47.0": reads the texts where there is no plugin; empty: none
  bool recorded = false;          ///< there is a flavor file or a shard: what is compared when none is named
};

/// The text of a kernel, or why there is none.
struct Emission {
  std::string text;
  std::optional<Diagnostic> refusal;
};

class Engine {
public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;
  [[nodiscard]] virtual Emission emit(const std::string& kernel_json, const FlavorInfo& flavor) = 0;
};

/// What an LLVM makes of a text.
struct Judgement {
  std::optional<Diagnostic> problem;
  nlohmann::ordered_json report{}; ///< of a compile: the first kernel of twinir_inspect
  bool reprints = false;           ///< of a compile: it found that the text re-prints to itself
  double llvm_ms = 0;              ///< of a compile: what LLVM's own stages took
};

class Judge {
public:
  Judge() = default;
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  virtual ~Judge() = default;
  /// Does the text re-parse, and re-print to itself?
  [[nodiscard]] virtual Judgement reprint(const std::string& text, const FlavorInfo& flavor) = 0;
  /// Does it compile and link, without spills and scratch memory? Re-prints it on the way.
  [[nodiscard]] virtual Judgement compile(const std::string& text, const std::string& kernel,
                                          const std::string& target, const FlavorInfo& flavor) = 0;
};

} // namespace twinir
