// SPDX-License-Identifier: MIT
#include "emit/cpp/link.hpp"

#include "dsl/error.hpp"
#include "emit/cpp/llvm_target.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <unistd.h>
#ifdef TWINIR_HAS_LLD
#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>
LLD_HAS_DRIVER(elf)
#endif

namespace twinir {
namespace {

[[noreturn]] void refuse(std::string found, std::string expected, std::string action) {
  throw UserError({Code::link_failed, std::move(found), std::move(expected), std::move(action), {}});
}

/// A private folder that is gone when the link is over, whatever happened.
class Folder {
public:
  Folder() {
    auto pattern = root() + "/twinir-" + std::to_string(getpid()) + "-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr)
      refuse("no place for temporary files in " + root(), "a writable folder", "set TMPDIR");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }
  /// Takes the folder's name out of a message.
  [[nodiscard]] std::string without_path(std::string text) const {
    for (auto at = text.find(path_ + "/"); at != std::string::npos; at = text.find(path_ + "/")) text.erase(at, path_.size() + 1);
    return text;
  }

private:
  static std::string root() {
    if (access("/dev/shm", W_OK | X_OK) == 0) return "/dev/shm";
    const char* chosen = std::getenv("TMPDIR");
    return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  }
  std::string path_;
};

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) refuse("a temporary file that cannot be written", "room for " + std::to_string(bytes.size()) + " bytes", "free some memory or disk");
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse("no output from lld", "a code object", "report this with the kernel JSON");
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

#ifdef TWINIR_HAS_LLD
bool can_link() { return true; }

namespace {
/// lld keeps its state in globals: one link at a time, and none after one that could not clean up.
void run_lld(const std::string& input, const std::string& output, const Folder& folder) {
  static std::mutex mutex;
  static bool usable = true;
  const std::scoped_lock lock(mutex);
  if (!usable) refuse("lld in a state it cannot be used in", "a new process", "start the program again");
  const char* arguments[] = {"ld.lld", "-shared", "--no-undefined", "--threads=1", "-o", output.c_str(), input.c_str()};
  std::string said;
  llvm::raw_string_ostream stream(said);
  const auto result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode != 0)
    refuse("lld says: " + folder.without_path(stream.str()), "an object without undefined symbols",
           "name only intrinsics that this LLVM has");
}
} // namespace

std::string link_object(std::string_view object) {
  const Folder folder;
  const auto input = folder.file("kernel.o"), output = folder.file("kernel.hsaco");
  write_file(input, object);
  run_lld(input, output, folder);
  return read_file(output);
}
#else
bool can_link() { return false; }

std::string link_object(std::string_view) {
  refuse("the plugin of " + flavor_name() + ", built without lld", "lld's libraries at build time",
         "install liblld-dev of that LLVM and build again, or ask for another output");
}
#endif

} // namespace twinir
