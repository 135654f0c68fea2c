// SPDX-License-Identifier: MIT
#include "parity/git.hpp"

#include "dsl/error.hpp"
#include "emit/child_process.hpp"

namespace twinir {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find('\n', start), text.size());
    if (end > start) out.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return out;
}

} // namespace

Git::Git(const std::filesystem::path& folder) {
  std::error_code error;
  folder_ = std::filesystem::canonical(folder, error);
  if (error) folder_ = folder;
}

std::vector<std::string> Git::command(std::vector<std::string> arguments) const {
  std::vector<std::string> out{"git", "--no-optional-locks", "-C", folder_.string(),
                               "-c",  "core.quotePath=false"};
  out.insert(out.end(), arguments.begin(), arguments.end());
  return out;
}

std::optional<std::vector<std::string>> Git::changed_elsewhere() const {
  const auto run = run_command(command({"status", "--porcelain", "--", ":/", ":(exclude)."}));
  if (run.status != 0) return std::nullopt;
  return lines_of(run.out);
}

std::string Git::resolve(const std::string& revision) const {
  const auto run =
      run_command(command({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}));
  const auto lines = lines_of(run.out);
  if (run.status != 0 || lines.size() != 1)
    throw UserError({Code::bad_usage,
                     "revision '" + revision.substr(0, 60) + "' in " + folder_.string(),
                     "a commit of the git tree that holds the goldens",
                     "see git log",
                     {}});
  return lines.front();
}

std::vector<std::string> Git::files(const std::string& commit) const {
  return lines_of(run_command(command({"ls-tree", "-r", "--name-only", commit, "--", "."})).out);
}

std::string Git::show(const std::string& commit, const std::string& file) const {
  return run_command(command({"show", commit + ":./" + file})).out;
}

} // namespace twinir
