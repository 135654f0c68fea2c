// SPDX-License-Identifier: MIT
// A child process that is spoken to over its standard input and output, and commands that are run to their
// end.
#pragma once
// Guarantees: descriptors are close-on-exec, a child that died raises no SIGPIPE here, every child is waited
// for, no call waits past its deadline. What the child writes to standard error is kept for messages.
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace twinir {

using Deadline = std::chrono::steady_clock::time_point;

/// The child ended, did not start, or did not answer in time.
class ChildFailed : public std::runtime_error {
public:
  ChildFailed(const std::string& how, std::string errors, bool late)
      : std::runtime_error(how), errors_(std::move(errors)), late_(late) {}
  /// The end of what it wrote to standard error.
  [[nodiscard]] const std::string& errors() const { return errors_; }
  [[nodiscard]] bool timed_out() const { return late_; }

private:
  std::string errors_;
  bool late_;
};

/// Used by one thread at a time. After ChildFailed it is of no more use.
class ChildProcess {
public:
  /// Starts `arguments[0]` (looked for in PATH when it has no slash).
  explicit ChildProcess(const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void send(std::string_view bytes, Deadline deadline);
  [[nodiscard]] std::string receive(std::size_t size, Deadline deadline);
  /// A frame is a length (4 bytes, little-endian) and so many bytes.
  void send_frame(std::string_view bytes, Deadline deadline);
  [[nodiscard]] std::string receive_frame(Deadline deadline);

private:
  void wait_for(short events, Deadline deadline);
  [[noreturn]] void fail_ended();
  [[noreturn]] void fail_late();
  [[nodiscard]] std::string errors() const;
  void stop();

  pid_t pid_ = -1;
  int socket_ = -1, errors_ = -1;
};

/// "signal SIGSEGV", "exit status 3" for a status of waitpid.
[[nodiscard]] std::string describe_status(int status);

/// A command that has ended.
struct Finished {
  int status = 0; ///< exit status; 128 + n after signal n; 127 when it could not be started
  std::string out, errors;
};
/// Runs a command with no input; it is ended when it takes longer than `limit`.
[[nodiscard]] Finished run_command(const std::vector<std::string>& arguments,
                                   std::chrono::milliseconds limit = std::chrono::seconds(60));

/// "\x05\0\0\0hello".
[[nodiscard]] std::string frame_head(std::size_t size);
/// No frame is longer.
inline constexpr std::size_t longest_frame = std::size_t(1) << 30;

} // namespace twinir
