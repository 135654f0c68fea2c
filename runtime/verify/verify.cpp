// SPDX-License-Identifier: MIT
#include "runtime/verify/verify.hpp"

#include <algorithm>
#include <string_view>

namespace twinir {

#define TWINIR_VERIFIER(family) Verification verify_##family(const VerifySubject& subject);
#include "runtime/verify/verifiers.def"
#undef TWINIR_VERIFIER

namespace {

struct Verifier {
  std::string_view family;
  Verification (*check)(const VerifySubject&);
};
constexpr Verifier verifiers[]{
#define TWINIR_VERIFIER(family) {#family, &verify_##family},
#include "runtime/verify/verifiers.def"
#undef TWINIR_VERIFIER
};

} // namespace

bool has_verifier(const std::string& family) {
  return std::ranges::find(verifiers, family, &Verifier::family) != std::end(verifiers);
}

std::optional<Verification> verify(const std::string& family, const Json& spec, const KernelDef& kernel,
                                   const std::string& text, const HostExecutor& executor) {
  const auto* const it = std::ranges::find(verifiers, family, &Verifier::family);
  if (it == std::end(verifiers)) return std::nullopt;
  const auto loaded = executor.load(text, {.checked = true});
  return it->check({kernel, spec, loaded, executor});
}

} // namespace twinir
