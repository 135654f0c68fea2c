// SPDX-License-Identifier: MIT
#include "emit/files.hpp"

#include "dsl/error.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>
#include <utility>

namespace twinir {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, int error, const char* expected) {
  throw UserError({Code::bad_file,
                   "'" + path.string() + "' (" + std::strerror(error) + ")",
                   expected,
                   "correct the path, or its permissions",
                   {}});
}

/// An open file that closes itself.
class File {
public:
  File(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

private:
  int fd_;
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void write_in_place(const fs::path& path, std::string_view bytes) {
  File file(path, O_WRONLY);
  if (file.fd() < 0 || !write_all(file.fd(), bytes)) refuse(path, errno, "a file that can be written");
}

/// A name beside `path` that no other thread or process uses.
fs::path temporary_beside(const fs::path& path) {
  static std::atomic<unsigned> count{0};
  auto name = "." + path.filename().string().substr(0, 100) + "." + std::to_string(::getpid()) + "." +
              std::to_string(count++) + ".tmp";
  return path.parent_path() / name;
}

} // namespace

std::string read_file(const fs::path& path) {
  constexpr const char* expected = "a file that can be read";
  File file(path, O_RDONLY);
  if (file.fd() < 0) refuse(path, errno, expected);
  std::string bytes;
  std::array<char, 1 << 16> part;
  for (;;) {
    const auto n = ::read(file.fd(), part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(path, errno, expected);
    if (n == 0) return bytes;
    bytes.append(part.data(), static_cast<std::size_t>(n));
  }
}

void write_file(const fs::path& path, std::string_view bytes) {
  constexpr const char* expected = "a file that can be written";
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status)) refuse(path, EISDIR, expected);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_in_place(path, bytes);
  error.clear();
  const auto final = fs::exists(status) ? fs::canonical(path, error) : path;
  if (error || path.filename().empty()) refuse(path, error ? error.value() : ENOENT, expected);
  const auto temporary = temporary_beside(final);
  File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
  if (file.fd() < 0) refuse(path, errno, expected);
  if (!write_all(file.fd(), bytes) || !file.close() || ::rename(temporary.c_str(), final.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    refuse(path, reason, expected);
  }
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw InternalError("SHA-256 is not available");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (unsigned i = 0; i < size; ++i) out.append({digits[digest[i] >> 4], digits[digest[i] & 15]});
  return out;
}

} // namespace twinir
