// SPDX-License-Identifier: MIT
// The two kinds of error: the user's (UserError) and ours (InternalError).
#pragma once
// Guarantees: every error has a stable code from codes.def and says what was found, what was expected and what
// to do; the text is the same from C++, from the command line and from Python.
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace twinir {

/// All stable codes; the numbers never change meaning (codes.def is the one list).
enum class Code : int {
#define TWINIR_CODE(number, name, summary) name = number,
#include "dsl/codes.def"
#undef TWINIR_CODE
};

/// "TIR1004" for a code.
[[nodiscard]] std::string to_string(Code code);
/// One line that says what the code means; also the text of `twinir explain`.
[[nodiscard]] std::string_view summary(Code code);

/// What an error says.
struct Diagnostic {
  Code code;
  std::string found;    ///< what was found
  std::string expected; ///< what was expected
  std::string action;   ///< what to do
  std::string where;    ///< "file:line" of the author's call, or empty

  /// "TIR1004: found ...; expected ...; to do: ..." and the place on a second line where there is one.
  [[nodiscard]] std::string text() const;
};

/// The kernel, spec, problem or command is wrong.
class UserError : public std::runtime_error {
public:
  explicit UserError(Diagnostic diagnostic);
  [[nodiscard]] const Diagnostic& diagnostic() const noexcept { return diagnostic_; }
  [[nodiscard]] Code code() const noexcept { return diagnostic_.code; }

private:
  Diagnostic diagnostic_;
};

/// TwinIR itself is wrong; never expected in correct builds.
class InternalError : public std::logic_error {
public:
  explicit InternalError(const std::string& what,
                         std::source_location where = std::source_location::current());
};

/// "kernel.cpp:12" without folders, so that no text depends on where the sources lie.
[[nodiscard]] std::string place(const std::source_location& where);

} // namespace twinir
