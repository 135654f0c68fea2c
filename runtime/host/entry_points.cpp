// SPDX-License-Identifier: MIT
// The functions that generated code calls: thin, C linkage, no exception leaves them.
#include "runtime/host/entry_points.hpp"

#include <cmath>
#include <cstring>

#include "runtime/host/poison.hpp"
#include "runtime/host/small_float.hpp"
#include "runtime/host/worker.hpp"

namespace twinir::exec {
namespace {

void collective(LaneContext* lane, std::uint32_t operation, std::uint32_t site, const void* input,
                void* output) {
  lane->worker->collective(*lane, static_cast<WaveOp>(operation), site, input, output);
}

void barrier(LaneContext* lane, std::uint32_t site) { lane->worker->barrier(*lane, site); }
void signal(LaneContext* lane, std::uint32_t site) { lane->worker->signal(*lane, site); }
void wait(LaneContext* lane, std::uint32_t site) { lane->worker->wait(*lane, site); }

void async_copy(LaneContext* lane, const void* source, void* target, std::uint32_t bytes,
                std::uint32_t site) {
  lane->worker->async_copy(*lane, AsyncCopy{source, target, bytes, site});
}

const void* resource(LaneContext* lane, std::uint64_t base, std::uint64_t records) {
  return lane->worker->resources.get(base, records);
}

void* buffer(LaneContext* lane, const void* rsrc, std::uint32_t first, std::uint32_t second,
             std::uint32_t bytes, std::uint32_t kind, std::uint32_t site) {
  return lane->worker->buffer_address(*lane, static_cast<const Resource*>(rsrc),
                                      std::uint64_t{first} + std::uint64_t{second}, bytes,
                                      static_cast<Access>(kind), site);
}

// access: kind | log2(alignment) << 8
void* check_global(LaneContext* lane, void* address, std::uint64_t bytes, std::uint32_t access,
                   std::uint32_t site) {
  return lane->worker->check_global(*lane, address, bytes, 1u << (access >> 8),
                                    static_cast<Access>(access & 255), site);
}

void* check_lds(LaneContext* lane, void* address, std::uint64_t bytes, std::uint32_t access,
                std::uint32_t site) {
  return lane->worker->check_lds(*lane, address, bytes, 1u << (access >> 8),
                                 static_cast<Access>(access & 255), site);
}

void poison(LaneContext* lane, std::uint32_t bad, std::uint32_t kind, std::uint64_t a, std::uint64_t b,
            std::uint32_t site) {
  if (bad != 0) report_poison(*lane, kind, a, b, site);
}

void trap(LaneContext* lane, std::uint32_t site) { lane->worker->report_trap(*lane, site); }

template <class Function> void* address_of(Function* function) { return reinterpret_cast<void*>(function); }

std::vector<EntryPoint> make_table() {
  return {
      {"twinir.collective", address_of(collective)},
      {"twinir.barrier", address_of(barrier)},
      {"twinir.signal", address_of(signal)},
      {"twinir.wait", address_of(wait)},
      {"twinir.async_copy", address_of(async_copy)},
      {"twinir.resource", address_of(resource)},
      {"twinir.buffer", address_of(buffer)},
      {"twinir.check_global", address_of(check_global)},
      {"twinir.check_lds", address_of(check_lds)},
      {"twinir.trap", address_of(trap)},
      {"twinir.poison", address_of(poison)},
      {"twinir.fp8_to_f32", address_of(fp8_to_f32)},
      {"twinir.bf8_to_f32", address_of(bf8_to_f32)},
      {"twinir.f32_to_fp8", address_of(f32_to_fp8)},
      {"twinir.f32_to_bf8", address_of(f32_to_bf8)},
      {"twinir.frexp_mant", address_of(frexp_mant)},
      {"twinir.frexp_exp", address_of(frexp_exp)},
      {"memcpy", address_of(std::memcpy)},
      {"memmove", address_of(std::memmove)},
      {"memset", address_of(std::memset)},
      {"ceil", address_of<double(double)>(std::ceil)},
      {"exp", address_of<double(double)>(std::exp)},
      {"exp10", address_of<double(double)>(::exp10)},
      {"exp2", address_of<double(double)>(std::exp2)},
      {"floor", address_of<double(double)>(std::floor)},
      {"fma", address_of<double(double, double, double)>(std::fma)},
      {"fmaf", address_of<float(float, float, float)>(::fmaf)},
      {"fmod", address_of<double(double, double)>(std::fmod)},
      {"fmodf", address_of<float(float, float)>(::fmodf)},
      {"ldexp", address_of<double(double, int)>(std::ldexp)},
      {"ldexpf", address_of<float(float, int)>(::ldexpf)},
      {"frexp", address_of<double(double, int*)>(std::frexp)},
      {"frexpf", address_of<float(float, int*)>(::frexpf)},
      {"log", address_of<double(double)>(std::log)},
      {"log10", address_of<double(double)>(std::log10)},
      {"log2", address_of<double(double)>(std::log2)},
      {"pow", address_of<double(double, double)>(std::pow)},
      {"round", address_of<double(double)>(std::round)},
      {"roundf", address_of<float(float)>(::roundf)},
      {"sin", address_of<double(double)>(std::sin)},
      {"cos", address_of<double(double)>(std::cos)},
      {"tan", address_of<double(double)>(std::tan)},
      {"__truncsfhf2", address_of(truncate_f32_to_f16)},
      {"__truncdfhf2", address_of(truncate_f64_to_f16)},
      {"__truncsfbf2", address_of(truncate_f32_to_bf16)},
      {"__truncdfbf2", address_of(truncate_f64_to_bf16)},
  };
}

} // namespace

const std::vector<EntryPoint>& entry_points() {
  static const std::vector<EntryPoint> table = make_table();
  return table;
}

} // namespace twinir::exec
