// SPDX-License-Identifier: MIT
#include "runtime/verify/launch.hpp"

#include "dsl/constant.hpp"
#include "dsl/interpret_float.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace twinir {
namespace {

std::uint64_t bits_at(const host::Buffer& memory, Scalar type, std::size_t i) {
  std::uint64_t bits = 0; // little-endian
  std::memcpy(&bits, memory.data() + i * byte_size(type), byte_size(type));
  return bits;
}

} // namespace

std::vector<double> VerifyLaunch::input(const std::string& name, Scalar type,
                                        const std::vector<double>& values) {
  const auto size = byte_size(type);
  std::vector<std::byte> bytes(values.size() * size);
  std::vector<double> rounded;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = float_bits(type, values[i]);
    std::memcpy(&bytes[i * size], &bits, size);
    rounded.push_back(interp::to_double(type, bits));
  }
  output(name, type, values.size());
  buffers_.at(name).memory.write(bytes);
  return rounded;
}

void VerifyLaunch::input(const std::string& name, const std::vector<std::int32_t>& values, Scalar type) {
  const auto size = byte_size(type);
  std::vector<std::byte> bytes(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(&bytes[i * size], &values[i], size); // little-endian
  output(name, type, values.size());
  buffers_.at(name).memory.write(bytes);
}

void VerifyLaunch::output(const std::string& name, Scalar type, std::size_t count) {
  buffers_.insert_or_assign(name,
                            Elements{subject_.executor.alloc(count * byte_size(type), name, false), type});
}

void VerifyLaunch::run(Kernargs args, std::array<std::uint32_t, 3> grid) const {
  for (const auto& [name, buffer] : buffers_)
    args[name] = std::uint64_t{reinterpret_cast<std::uintptr_t>(buffer.memory.data())};
  host::LaunchOptions options;
  options.grid = grid;
  for (std::size_t i = 0; i < 3; ++i) options.block[i] = static_cast<std::uint32_t>(subject_.kernel.block[i]);
  subject_.loaded.run(pack_kernargs(subject_.kernel, args), options).require_clean();
}

std::vector<double> VerifyLaunch::read(const std::string& name) const {
  const auto& [memory, type] = buffers_.at(name);
  std::vector<double> out(memory.size() / byte_size(type));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = interp::to_double(type, bits_at(memory, type, i));
  return out;
}

std::vector<std::int32_t> VerifyLaunch::read_integers(const std::string& name) const {
  const auto& [memory, type] = buffers_.at(name);
  std::vector<std::int32_t> out(memory.size() / byte_size(type));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::int32_t>(bits_at(memory, type, i));
  return out;
}

bool VerifyLaunch::is_poison(const std::string& name, std::size_t i) const {
  const auto& [memory, type] = buffers_.at(name);
  return bits_at(memory, type, i) == truncated(type, ~std::uint64_t{0});
}

std::vector<double> small_values(std::size_t n, double step) {
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<double>(static_cast<int>(i * 7 % 19) - 9) * step;
  return out;
}

double rounding_error(Scalar type) {
  return std::ldexp(1.0, -1 - static_cast<int>(interp::mantissa_bits(type)));
}

double worse(double error, double value, double reference, double scale) {
  const double difference = std::abs(value - reference);
  const double relative = difference == 0 ? 0 : difference / scale;
  return std::isnan(relative) ? std::numeric_limits<double>::infinity() : std::max(error, relative);
}

Scalar type_in(const Json& spec, const char* field) {
  const auto type = parse_type(spec.at(field).get<std::string>());
  if (!type) throw InternalError(std::string("a spec whose ") + field + " is no type");
  return type->scalar;
}

} // namespace twinir
