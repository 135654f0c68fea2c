// SPDX-License-Identifier: MIT
#include "instances/spec.hpp"

#include <algorithm>

namespace twinir {

void Refusals::require(bool ok, Code code, std::string found, std::string expected, std::string action) {
  if (!ok) list_.push_back({code, std::move(found), std::move(expected), std::move(action), {}});
}

void Refusals::attempt(const std::function<void()>& step) {
  try {
    step();
  } catch (const UserError& e) {
    list_.push_back(e.diagnostic());
  }
}

void Refusals::raise() const {
  if (!list_.empty()) throw UserError(list_.front());
}

Field& Field::one_of(std::initializer_list<int> values) {
  for (int v : values) choices.push_back(std::to_string(v));
  return *this;
}

std::string Field::text() const {
  const Json value = get();
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string Field::allowed() const {
  if (!words_.empty()) return words_;
  std::string out;
  for (const auto& c : choices) out += (out.empty() ? "" : ", ") + c;
  if (!out.empty()) return out;
  if (get().is_boolean()) return "true, false";
  out = std::to_string(low_) + " to " + std::to_string(high_);
  return step_ == 1 ? out : out + " in steps of " + std::to_string(step_);
}

void Field::check(const std::string& family, Refusals& out) const {
  if (!words_.empty()) return;
  const Json value = get();
  bool ok = choices.empty() || std::ranges::find(choices, text()) != choices.end();
  if (choices.empty() && value.is_number_integer()) {
    const int v = value.get<int>();
    ok = v >= low_ && v <= high_ && v % step_ == 0;
  }
  out.require(ok, Code::bad_field, name + " = " + text() + " in a spec of " + family, allowed(),
              "choose an allowed value");
}

void check_ranges(const Fields& fields, const std::string& family, Refusals& out) {
  for (const auto& f : fields.list()) f.check(family, out);
}

Field& Fields::add(std::string name, std::string doc) {
  auto& f = list_.emplace_back();
  f.name = std::move(name), f.doc = std::move(doc);
  return f;
}

void Fields::bad_value(const Field& field, const Json& value) {
  throw UserError({Code::bad_field,
                   field.name + " = " + value.dump().substr(0, 60),
                   field.allowed(),
                   "choose an allowed value",
                   {}});
}

Field& Fields::operator()(std::string name, int& member, std::string doc) {
  auto& f = add(std::move(name), std::move(doc));
  f.get = [&member] { return Json(member); };
  f.set = [&member, &f](const Json& j) {
    const bool fits = j.is_number_unsigned()
                          ? j.get<std::uint64_t>() <= 2147483647u
                          : j.is_number_integer() && j.get<std::int64_t>() >= -2147483648ll &&
                                j.get<std::int64_t>() <= 2147483647ll;
    if (!fits) bad_value(f, j);
    member = j.get<int>();
  };
  return f;
}

Field& Fields::operator()(std::string name, bool& member, std::string doc) {
  auto& f = add(std::move(name), std::move(doc));
  f.get = [&member] { return Json(member); };
  f.set = [&member, &f](const Json& j) {
    if (!j.is_boolean()) bad_value(f, j);
    member = j.get<bool>();
  };
  return f;
}

const std::vector<DType>& DType::all() {
  static const std::vector<DType> types{f16, bf16, f32};
  return types;
}

Json to_json(const Fields& fields) {
  Json out = Json::object();
  for (const auto& f : fields.list()) out[f.name] = f.get();
  return out;
}

void from_json(Fields& fields, const Json& spec, const std::string& family) {
  if (!spec.is_object())
    throw UserError({Code::bad_field,
                     "a spec " + spec.dump().substr(0, 60),
                     "a JSON object of fields",
                     "write {\"field\": value}",
                     {}});
  for (const auto& [key, value] : spec.items()) {
    const auto it = std::ranges::find(fields.list(), key, &Field::name);
    if (it == fields.list().end()) {
      std::string known;
      for (const auto& f : fields.list()) known += (known.empty() ? "" : ", ") + f.name;
      throw UserError({Code::unknown_field,
                       "field '" + key.substr(0, 60) + "' in a spec of " + family,
                       known,
                       "use one of these fields",
                       {}});
    }
    it->set(value);
  }
}

std::string kernel_name(const std::string& family, const Fields& fields) {
  std::string name = family;
  for (const auto& f : fields.list()) {
    auto text = f.get().is_boolean() ? std::string(f.get().get<bool>() ? "1" : "0") : f.text();
    std::ranges::replace_if(
        text, [](char c) { return c == '-' || c == '.'; }, '_');
    name += "_" + f.short_tag + text;
  }
  return name;
}

} // namespace twinir
