// SPDX-License-Identifier: MIT
// Kernel families by reflection: fields, checks, kernels, launches. Specs and answers are JSON texts here.
#include "instances/family.hpp"
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

Json parse(const std::string& text) { return Json::parse(text); }

std::string fields(const std::string& family) {
  const auto& f = find_family(family);
  const auto defaults = f.complete(Json::object());
  Json out = Json::array();
  for (const auto& i : f.fields())
    out.push_back({{"name", i.name}, {"default", defaults.at(i.name)}, {"allowed", i.allowed}, {"doc", i.doc}});
  return out.dump();
}

std::string launch(const std::string& family, const std::string& spec, const std::string& command) {
  const auto& f = find_family(family);
  if (!f.launch)
    throw UserError({Code::unsupported_mode, "a launch of '" + family + "' for a convolution", "a family that is a stage of one", "give grid and arguments yourself", {}});
  const auto l = f.launch(parse(spec), conv::parse_command(command).problem);
  Json args = Json::object();
  for (const auto& [name, value] : l.args) std::visit([&, n = name](auto v) { args[n] = v; }, value);
  return Json{{"grid", l.grid}, {"block", l.block}, {"arguments", args}}.dump();
}

py::list refusals(const std::string& family, const std::string& spec, const std::string& arch) {
  py::list out;
  const auto found = find_family(family).validate(parse(spec), find_target(arch));
  for (const auto& d : found.list())
    out.append(py::make_tuple(to_string(d.code), d.found, d.expected, d.action));
  return out;
}

} // namespace

void bind_families(py::module_& m) {
  m.def("family_names", [] {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& f : all_families()) out.emplace_back(f.name, f.summary);
    return out;
  });
  m.def("family_fields", &fields, py::arg("family"));
  m.def("family_complete", [](const std::string& f, const std::string& spec) { return find_family(f).complete(parse(spec)).dump(); }, py::arg("family"), py::arg("spec"));
  m.def("family_kernel_name", [](const std::string& f, const std::string& spec) { return find_family(f).kernel_name(parse(spec)); }, py::arg("family"), py::arg("spec"));
  m.def("family_refusals", &refusals, py::arg("family"), py::arg("spec"), py::arg("arch"));
  m.def("family_build", [](const std::string& f, const std::string& spec, const std::string& arch) {
    const py::gil_scoped_release release;
    return std::make_shared<KernelDef>(find_family(f).build(parse(spec), find_target(arch)));
  }, py::arg("family"), py::arg("spec"), py::arg("arch"));
  m.def("family_launch", &launch, py::arg("family"), py::arg("spec"), py::arg("command"));
  m.def("family_gate", [](const std::string& f, const std::string& arch) {
    std::vector<std::string> out;
    for (const auto& spec : find_family(f).gate(find_target(arch)).accepted) out.push_back(spec.dump());
    return out;
  }, py::arg("family"), py::arg("arch"));
}

} // namespace twinir::python
