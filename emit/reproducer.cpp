// SPDX-License-Identifier: MIT
#include "emit/reproducer.hpp"

#include "dsl/error.hpp"
#include "emit/environment.hpp"
#include "emit/files.hpp"

namespace twinir {

std::string save_reproducer(const std::string& flavor, const std::string& target, std::string_view text,
                            const std::string& extension) {
  try {
    const auto folder = reproducer_folder();
    std::filesystem::create_directories(folder);
    const auto path = folder / (flavor + "-" + (target.empty() ? "any" : target) + "-" +
                                sha256(text).substr(0, 16) + "." + extension);
    write_file(path, text);
    return path.string();
  } catch (const UserError& e) {
    return "(not saved: " + e.diagnostic().found + ")";
  } catch (const std::filesystem::filesystem_error& e) {
    return "(not saved: '" + e.path1().string() + "' " + e.code().message() + ")";
  }
}

} // namespace twinir
