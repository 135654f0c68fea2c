// SPDX-License-Identifier: MIT
// The host executor: loads IR text and runs it on memory that Python lends.
#include "dsl/constant.hpp"
#include "emit/plugins.hpp"
#include "instances/kernarg.hpp"
#include "python/bind/handles.hpp"
#include "runtime/host_executor.hpp"

#include <cstring>

namespace twinir::python {
namespace {

/// A pointer argument: Python's memory, and the guarded copy that the kernel sees.
struct Lent {
  py::buffer_info memory;
  host::Buffer copy;
  bool comes_back;
};

/// What the kernel only writes counts as unwritten, but keeps the bytes that it leaves alone.
Lent lend(const HostExecutor& executor, const Param& p, const py::buffer& object) {
  auto memory = object.request(p.kind != ParamKind::in);
  const auto bytes = static_cast<std::size_t>(memory.size * memory.itemsize);
  auto copy = executor.alloc(bytes, p.name, p.kind != ParamKind::out);
  if (bytes != 0) std::memcpy(copy.data(), memory.ptr, bytes);
  return {std::move(memory), std::move(copy), p.kind != ParamKind::in};
}

KernargValue number(const Param& p, py::handle value) {
  if (p.type.is_float()) return value.cast<double>();
  return value.cast<std::int64_t>();
}

py::dict describe(const host::Fault& f) {
  py::dict out;
  out["code"] = f.code;
  out["count"] = f.count;
  out["group"] = py::make_tuple(f.group[0], f.group[1], f.group[2]);
  out["item"] = f.item;
  out["wave"] = f.wave;
  out["lane"] = f.lane;
  out["ir"] = f.ir;
  out["found"] = f.found;
  out["expected"] = f.expected;
  out["action"] = f.action;
  return out;
}

py::dict describe(const host::LaunchReport& r) {
  py::dict out;
  out["work_items"] = r.work_items;
  out["ms"] = r.ms;
  out["checks"] = r.checks;
  py::list faults;
  for (const auto& f : r.faults) faults.append(describe(f));
  out["faults"] = faults;
  return out;
}

/// The executor of the newest LLVM that loads into this process, and that LLVM's flavor.
struct Executor {
  std::string flavor = newest_here().flavor;
  HostExecutor host = HostExecutor::open(host::find_plugin(static_cast<unsigned>(flavor_major(flavor))));
};

/// A kernel that was compiled for this machine.
struct Loaded {
  std::shared_ptr<const Executor> executor;
  std::shared_ptr<const KernelDef> def;
  host::Kernel kernel;
};

py::dict run(const Loaded& k, std::array<std::uint32_t, 3> grid, const py::dict& arguments, std::uint32_t threads, std::uint32_t lane_order) {
  std::vector<Lent> lent;
  Kernargs args;
  for (const auto& p : k.def->params) {
    const py::object value = arguments[p.name.c_str()];
    if (p.kind == ParamKind::value) {
      args[p.name] = number(p, value);
      continue;
    }
    lent.push_back(lend(k.executor->host, p, value.cast<py::buffer>()));
    args[p.name] = reinterpret_cast<std::uint64_t>(lent.back().copy.data());
  }
  const auto& b = k.def->block;
  const host::LaunchOptions options{grid, {static_cast<std::uint32_t>(b[0]), static_cast<std::uint32_t>(b[1]), static_cast<std::uint32_t>(b[2])}, threads, lane_order};
  const auto bytes = pack_kernargs(*k.def, args);
  const auto report = [&] {
    const py::gil_scoped_release release;
    return k.kernel.run(bytes, options);
  }();
  for (const auto& l : lent)
    if (l.comes_back && l.copy.size() != 0 && report.faults.empty()) std::memcpy(l.memory.ptr, l.copy.data(), l.copy.size());
  return describe(report);
}

} // namespace

void bind_executor(py::module_& m) {
  py::class_<Loaded, std::shared_ptr<Loaded>>(m, "LoadedKernel", "A kernel compiled for this machine.")
      .def("run", &run, py::arg("grid"), py::arg("arguments"), py::arg("threads"), py::arg("lane_order"));
  py::class_<Executor, std::shared_ptr<Executor>>(m, "HostExecutor", "Runs the IR text of a kernel on this machine.")
      .def(py::init<>())
      .def_readonly("flavor", &Executor::flavor)
      .def("load", [](const std::shared_ptr<Executor>& e, const std::shared_ptr<KernelDef>& def, const std::string& text, bool checked) {
        const py::gil_scoped_release release;
        return std::make_shared<Loaded>(Loaded{e, def, e->host.load(text, {checked, 2})});
      }, py::arg("definition"), py::arg("text"), py::arg("checked"));
}

} // namespace twinir::python
