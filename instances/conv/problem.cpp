// SPDX-License-Identifier: MIT
#include "instances/conv/problem.hpp"

namespace twinir::conv {
namespace {

std::int64_t out_extent(std::int64_t in, std::int64_t pad, std::int64_t filter, std::int64_t stride,
                        std::int64_t dilation) {
  const auto room = in + 2 * pad - dilation * (filter - 1) - 1;
  return room < 0 || stride < 1 ? 0 : room / stride + 1;
}

struct Extent {
  const char* name;
  std::int64_t value, low;
};

void check_extents(const ConvProblem& p) {
  const Extent extents[] = {{"n", p.n, 1},
                            {"c", p.c, 1},
                            {"h", p.h, 1},
                            {"w", p.w, 1},
                            {"k", p.k, 1},
                            {"filter height", p.y, 1},
                            {"filter width", p.x, 1},
                            {"padding height", p.pad_h, 0},
                            {"padding width", p.pad_w, 0},
                            {"stride height", p.stride_h, 1},
                            {"stride width", p.stride_w, 1},
                            {"dilation height", p.dilation_h, 1},
                            {"dilation width", p.dilation_w, 1}};
  for (const auto& e : extents)
    if (e.value < e.low || e.value >= index_limit)
      throw UserError({Code::bad_extent,
                       std::string(e.name) + " = " + std::to_string(e.value),
                       std::to_string(e.low) + " to 2147483647",
                       "correct the problem",
                       {}});
}

void check_groups(const ConvProblem& p) {
  if (p.groups >= 1 && p.c % p.groups == 0 && p.k % p.groups == 0) return;
  throw UserError({Code::bad_groups,
                   "g = " + std::to_string(p.groups) + " with c = " + std::to_string(p.c) +
                       " and k = " + std::to_string(p.k),
                   "a group count of 1 or more that divides c and k",
                   "correct g, c or k",
                   {}});
}

} // namespace

std::int64_t ConvProblem::out_h() const { return out_extent(h, pad_h, y, stride_h, dilation_h); }
std::int64_t ConvProblem::out_w() const { return out_extent(w, pad_w, x, stride_w, dilation_w); }

std::string ConvProblem::text() const {
  const auto pair = [](std::int64_t a, std::int64_t b) {
    return std::to_string(a) + "," + std::to_string(b);
  };
  return dtype.name() + " n" + std::to_string(n) + " c" + std::to_string(c) + " h" + std::to_string(h) +
         " w" + std::to_string(w) + " k" + std::to_string(k) + " y" + std::to_string(y) + " x" +
         std::to_string(x) + " p" + pair(pad_h, pad_w) + " s" + pair(stride_h, stride_w) + " d" +
         pair(dilation_h, dilation_w) + " g" + std::to_string(groups);
}

void check(const ConvProblem& p) {
  check_extents(p);
  check_groups(p);
  if (p.out_h() < 1 || p.out_w() < 1)
    throw UserError({Code::bad_extent,
                     "an output of " + std::to_string(p.out_h()) + "x" + std::to_string(p.out_w()),
                     "at least 1x1",
                     "enlarge the input or the padding, or shrink the filter",
                     {}});
  (void)checked_product({p.n, p.h, p.w, p.c}, index_limit, "input elements");
  (void)checked_product({p.k, p.y, p.x, p.c / p.groups}, index_limit, "filter elements");
  (void)checked_product({p.n, p.out_h(), p.out_w(), p.k}, index_limit, "output elements");
}

std::int64_t part_size(const ConvProblem& p, std::int64_t parts) {
  if (parts < 1 || parts > p.n)
    throw UserError({Code::bad_split,
                     "a batch split of " + std::to_string(parts),
                     "1 to " + std::to_string(p.n) + " parts, one image each at least",
                     "correct the split",
                     {}});
  return (p.n + parts - 1) / parts;
}

std::int64_t checked_product(std::initializer_list<std::int64_t> extents, std::int64_t limit,
                             const std::string& what) {
  std::int64_t product = 1;
  for (auto e : extents) {
    if (e != 0 && product > (limit - 1) / e)
      throw UserError({Code::index_overflow,
                       what + ": a product of extents of " + std::to_string(limit) + " or more",
                       "less than " + std::to_string(limit),
                       "split the problem, for example by its batch",
                       {}});
    product *= e;
  }
  return product;
}

} // namespace twinir::conv
