// SPDX-License-Identifier: MIT
#include "runtime/host/json_text.hpp"

#include "runtime/host/llvm.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

using Writer = json::OStream;

void put(Writer& out, StringRef key, const std::string& value) { out.attribute(key, json::fixUTF8(value)); }

void put_extents(Writer& out, StringRef key, const std::uint32_t* extent) {
  out.attributeArray(key, [&] {
    for (int i = 0; i < 3; ++i) out.value(extent[i]);
  });
}

template <class Body> std::string object(Body&& body) {
  return printed([&](raw_ostream& stream) {
    Writer out(stream);
    out.object([&] { body(out); });
  });
}

void put_argument(Writer& out, const KernelArgument& argument) {
  out.object([&] {
    put(out, "name", argument.name);
    out.attribute("offset", argument.offset);
    out.attribute("size", argument.size);
    put(out, "type", argument.type);
  });
}

void put_times(Writer& out, const LoadTimes& times) {
  out.attributeObject("ms", [&] {
    out.attribute("parse", times.parse);
    out.attribute("lower", times.lower);
    out.attribute("optimise", times.optimise);
    out.attribute("codegen", times.codegen);
  });
}

void put_fault(Writer& out, const KernelImage& image, const FaultKey& key, const Fault& fault) {
  out.object([&] {
    put(out, "code", text(static_cast<ExecCode>(key.first)));
    out.attribute("count", fault.count);
    put_extents(out, "group", fault.group);
    out.attribute("item", fault.item);
    out.attribute("wave", fault.wave);
    out.attribute("lane", fault.lane);
    put(out, "ir", image.sites.text(key.second));
    put(out, "found", fault.found);
    put(out, "expected", fault.expected);
    put(out, "action", fault.action);
  });
}

} // namespace

std::string info_json(const KernelImage& image) {
  return object([&](Writer& out) {
    put(out, "kernel", image.name);
    out.attribute("wave", image.wave);
    put_extents(out, "block", image.shape.block);
    out.attribute("lds_bytes", image.lds_bytes);
    out.attribute("kernarg_bytes", image.kernarg_bytes);
    out.attributeArray("args", [&] {
      for (const KernelArgument& argument : image.arguments) put_argument(out, argument);
    });
    put_times(out, image.times);
  });
}

std::string report_json(const KernelImage& image, const LaunchResult& result) {
  return object([&](Writer& out) {
    out.attribute("work_items", result.counters.work_items);
    out.attribute("ms", result.ms);
    out.attribute("switches", result.counters.switches);
    out.attribute("collectives", result.counters.collectives);
    out.attribute("checks", result.counters.checks);
    out.attribute("clamped_buffer_accesses", result.counters.clamped);
    out.attributeArray("faults", [&] {
      for (const auto& [key, fault] : result.faults.all()) put_fault(out, image, key, fault);
    });
  });
}

std::string error_json(const Refusal& refusal) {
  return object([&](Writer& out) {
    put(out, "code", text(refusal.code));
    put(out, "found", refusal.found);
    put(out, "expected", refusal.expected);
    put(out, "action", refusal.action);
  });
}

} // namespace twinir::exec
