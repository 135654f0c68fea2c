// SPDX-License-Identifier: MIT
#include "dsl/pretty.hpp"

#include "dsl/constant.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <map>

namespace twinir {
namespace {

/// Addresses by the name of the gep; only those whose every use is a load or store.
using Addresses = std::map<std::string, std::string>;

std::string joined(const std::vector<std::string>& parts, const char* between = ", ") {
  std::string out;
  for (const auto& p : parts) out += (out.empty() ? "" : between) + p;
  return out;
}

/// The value of a half that is no NaN: exact.
double half_value(std::uint64_t bits) {
  const auto exponent = static_cast<int>((bits >> 10) & 31);
  const auto mantissa = static_cast<int>(bits & 1023);
  double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 31) value = HUGE_VAL;
  return (bits >> 15) & 1 ? -value : value;
}

template <class T> std::string shortest(T value) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  std::string out(text.data(), end);
  const bool whole = out.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? out + ".0" : out;
}

/// A NaN with its bits, which no number tells.
std::string nan(std::uint64_t bits) {
  std::array<char, 16> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), bits, 16).ptr;
  return "nan(" + std::string(text.data(), end) + ")";
}

std::string number(Scalar s, std::uint64_t bits) {
  if (is_nan(s, bits)) return nan(bits);
  switch (s) {
  case Scalar::i1: return bits != 0 ? "true" : "false";
  case Scalar::f16: return shortest(static_cast<float>(half_value(bits)));
  case Scalar::bf16: return shortest(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
  case Scalar::f32: return shortest(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  case Scalar::f64: return shortest(std::bit_cast<double>(bits));
  default:
    return is_int(s) ? std::to_string(signed_value(s, bits)) : (bits == 0 ? "null" : std::to_string(bits));
  }
}

std::vector<std::string> words(const std::vector<Operand>& operands) {
  std::vector<std::string> out;
  for (const auto& o : operands) out.push_back(pretty(o));
  return out;
}

/// "x[i]" for a gep. The element type is the pointer's own business in most kernels and left out.
std::string address(const Stmt& gep) { return pretty(gep.args.at(0)) + "[" + pretty(gep.args.at(1)) + "]"; }

std::string place(const Operand& pointer, const Addresses& addresses) {
  const auto it = addresses.find(pointer.name);
  return it == addresses.end() ? "*" + pretty(pointer) : it->second;
}

std::string suffix(const Stmt& stmt) {
  std::string out;
  for (const auto& flag : stmt.flags) out += " " + flag;
  for (const auto& a : stmt.attributes) {
    if (stmt.op == Op::icmp || stmt.op == Op::fcmp) continue;
    out += " " + a.key + " " + (a.word.empty() ? std::to_string(a.value) : a.word);
  }
  return out;
}

std::string mask_text(const std::vector<int>& mask) {
  std::vector<std::string> parts;
  for (int m : mask) parts.push_back(m < 0 ? "_" : std::to_string(m));
  return " [" + joined(parts, " ") + "]";
}

/// The right-hand side of a statement that is no region.
std::string expression(const Stmt& stmt, const Addresses& addresses) {
  const auto args = words(stmt.args);
  switch (stmt.op) {
  case Op::gep: return "&" + address(stmt) + " of " + to_string(stmt.element);
  case Op::load: return "load " + place(stmt.args.at(0), addresses);
  case Op::icmp:
  case Op::fcmp: return args.at(0) + " " + stmt.word("pred") + " " + args.at(1);
  case Op::select: return args.at(0) + " ? " + args.at(1) + " : " + args.at(2);
  case Op::extract: return args.at(0) + "{" + args.at(1) + "}";
  default: break;
  }
  std::string out(info(stmt.op).name);
  if (!args.empty()) out += " " + joined(args);
  if (!stmt.mask.empty()) out += mask_text(stmt.mask);
  return out;
}

std::string for_line(const Stmt& stmt) {
  std::string out = "for " + stmt.carry.at(0).name + " from " + pretty(stmt.args.at(0)) + " below " +
                    pretty(stmt.args.at(1)) + " step " + pretty(stmt.args.at(2));
  std::vector<std::string> carried;
  for (std::size_t i = 1; i < stmt.carry.size(); ++i)
    carried.push_back(stmt.carry[i].name + " = " + pretty(stmt.carry[i].init));
  if (!carried.empty()) out += ", carrying " + joined(carried);
  return out + suffix(stmt);
}

std::string line(const Stmt& stmt, const Addresses& addresses) {
  if (stmt.op == Op::for_) return for_line(stmt);
  if (stmt.op == Op::if_) return "if " + pretty(stmt.args.at(0));
  if (stmt.op == Op::assert_) return "assert " + stmt.name + ": " + pretty(stmt.args.at(0));
  if (stmt.op == Op::store)
    return place(stmt.args.at(1), addresses) + " = " + pretty(stmt.args.at(0)) + suffix(stmt);
  const auto right = expression(stmt, addresses) + suffix(stmt);
  return stmt.name.empty() ? right : stmt.name + ": " + to_string(stmt.type) + " = " + right;
}

/// Calls `visit` for every statement, outer ones first.
template <class Visit> void walk(const std::vector<Stmt>& body, const Visit& visit) {
  for (const auto& stmt : body) {
    visit(stmt);
    walk(stmt.body, visit);
    walk(stmt.otherwise, visit);
  }
}

/// The geps that are shown where they are used.
Addresses inline_addresses(const KernelDef& kernel) {
  Addresses out;
  walk(kernel.body, [&](const Stmt& s) {
    if (s.op == Op::gep) out[s.name] = address(s);
  });
  const auto drop = [&](const Operand& o) { out.erase(o.name); };
  walk(kernel.body, [&](const Stmt& s) {
    for (std::size_t i = 0; i < s.args.size(); ++i) {
      const bool is_place = (s.op == Op::load && i == 0) || (s.op == Op::store && i == 1);
      if (!is_place) drop(s.args[i]);
    }
    for (const auto& c : s.carry) drop(c.init), drop(c.next);
    for (const auto& r : s.results) drop(r.then_value), drop(r.else_value);
  });
  return out;
}

/// Writes the regions of a kernel.
class Printer {
public:
  Printer(std::string& out, const Addresses& addresses) : out_(out), addresses_(addresses) {}

  void region(const std::vector<Stmt>& body, int depth) {
    for (const auto& stmt : body) {
      if (stmt.op == Op::gep && addresses_.contains(stmt.name)) continue;
      put(depth, line(stmt, addresses_) + (is_region(stmt) ? " {" : ""));
      if (is_region(stmt)) inside(stmt, depth);
    }
  }

private:
  static bool is_region(const Stmt& stmt) { return stmt.op == Op::for_ || stmt.op == Op::if_; }

  void inside(const Stmt& stmt, int depth) {
    region(stmt.body, depth + 1);
    if (stmt.has_else && !stmt.otherwise.empty()) {
      put(depth, "} else {");
      region(stmt.otherwise, depth + 1);
    }
    put(depth, "}" + outcome(stmt));
  }

  static std::string outcome(const Stmt& stmt) {
    std::vector<std::string> parts;
    for (std::size_t i = 1; i < stmt.carry.size(); ++i)
      parts.push_back(stmt.carry[i].name + " = " + pretty(stmt.carry[i].next));
    for (const auto& r : stmt.results)
      parts.push_back(r.name + ": " + to_string(r.type) + " = " + pretty(r.then_value) + " or else " +
                      pretty(r.else_value));
    if (parts.empty()) return {};
    return (stmt.op == Op::for_ ? " next " : " giving ") + joined(parts);
  }

  void put(int depth, const std::string& text) {
    out_.append(static_cast<std::size_t>(2 * depth), ' ').append(text).append("\n");
  }

  std::string& out_;
  const Addresses& addresses_;
};

std::string param_line(const Param& p) {
  std::string out = "  " + std::string(to_string(p.kind)) + " " + p.name + ": " + to_string(p.type);
  if (p.align != 0) out += " align " + std::to_string(p.align);
  if (p.dereferenceable != 0) out += " dereferenceable " + std::to_string(p.dereferenceable);
  return out + "\n";
}

std::string head(const KernelDef& k) {
  std::string out = "kernel " + k.name + " for " + k.target + ", " + std::to_string(k.items()) + " items";
  if (k.block[1] != 1 || k.block[2] != 1)
    out += " (" + std::to_string(k.block[0]) + " x " + std::to_string(k.block[1]) + " x " +
           std::to_string(k.block[2]) + ")";
  if (k.waves_per_eu != 0) out += ", at least " + std::to_string(k.waves_per_eu) + " waves per SIMD";
  out += "\n";
  for (const auto& p : k.params) out += param_line(p);
  for (const auto& a : k.lds)
    out += "  lds " + a.name + ": " + to_string(a.element) + "[" + std::to_string(a.count) + "] align " +
           std::to_string(a.align) + "\n";
  return out + "\n";
}

} // namespace

std::string pretty(const Operand& o) {
  if (!o.is_constant()) return o.name;
  if (o.poison) return "poison";
  if (!o.type.is_vector()) return number(o.type.scalar, o.bits.at(0));
  std::vector<std::string> parts;
  for (auto b : o.bits) parts.push_back(number(o.type.scalar, b));
  return o.bits.size() == 1 ? "splat(" + parts[0] + ")" : "{" + joined(parts) + "}";
}

std::string pretty(const Stmt& stmt) { return line(stmt, {}); }

std::string pretty(const KernelDef& kernel) {
  std::string out = head(kernel);
  const auto addresses = inline_addresses(kernel);
  Printer(out, addresses).region(kernel.body, 1);
  return out;
}

} // namespace twinir
