// SPDX-License-Identifier: MIT
// Kernel families and their registry.
#pragma once
// A family is one folder in instances/: a spec, `check` (refusals beyond single fields), `build`, the specs
// that the gate runs, the grid of specs to build ahead of time and, for a stage of a convolution, `launch`.
// Registering it is one line in families.def; listing, emitting, gating, golden recording, ahead-of-time
// building and the support matrix follow.
#include "dsl/builder.hpp"
#include "instances/conv/command.hpp"
#include "instances/launch.hpp"
#include "instances/spec.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace twinir {

/// One field for tables and help.
struct FieldInfo {
  std::string name, value, allowed, doc;
};

/// What the gate runs for one target.
struct GateSpecs {
  std::vector<Json> accepted; ///< compared by the gate
  std::vector<Json> refused;  ///< expected to be refused
};

/// A kernel with the extents of one problem as constants; its launch passes pointers only.
struct Baked {
  KernelDef kernel;
  Launch launch;
};

/// A family with its spec type forgotten; specs are JSON objects, absent fields have their defaults. A stage
/// of a convolution also takes "for": a problem as conv::parse_command reads it; the kernel is then baked for
/// that problem, or with "batch_split" for the first of so many parts of its batch.
struct Family {
  std::string name, summary;
  std::function<std::vector<FieldInfo>()> fields;
  std::function<Json(const Json& spec)> complete; ///< with every field; UserError for bad fields
  std::function<std::string(const Json& spec)> kernel_name;
  std::function<Refusals(const Json& spec, const Target&)> validate; ///< empty: build will succeed
  std::function<KernelDef(const Json& spec, const Target&)> build;   ///< throws the first refusal
  std::function<GateSpecs(const Target&)> gate;
  std::function<std::vector<Json>(const Target&)>
      aot_grid; ///< specs to build ahead of time; all are accepted
  /// Grid, block and arguments for a problem; empty for families that are no stage of a convolution.
  std::function<Launch(const Json& spec, const conv::ConvProblem&)> launch;
  /// The same kernel with a problem's extents as constants, for compilation just in time; empty where launch
  /// is.
  std::function<Baked(const Json& spec, const Target&, const conv::ConvProblem&)> bake;
};

/// What a spec type gives to its family.
template <class Spec> struct FamilyParts {
  std::string name, summary;
  std::function<void(const Spec&, const Target&, Refusals&)> check;
  std::function<KernelDef(const Spec&, const Target&, const KernelIdentity&)> build;
  std::function<GateSpecs(const Target&)> gate;
  std::function<std::vector<Json>(const Target&)> aot_grid{}; ///< absent: what the gate accepts
  /// `layout`: an object of choices that stages of one pipeline share, {} for the usual ones.
  std::function<Launch(const Spec&, const conv::ConvProblem&, const Json& layout)> launch{};
};

/// A spec, and what it is baked for.
struct SpecFor {
  Json spec;
  std::optional<conv::ConvProblem> problem; ///< the whole batch
  std::int64_t parts = 1;                   ///< of the batch; the kernel is that of the first
  Json layout = Json::object();

  [[nodiscard]] conv::ConvProblem part() const;
  /// The kernel's name: `name` where it is not baked.
  [[nodiscard]] std::string name(const std::string& name) const;
};
/// Takes "for", "batch_split" and "layout" out of a spec; throws what conv::parse_command throws, bad_field
/// when "for" is no text or "layout" no object, and bad_split.
[[nodiscard]] SpecFor split_problem(const Json& spec);
/// A kernel's arguments as constants.
[[nodiscard]] KernelIdentity baked_identity(const std::string& name, const Kernargs& args);

/// The fields of a spec object; the object must outlive the list.
template <class Spec> [[nodiscard]] Fields fields_of(Spec& spec) {
  Fields f;
  spec.reflect(f);
  return f;
}

