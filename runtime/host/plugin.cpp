// SPDX-License-Identifier: MIT
// The C interface of exec_plugin.h. Nothing thrown leaves these functions.
#include <new>

#include "runtime/host/arena.hpp"
#include "runtime/host/exec_plugin.h"
#include "runtime/host/json_text.hpp"
#include "runtime/host/load.hpp"

#define TWINIR_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace twinir::exec;

void send(twinir_sink sink, void* user, const std::string& text) {
  if (sink != nullptr) sink(user, text.data(), text.size());
}

// Runs `work`; a refusal goes to the error sink and makes the result false.
template <class Work> bool guarded(twinir_sink error, void* user, Work&& work) noexcept {
  try {
    work();
    return true;
  } catch (const Refusal& refusal) {
    send(error, user, error_json(refusal));
  } catch (const std::bad_alloc&) {
    send(error, user, error_json({ExecCode::out_of_memory, "no memory", "enough memory", "free some"}));
  } catch (const std::exception& other) {
    send(error, user, error_json({ExecCode::codegen_failed, other.what(), "no failure", "report this"}));
  }
  return false;
}

} // namespace

TWINIR_EXPORT uint32_t twinir_exec_abi(void) { return TWINIR_EXEC_ABI; }

TWINIR_EXPORT const char* twinir_exec_llvm(void) { return LLVM_VERSION_STRING; }

TWINIR_EXPORT twinir_exec_kernel* twinir_exec_load(const char* ir, size_t size,
                                                   const twinir_exec_options* options, twinir_sink info,
                                                   twinir_sink error, void* user) {
  twinir_exec_kernel* kernel = nullptr;
  guarded(error, user, [&] {
    LoadOptions wanted;
    if (options != nullptr) wanted = {options->checked != 0, options->opt_level};
    auto loaded = load_kernel(std::string_view(ir, size), wanted);
    send(info, user, info_json(loaded->image));
    kernel = loaded.release();
  });
  return kernel;
}

TWINIR_EXPORT void twinir_exec_unload(twinir_exec_kernel* kernel) { delete kernel; }

TWINIR_EXPORT void* twinir_exec_alloc(size_t size, const char* name, int initialised, twinir_sink error,
                                      void* user) {
  void* data = nullptr;
  guarded(error, user, [&] { data = Arena::instance().allocate(size, name, initialised != 0); });
  return data;
}

TWINIR_EXPORT void twinir_exec_mark(void* data, size_t size) {
  guarded(nullptr, nullptr, [&] { Arena::instance().mark(data, size); });
}

TWINIR_EXPORT void twinir_exec_free(void* data) {
  guarded(nullptr, nullptr, [&] { Arena::instance().release(data); });
}

TWINIR_EXPORT int twinir_exec_run(twinir_exec_kernel* kernel, const void* kernarg, size_t kernarg_size,
                                  const twinir_exec_launch* launch, twinir_sink report, twinir_sink error,
                                  void* user) {
  const bool done = guarded(error, user, [&] {
    const LaunchPlan plan = plan_launch(kernel->image, kernarg, kernarg_size, *launch);
    const LaunchResult result = run_launch(kernel->image, plan, launch->threads);
    send(report, user, report_json(kernel->image, result));
  });
  return done ? 0 : 1;
}
