// SPDX-License-Identifier: MIT
#include "runtime/host/crash_guard.hpp"

#include <csignal>
#include <mutex>

#include "runtime/host/worker.hpp"

namespace twinir::exec {
namespace {

thread_local Worker* current = nullptr;

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction previous[NSIG];

// Hands the signal to whoever had it before; the default action needs the signal to come again.
void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction& before = previous[number];
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(number);
  sigaction(number, &before, nullptr);
}

void on_signal(int number, siginfo_t* info, void* context) {
  if (current != nullptr && current->item_is_running()) current->abandon_item(info->si_addr);
  pass_on(number, info, context);
}

// SA_NODEFER: the handler is left by switching stacks, so the signal must not stay blocked.
void install() {
  struct sigaction action = {};
  action.sa_sigaction = &on_signal;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int number : signals) sigaction(number, &action, &previous[number]);
}

// Only where nobody has installed another handler in the meantime.
void restore() {
  for (const int number : signals) {
    struct sigaction present = {};
    sigaction(number, nullptr, &present);
    if (present.sa_sigaction == &on_signal) sigaction(number, &previous[number], nullptr);
  }
}

// The handlers are in place only while some launch runs.
std::mutex mutex;
int guards = 0;

} // namespace

CrashGuard::CrashGuard(Worker& worker) : outer_(current) {
  current = &worker;
  const std::lock_guard lock(mutex);
  if (guards++ == 0) install();
}

CrashGuard::~CrashGuard() {
  current = outer_;
  const std::lock_guard lock(mutex);
  if (--guards == 0) restore();
}

} // namespace twinir::exec
