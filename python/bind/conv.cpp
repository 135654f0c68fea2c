// SPDX-License-Identifier: MIT
// A whole convolution: plan it, and run the plan on the host executor. Activations N H W C, filters K Y X C.
#include "emit/plugins.hpp"
#include "instances/family.hpp"
#include "dsl/json.hpp"
#include "python/bind/handles.hpp"
#include "runtime/accuracy.hpp"
#include "runtime/conv_run.hpp"

#include <cstring>

namespace twinir::python {
namespace {

template <Choice T> T choice(const char* what, const std::string& name) {
  std::string known;
  for (const auto& c : T::all()) {
    if (c.name() == name) return c;
    known += (known.empty() ? "" : ", ") + c.name();
  }
  throw UserError({Code::bad_field, std::string(what) + " '" + name + "'", "one of " + known, "choose one of these", {}});
}

struct Choices {
  std::string tile, arch, m, v_layout, prescale;
  std::optional<std::int64_t> workspace_limit, batch_split;
};

Plan plan(const std::string& command, const Choices& c) {
  WinogradOptions options;
  options.layout = {choice<winograd::VLayout>("V layout", c.v_layout), choice<DType>("element type of M", c.m)};
  if (!c.prescale.empty()) options.prescale = choice<winograd::Prescale>("prescale", c.prescale);
  if (c.workspace_limit) options.workspace_limit = *c.workspace_limit;
  options.batch_split = c.batch_split;
  return plan_winograd(conv::parse_command(command).problem, choice<winograd::Tile>("tile", c.tile), find_target(c.arch), options);
}

std::string describe(const Plan& p) {
  Json steps = Json::array(), buffers = Json::array();
  for (const auto& s : p.steps)
    steps.push_back({{"step", s.id}, {"what", s.what}, {"family", s.family}, {"spec", s.spec}, {"kernel", s.kernel_name}, {"grid", s.launch.grid}, {"block", s.launch.block}});
  for (const auto& b : p.buffers) buffers.push_back({{"name", b.name}, {"bytes", b.bytes}});
  return Json{{"problem", p.problem.text()}, {"engine", p.engine}, {"target", p.target}, {"parts", p.parts}, {"workspace_bytes", p.workspace_bytes()},
              {"buffers", buffers}, {"steps", steps}}.dump();
}

std::vector<std::uint16_t> elements(const py::buffer& object) {
  const auto memory = object.request();
  std::vector<std::uint16_t> out(static_cast<std::size_t>(memory.size * memory.itemsize) / 2);
  if (!out.empty()) std::memcpy(out.data(), memory.ptr, out.size() * 2);
  return out;
}

/// The output N Ho Wo K as bytes.
py::bytes run(const Plan& p, const py::buffer& x, const py::buffer& f, bool checked, std::uint32_t threads) {
  const ConvData data{elements(x), elements(f)};
  const auto y = [&] {
    const py::gil_scoped_release release;
    const auto flavor = newest_here().flavor;
    const auto executor = HostExecutor::open(host::find_plugin(static_cast<unsigned>(flavor_major(flavor))));
    const auto& llvm = plugin_of(flavor);
    const auto code = [&](const PlanStep& s, const std::string& target) {
      auto kernel = find_family(s.family).build(s.spec, find_target(target));
      auto text = llvm.emit(write_json(kernel));
      return StepCode{std::move(kernel), std::move(text)};
    };
    return ConvRunner(executor, code, {checked, threads, 0, {}}).run(p, data).y;
  }();
  return {reinterpret_cast<const char*>(y.data()), y.size() * 2};
}

std::pair<double, double> goal(const Plan& p, const std::string& tile, const std::string& m) {
  const auto g = accuracy_goal(p.problem, choice<winograd::Tile>("tile", tile), p.problem.dtype, choice<DType>("element type of M", m));
  return {g.max_relative, g.l2_relative};
}

} // namespace

void bind_conv(py::module_& m) {
  py::class_<Plan, std::shared_ptr<Plan>>(m, "Plan", "The steps of one convolution.")
      .def(py::init([](const std::string& command, std::string tile, std::string arch, std::string mt, std::string layout, std::string prescale,
                       std::optional<std::int64_t> limit, std::optional<std::int64_t> split) {
        return std::make_shared<Plan>(plan(command, {std::move(tile), std::move(arch), std::move(mt), std::move(layout), std::move(prescale), limit, split}));
      }), py::arg("command"), py::arg("tile"), py::arg("arch"), py::arg("m"), py::arg("v_layout"), py::arg("prescale"), py::arg("workspace_limit"), py::arg("batch_split"))
      .def_property_readonly("json", &describe)
      .def_property_readonly("out_extents", [](const Plan& p) { return py::make_tuple(p.problem.n, p.problem.out_h(), p.problem.out_w(), p.problem.k); })
      .def("goal", &goal, py::arg("tile"), py::arg("m"))
      .def("run", &run, py::arg("x"), py::arg("f"), py::arg("checked"), py::arg("threads"));
}

} // namespace twinir::python
