// SPDX-License-Identifier: MIT
// Reading and writing whole files, and what a file is called.
#pragma once
// Guarantees: a file that is written appears whole or not at all (temporary file beside it, then rename).
// Refuses with bad_file (TIR7002), naming the path and the system's reason.
#include <filesystem>
#include <string>
#include <string_view>

namespace twinir {

[[nodiscard]] std::string read_file(const std::filesystem::path& path);
/// Makes no folders. A device or pipe is written in place; a link stays a link.
void write_file(const std::filesystem::path& path, std::string_view bytes);
/// SHA-256 in lower-case hex.
[[nodiscard]] std::string sha256(std::string_view bytes);

} // namespace twinir
