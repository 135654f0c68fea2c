// SPDX-License-Identifier: MIT
#include "emit/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ; // NOLINT: the one of the C library

namespace twinir {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kept_errors = 4000;

/// A descriptor that closes itself.
class Fd {
public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  ~Fd() { reset(); }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

private:
  int fd_;
};

/// The descriptor, or a copy that is none of the standard three (which may be closed in this process).
int above_standard(int fd) {
  if (fd < 0 || fd > 2) return fd;
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  ::close(fd);
  return copy;
}

[[noreturn]] void fail_start(const std::string& program, int error) {
  throw ChildFailed("'" + program + "' did not start (" + std::strerror(error) + ")", {}, false);
}

/// Standard signal handling for the child, whatever this process does.
void set_signals(posix_spawnattr_t& attributes) {
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/// Starts a program with the three descriptors as its standard ones; the error number, or 0.
int spawn(pid_t& pid, const std::vector<std::string>& arguments, int in, int out, int errors) {
  std::vector<char*> argv;
  for (const auto& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  set_signals(attributes);
  const int error = ::posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// The end of a memory file.
std::string tail(int fd, std::size_t most) {
  const auto size = ::lseek(fd, 0, SEEK_END);
  if (size <= 0) return {};
  const auto n = std::min(most, static_cast<std::size_t>(size));
  std::string text(n, '\0');
  const auto got = ::pread(fd, text.data(), n, size - static_cast<off_t>(n));
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

/// Waits until the child ends or the deadline passes; true with its status when it ended.
bool wait_until(pid_t pid, int& status, Deadline deadline) {
  for (auto pause = std::chrono::microseconds(200);;
       pause = std::min(pause * 2, std::chrono::microseconds(20000))) {
    const auto ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
  }
}

int reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name == nullptr ? std::to_string(number) : std::string("SIG") + name;
}

} // namespace

std::string describe_status(int status) {
  if (WIFSIGNALED(status)) return "signal " + signal_name(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

std::string frame_head(std::size_t size) {
  if (size > longest_frame)
    throw std::length_error("a frame of " + std::to_string(size) + " bytes is too long");
  std::string head(4, '\0');
  for (unsigned i = 0; i < 4; ++i) head[i] = static_cast<char>((size >> (8 * i)) & 255);
  return head;
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_start(arguments[0], errno);
  Fd ours(above_standard(ends[0])), theirs(above_standard(ends[1])),
      kept(above_standard(::memfd_create("errors", MFD_CLOEXEC)));
  if (kept.get() < 0) fail_start(arguments[0], errno);
  if (const int error = spawn(pid_, arguments, theirs.get(), theirs.get(), kept.get()))
    fail_start(arguments[0], error);
  socket_ = ours.release();
  errors_ = kept.release();
}

ChildProcess::~ChildProcess() {
  stop();
  ::close(errors_);
}

void ChildProcess::stop() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (pid_ < 0) return;
  int status = 0;
  if (!wait_until(pid_, status, Clock::now() + std::chrono::milliseconds(500))) {
    ::kill(pid_, SIGKILL);
    reap(pid_);
  }
  pid_ = -1;
}

std::string ChildProcess::errors() const { return tail(errors_, kept_errors); }

void ChildProcess::fail_ended() {
  ::close(std::exchange(socket_, -1));
  int status = 0;
  if (!wait_until(pid_, status, Clock::now() + std::chrono::seconds(5))) {
    ::kill(pid_, SIGKILL);
    status = reap(pid_);
  }
  pid_ = -1;
  throw ChildFailed(describe_status(status), errors(), false);
}

void ChildProcess::fail_late() {
  ::kill(pid_, SIGKILL);
  reap(std::exchange(pid_, -1));
  throw ChildFailed("no answer in time", errors(), true);
}

void ChildProcess::wait_for(short events, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) fail_late();
    pollfd p{socket_, events, 0};
    const int n = ::poll(&p, 1, static_cast<int>(std::min<std::int64_t>(left, 1000000)));
    if (n > 0) return;
    if (n < 0 && errno != EINTR) fail_ended();
  }
}

void ChildProcess::send(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    wait_for(POLLOUT, deadline);
    const auto n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) fail_ended();
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string ChildProcess::receive(std::size_t size, Deadline deadline) {
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size;) {
    wait_for(POLLIN, deadline);
    const auto n = ::recv(socket_, bytes.data() + at, size - at, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) fail_ended();
    at += static_cast<std::size_t>(n);
  }
  return bytes;
}

void ChildProcess::send_frame(std::string_view bytes, Deadline deadline) {
  send(frame_head(bytes.size()), deadline);
  send(bytes, deadline);
}

std::string ChildProcess::receive_frame(Deadline deadline) {
  const auto head = receive(4, deadline);
  std::size_t size = 0;
  for (unsigned i = 0; i < 4; ++i) size |= std::size_t(static_cast<unsigned char>(head[i])) << (8 * i);
  if (size > longest_frame) {
    ::kill(pid_, SIGKILL); // it speaks nonsense
    fail_ended();
  }
  return receive(size, deadline);
}

Finished run_command(const std::vector<std::string>& arguments, std::chrono::milliseconds limit) {
  Fd in(above_standard(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  Fd out(above_standard(::memfd_create("out", MFD_CLOEXEC))),
      errors(above_standard(::memfd_create("errors", MFD_CLOEXEC)));
  pid_t pid = -1;
  if (const int error = spawn(pid, arguments, in.get(), out.get(), errors.get()))
    return {127, {}, std::strerror(error)};
  int status = 0;
  if (!wait_until(pid, status, Clock::now() + limit)) {
    ::kill(pid, SIGKILL);
    status = reap(pid);
  }
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return {code, tail(out.get(), longest_frame), tail(errors.get(), kept_errors)};
}

} // namespace twinir
