// SPDX-License-Identifier: MIT
// Runs kernels on the interpreter and on the host executor and compares every byte that they leave behind.
// usage: run_kernels [LEVEL [RIGHT WRONG]] < kernels    each kernel as JSON, ended by a NUL
//   LEVEL        of the executor's optimiser, 0 to 3; else 1
//   RIGHT WRONG  for mutation tests: the executor's text has WRONG in place of RIGHT
// Prints one line for each kernel that differs or is refused, then the counts; exit status 1 when there was any.
#include "dsl/error.hpp"
#include "dsl/interpreter.hpp"
#include "dsl/json.hpp"
#include "emit/llvm_plugin.hpp"
#include "emit/parallel.hpp"
#include "emit/plugins.hpp"
#include "runtime/host_executor.hpp"

#include <cstring>
#include <iostream>
#include <iterator>
#include <random>

namespace {
using namespace twinir;

constexpr std::size_t input_bytes = 8192, slot_bytes = 512;
constexpr std::uint32_t groups = 2;

using Bytes = std::vector<std::byte>;

/// Words of which a third are edges of some float or integer type. The text decides: a kernel alone has the same data.
class Data {
public:
  explicit Data(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    random_.seed(hash);
  }
  Bytes bytes(std::size_t size) {
    Bytes out((size + 3) / 4 * 4);
    for (std::size_t i = 0; i < out.size(); i += 4) {
      const auto w = word();
      std::memcpy(out.data() + i, &w, 4);
    }
    out.resize(size);
    return out;
  }

private:
  std::uint32_t word() {
    constexpr std::uint32_t edges[] = {0,          1,          0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                       0x7F800001, 0x477FF000, 0x33000001, 0x00800000, 0x7BFF0001, 0x7C003C00, 0x3F803F80, 0xFE007F81, 0x00010000};
    const auto kind = random_() % 3;
    if (kind == 0) return edges[random_() % std::size(edges)];
    const auto any = static_cast<std::uint32_t>(random_());
    return kind == 1 ? any : (any & 0x807FFFFF) | (0x3C000000 + (any >> 3 & 0x07800000));
  }
  std::mt19937_64 random_;
};

struct Run {
  std::vector<Bytes> memory; ///< one for every pointer, in the order of the parameters
  Bytes kernargs;
};

/// Random contents of all buffers and value arguments; the addresses are filled in later.
Run inputs(const KernelDef& def, const host::KernelInfo& info, std::string_view text) {
  Data data(text);
  Run run;
  run.kernargs.resize(info.kernarg_bytes);
  for (std::size_t i = 0; i < def.params.size(); ++i) {
    const auto& p = def.params[i];
    if (p.kind == ParamKind::value) {
      const auto value = data.bytes(info.arguments[i].size);
      std::memcpy(run.kernargs.data() + info.arguments[i].offset, value.data(), value.size());
    } else {
      run.memory.push_back(data.bytes(p.kind == ParamKind::in ? input_bytes : slot_bytes * static_cast<std::size_t>(def.items()) * groups));
    }
  }
  return run;
}

void set_address(Run& run, const host::KernelInfo& info, std::size_t argument, std::uint64_t address) {
  std::memcpy(run.kernargs.data() + info.arguments[argument].offset, &address, sizeof address);
}

std::vector<std::size_t> pointers(const KernelDef& def) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < def.params.size(); ++i)
    if (def.params[i].kind != ParamKind::value) out.push_back(i);
  return out;
}

std::vector<Bytes> interpreted(const KernelDef& def, const host::KernelInfo& info, Run run) {
  InterpreterMemory memory;
  std::vector<std::vector<std::max_align_t>> storage; // of enough alignment, with room to align more
  const auto at = pointers(def);
  std::vector<std::span<std::byte>> places;
  for (std::size_t i = 0; i < at.size(); ++i) {
    storage.emplace_back((run.memory[i].size() + 512) / sizeof(std::max_align_t));
    void* start = storage.back().data();
    std::size_t room = run.memory[i].size() + 511;
    const auto* aligned = std::align(256, run.memory[i].size(), start, room);
    places.emplace_back(static_cast<std::byte*>(const_cast<void*>(aligned)), run.memory[i].size());
    std::memcpy(places[i].data(), run.memory[i].data(), places[i].size());
    set_address(run, info, at[i], memory.add(def.params[at[i]].name, places[i]));
  }
  interpret(def, {{groups, 1, 1}, run.kernargs}, memory);
  std::vector<Bytes> out;
  for (const auto& p : places) out.emplace_back(p.begin(), p.end());
  return out;
}

