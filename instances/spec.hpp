// SPDX-License-Identifier: MIT
// Specs: one list of fields per family, from which JSON, names, help, checks and command-line arguments
// follow.
#pragma once
// A spec is a struct with defaults for every field and one member function:
//   void reflect(Fields& f) { f("block", block, "work-items of a group").tag("b").range(64,
//   1024).multiple_of(32); }
// Guarantees: a field is listed once; every field is in the kernel's name; unknown fields are refused by
// name.
#include "dsl/error.hpp"
#include "dsl/target.hpp"
#include "dsl/type.hpp"

#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace twinir {

using Json = nlohmann::ordered_json;

/// Everything that is wrong with a spec or problem, in the order found.
class Refusals {
public:
  /// Notes a refusal unless `ok`.
  void require(bool ok, Code code, std::string found, std::string expected, std::string action);
  /// Runs `step` and takes the UserError that it throws, if it does.
  void attempt(const std::function<void()>& step);
  [[nodiscard]] const std::vector<Diagnostic>& list() const { return list_; }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  /// Throws the first refusal, if there is one.
  void raise() const;

private:
  std::vector<Diagnostic> list_;
};

/// One field of a spec, bound to an object.
class Field {
public:
  std::string name, doc;
  std::string short_tag; ///< precedes the value in the kernel's name
  std::function<Json()> get;
  std::function<void(const Json&)> set; ///< throws UserError bad_field
  std::vector<std::string> choices;     ///< allowed values as text; empty: any in the range

  Field& tag(std::string text) { return short_tag = std::move(text), *this; }
  Field& range(int low, int high) { return low_ = low, high_ = high, *this; }
  Field& multiple_of(int step) { return step_ = step, *this; }
  Field& one_of(std::initializer_list<int> values);
  /// The family's own check decides; `allowed` says in words what it takes.
  Field& checked_by_family(std::string allowed) { return words_ = std::move(allowed), *this; }

  /// The value as it stands in names and tables.
  [[nodiscard]] std::string text() const;
  /// "64 to 1024 in steps of 32", "f2x2, f4x4".
  [[nodiscard]] std::string allowed() const;
  void check(const std::string& family, Refusals& out) const;

private:
  int low_ = 0, high_ = 0, step_ = 1;
  std::string words_;
};

/// A type with a closed set of named values: `static const std::vector<T>& all()` and `std::string name()
/// const`.
template <class T>
concept Choice = requires(const T& t) {
  { T::all() } -> std::convertible_to<const std::vector<T>&>;
  { t.name() } -> std::convertible_to<std::string>;
};

/// The list of fields of one spec object.
class Fields {
public:
  Field& operator()(std::string name, int& member, std::string doc);
  Field& operator()(std::string name, bool& member, std::string doc);
  template <Choice T> Field& operator()(std::string name, T& member, std::string doc) {
    auto& f = add(std::move(name), std::move(doc));
    for (const auto& t : T::all()) f.choices.push_back(t.name());
    f.get = [&member] { return Json(member.name()); };
    f.set = [&member, &f](const Json& j) {
      for (const auto& t : T::all())
        if (j.is_string() && j.get<std::string>() == t.name()) return void(member = t);
      bad_value(f, j);
    };
    return f;
  }
  [[nodiscard]] const std::deque<Field>& list() const& { return list_; }
  [[nodiscard]] std::deque<Field>& list() & { return list_; }
  const std::deque<Field>& list() && = delete; // would dangle in a range-for

private:
  Field& add(std::string name, std::string doc);
  [[noreturn]] static void bad_value(const Field& field, const Json& value);
  std::deque<Field> list_;
};

/// Element type of a tensor, as a field.
class DType {
public:
  constexpr DType(Type type = f16) : type_(type) {}
  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] Scalar scalar() const { return type_.scalar; }
  [[nodiscard]] int bytes() const { return static_cast<int>(type_.bytes()); }
  [[nodiscard]] std::string name() const { return to_string(type_); }
  [[nodiscard]] static const std::vector<DType>& all();
  friend bool operator==(const DType&, const DType&) = default;

private:
  Type type_;
};

/// Refuses values outside the ranges of the fields.
void check_ranges(const Fields& fields, const std::string& family, Refusals& out);

// What follows from the list of fields; `fields` belong to one spec object of `family`.
[[nodiscard]] Json to_json(const Fields& fields);
/// Sets the fields named in `spec`; UserError unknown_field or bad_field.
void from_json(Fields& fields, const Json& spec, const std::string& family);
/// "<family>_<tag><value>_..." over all fields.
[[nodiscard]] std::string kernel_name(const std::string& family, const Fields& fields);

} // namespace twinir