template <class Spec> [[nodiscard]] Spec parse_spec(const Json& json, const std::string& family) {
  Spec spec;
  auto f = fields_of(spec);
  from_json(f, json, family);
  return spec;
}

template <class Spec> [[nodiscard]] Json spec_json(Spec spec) { return to_json(fields_of(spec)); }

template <class Spec> [[nodiscard]] std::string spec_name(const std::string& family, Spec spec) {
  return kernel_name(family, fields_of(spec));
}

/// Field ranges first, then the family's own check where the fields alone are sound.
template <class Spec>
[[nodiscard]] Refusals validate_spec(const FamilyParts<Spec>& parts, Spec spec, const Target& target) {
  Refusals out;
  const auto fields = fields_of(spec);
  check_ranges(fields, parts.name, out);
  if (out.empty() && parts.check) parts.check(spec, target, out);
  return out;
}

template <class Spec> [[nodiscard]] Family make_family(FamilyParts<Spec> p) {
  Family f{p.name, p.summary, {}, {}, {}, {}, {}, p.gate, p.aot_grid, {}, {}};
  if (!f.aot_grid) f.aot_grid = [gate = p.gate](const Target& t) { return gate(t).accepted; };
  const bool stage = bool(p.launch);
  const auto split = [stage](const Json& j) { return stage ? split_problem(j) : SpecFor{j, {}}; };
  f.fields = [] {
    Spec spec;
    std::vector<FieldInfo> out;
    const auto fields = fields_of(spec);
    for (const auto& field : fields.list())
      out.push_back({field.name, field.text(), field.allowed(), field.doc});
    return out;
  };
  f.complete = [p, split](const Json& j) {
    const auto parts = split(j);
    auto out = spec_json(parse_spec<Spec>(parts.spec, p.name));
    if (parts.problem) out["for"] = conv::command_text(*parts.problem);
    if (parts.parts != 1) out["batch_split"] = parts.parts;
    if (!parts.layout.empty()) out["layout"] = parts.layout;
    return out;
  };
  f.kernel_name = [p, split](const Json& j) {
    const auto parts = split(j);
    return parts.name(spec_name(p.name, parse_spec<Spec>(parts.spec, p.name)));
  };
  f.validate = [p, split](const Json& j, const Target& t) {
    const auto parts = split(j);
    const auto spec = parse_spec<Spec>(parts.spec, p.name);
    auto out = validate_spec(p, spec, t);
    if (parts.problem && out.empty()) out.attempt([&] { (void)p.launch(spec, parts.part(), parts.layout); });
    return out;
  };
  if (stage) {
    f.launch = [p](const Json& j, const conv::ConvProblem& problem) {
      const auto parts = split_problem(j);
      return p.launch(parse_spec<Spec>(parts.spec, p.name), problem, parts.layout);
    };
    f.bake = [p](const Json& j, const Target& t, const conv::ConvProblem& problem) {
      auto parts = split_problem(j);
      const auto spec = parse_spec<Spec>(parts.spec, p.name);
      validate_spec(p, spec, t).raise();
      parts.problem = problem, parts.parts = 1;
      auto launch = p.launch(spec, problem, parts.layout);
      auto kernel = p.build(spec, t, baked_identity(parts.name(spec_name(p.name, spec)), launch.args));
      launch.args.clear();
      return Baked{std::move(kernel), std::move(launch)};
    };
  }
  f.build = [p, split, bake = f.bake](const Json& j, const Target& t) {
    const auto parts = split(j);
    if (parts.problem) return bake(j, t, parts.part()).kernel;
    const auto spec = parse_spec<Spec>(parts.spec, p.name);
    validate_spec(p, spec, t).raise();
    return p.build(spec, t, spec_name(p.name, spec));
  };
  return f;
}

/// Every registered family, sorted by name.
[[nodiscard]] const std::vector<Family>& all_families();
/// Throws UserError unknown_family with the known names.
[[nodiscard]] const Family& find_family(const std::string& name);

} // namespace twinir