std::vector<Bytes> executed(const KernelDef& def, const HostExecutor& executor, const host::Kernel& kernel, Run run) {
  const auto at = pointers(def);
  std::vector<host::Buffer> buffers;
  for (std::size_t i = 0; i < at.size(); ++i) {
    buffers.push_back(executor.alloc(run.memory[i].size(), def.params[at[i]].name, true));
    buffers[i].write(run.memory[i]);
    set_address(run, kernel.info(), at[i], reinterpret_cast<std::uint64_t>(buffers[i].data()));
  }
  host::LaunchOptions launch;
  launch.grid = {groups, 1, 1}, launch.threads = 1;
  for (std::size_t i = 0; i < 3; ++i) launch.block[i] = static_cast<std::uint32_t>(def.block[i]);
  kernel.run(run.kernargs, launch).require_clean();
  std::vector<Bytes> out;
  for (const auto& b : buffers) out.emplace_back(b.data(), b.data() + b.size());
  return out;
}

/// The first byte that differs, in words; empty when there is none.
std::string difference(const KernelDef& def, const std::vector<Bytes>& a, const std::vector<Bytes>& b) {
  const auto at = pointers(def);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j)
      if (a[i][j] != b[i][j]) {
        constexpr auto digits = "0123456789abcdef";
        const auto hex = [&](const Bytes& bytes) {
          std::string out;
          for (std::size_t k = j / 8 * 8 + 8; k-- > j / 8 * 8;) out += {digits[std::to_integer<int>(bytes[k]) >> 4], digits[std::to_integer<int>(bytes[k]) & 15]};
          return out;
        };
        return "byte " + std::to_string(j) + " of " + def.params[at[i]].name + " (item " + std::to_string(j / slot_bytes) + ", byte " +
               std::to_string(j % slot_bytes) + " of its slot): interpreter " + hex(a[i]) + ", executor " + hex(b[i]) + " in the 8 bytes around it";
      }
  return {};
}

struct Options {
  unsigned level = 1;
  std::string right, wrong;
};

std::string damaged(std::string ir, const Options& options) {
  for (std::size_t at = 0; !options.right.empty() && (at = ir.find(options.right, at)) != std::string::npos; at += options.wrong.size())
    ir.replace(at, options.right.size(), options.wrong);
  return ir;
}

std::string compare(const std::string& text, const LlvmPlugin& plugin, const HostExecutor& executor, const Options& options) try {
  const auto def = read_json(text);
  const auto kernel = executor.load(damaged(plugin.emit(text), options), {.checked = true, .opt_level = options.level});
  const auto run = inputs(def, kernel.info(), text);
  return difference(def, interpreted(def, kernel.info(), run), executed(def, executor, kernel, run));
} catch (const std::exception& e) {
  return e.what();
}

std::vector<std::string> split(const std::string& all) {
  std::vector<std::string> out;
  for (std::size_t at = 0, end; (end = all.find('\0', at)) != std::string::npos; at = end + 1) out.push_back(all.substr(at, end - at));
  return out;
}

} // namespace

int main(int argc, char** argv) try {
  Options options;
  if (argc > 1) options.level = static_cast<unsigned>(argv[1][0] - '0');
  if (argc > 3) options.right = argv[2], options.wrong = argv[3];
  const auto kernels = split({std::istreambuf_iterator<char>(std::cin), {}});
  const auto file = newest_here();
  const auto plugin = LlvmPlugin::open(file.path);
  const auto executor = HostExecutor::open(host::find_plugin(static_cast<unsigned>(file.major)));
  std::vector<std::string> wrong(kernels.size());
  for_each_index(kernels.size(), 0, [&](std::size_t i) { wrong[i] = compare(kernels[i], plugin, executor, options); });
  std::size_t count = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (!wrong[i].empty()) ++count, std::cout << "kernel " << i << ": " << wrong[i] << '\n';
  std::cout << kernels.size() << " kernels, " << count << " wrong\n";
  return count == 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 2;
}
