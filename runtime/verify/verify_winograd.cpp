// SPDX-License-Identifier: MIT
// Every Winograd stage for itself, against its formula in float64 with the exact matrices.
#include "dsl/constant.hpp"
#include "instances/family.hpp"
#include "instances/winograd/exponents.hpp"
#include "instances/winograd/matrices.hpp"
#include "instances/winograd/specs.hpp"
#include "runtime/verify/launch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace twinir {
namespace {

using namespace winograd;

constexpr double wrong = std::numeric_limits<double>::infinity();

double number(Rational r) { return boost::rational_cast<double>(r); }
std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Two groups, odd extents, a dilation, channels that end inside the padding.
conv::ConvProblem problem_of(DType io, Tile tile, int vec) {
  conv::ConvProblem p;
  p.dtype = io;
  p.n = 2, p.groups = 2, p.c = 2 * 3 * vec, p.k = 2 * 3 * vec;
  p.h = tile.m_h() + 3, p.w = 2 * tile.m_w() + 1, p.pad_h = 1, p.pad_w = 2, p.dilation_h = 1,
  p.dilation_w = 2;
  return p;
}

/// The spec, and the problem: the one that the kernel is baked for, if it is.
template <class Spec> struct Subject {
  Spec spec;
  std::optional<conv::ConvProblem> baked;

  Subject(const VerifySubject& subject, const std::string& family) {
    const auto parts = split_problem(subject.spec);
    spec = parse_spec<Spec>(parts.spec, family);
    if (parts.problem) baked = parts.part();
  }
  /// What the kernel takes beside pointers.
  [[nodiscard]] Launch launch(const conv::ConvProblem& p, const Layout& layout = {}) const {
    auto out = winograd::launch(spec, p, layout);
    if (baked) out.args.clear();
    return out;
  }
};

/// Row r of BT with its power of two.
double bt(int m, int r, int c) {
  const auto& w = matrices(m);
  return std::ldexp(number(w.bt.at(r, c)), w.bt_exponent[index(r)]);
}

/// The first output of tile `t` in one direction: `line` counts lines of tiles.
std::int64_t first_output(std::int64_t line, std::int64_t dilation, int m) {
  return line % dilation + line / dilation * dilation * m;
}

/// The activations, and the window of a tile.
struct Image {
  conv::ConvProblem p;
  Tile tile;
  Geometry g;
  std::vector<double> x;

  struct Window {
    std::int64_t image, top, left; ///< first output
  };
  [[nodiscard]] Window window(std::int64_t t) const {
    return {t / (g.tiles_x * g.tiles_y), first_output(t / g.tiles_x % g.tiles_y, p.dilation_h, tile.m_h()),
            first_output(t % g.tiles_x, p.dilation_w, tile.m_w())};
  }
  /// Pixel (y, x) of a window; 0 outside and behind the last channel of the group.
  [[nodiscard]] double pixel(const Window& w, int y, int x_, std::int64_t group, std::int64_t c) const {
    const auto h = w.top - p.pad_h + y * p.dilation_h, v = w.left - p.pad_w + x_ * p.dilation_w;
    if (h < 0 || h >= p.h || v < 0 || v >= p.w || c >= g.c) return 0;
    return x[index(((w.image * p.h + h) * p.w + v) * p.c + group * g.c + c)];
  }
  /// The magnitude bits of the largest pixel of a tile.
  [[nodiscard]] int magnitude(std::int64_t t, std::int64_t group) const {
    double most = 0;
    const auto w = window(t);
    for (int y = 0; y < tile.n_h(); ++y)
      for (int i = 0; i < tile.n_w(); ++i)
        for (std::int64_t c = 0; c < g.c; ++c) most = std::max(most, std::abs(pixel(w, y, i, group, c)));
    return static_cast<int>(float_bits(p.dtype.scalar(), most));
  }
  [[nodiscard]] int exponent(std::int64_t t, std::int64_t group) const {
    return scale_exponent(p.dtype, magnitude(t, group), input_top(f32, g.c));
  }
};

/// Values whose size differs from pixel to pixel.
std::vector<double> activations(const conv::ConvProblem& p) {
  auto x = small_values(index(p.input_elements()), 0.25);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::ldexp(x[i], static_cast<int>(i / 97 % 7) - 3);
  return x;
}

template <class Spec> Image image_of(const Subject<Spec>& s, int vec) {
  const auto p = s.baked ? *s.baked : problem_of(s.spec.io, s.spec.tile, vec);
  return {p, s.spec.tile, geometry(p, s.spec.tile), {}};
}

/// V against 2^s BT d B, and for fused the exponents that were found.
template <class Spec> Verification verify_v(const VerifySubject& subject, const std::string& family) {
  const Subject<Spec> s(subject, family);
  const auto& spec = s.spec;
  auto image = image_of(s, spec.vec);
  const auto& [p, tile, g, x] = image;
  VerifyLaunch run(subject);
  image.x = run.input("x", p.dtype.scalar(), activations(p));
  run.output("v", spec.storage.scalar(), index(g.v.bytes / spec.storage.bytes()));
  std::vector<std::int32_t> exponents;
  for (std::int64_t group = 0; group < p.groups; ++group)
    for (std::int64_t t = 0; t < g.tiles; ++t)
      exponents.push_back(spec.prescale == Prescale::none ? 0 : image.exponent(t, group));
  if (spec.prescale == Prescale::split) run.input("te", exponents);
  if (spec.prescale == Prescale::fused) run.output("te", Scalar::i32, exponents.size());
  const auto launch = s.launch(p);
  run.run(launch.args, launch.grid);

  Verification out{0, 1.5 * rounding_error(spec.storage.scalar())};
  if (spec.prescale == Prescale::fused && run.read_integers("te") != exponents) out.error = wrong;
  const auto v = run.read("v");
  for (std::int64_t group = 0; group < p.groups; ++group)
    for (int bin = 0; bin < tile.bins(); ++bin)
      for (std::int64_t t = 0; t < g.tiles; ++t) {
        const auto window = image.window(t);
        for (std::int64_t c = 0; c < g.cp; ++c) {
          double sum = 0, absolute = 0;
          for (int i = 0; i < tile.n_h(); ++i)
            for (int j = 0; j < tile.n_w(); ++j) {
              const double term = bt(tile.m_h(), bin / tile.n_w(), i) * bt(tile.m_w(), bin % tile.n_w(), j) *
                                  image.pixel(window, i, j, group, c);
              sum += term, absolute += std::abs(term);
            }
          const double scale = std::ldexp(1.0, exponents[index(group * g.tiles + t)]);
          const auto at = ((group * tile.bins() + bin) * g.v.bin + t * g.v.row) / spec.storage.bytes() + c;
          out.error = worse(out.error, v[index(at)], sum * scale, std::max(absolute * scale, 1e-3));
        }
      }
  return out;
}

} // namespace

Verification verify_winograd_input(const VerifySubject& subject) {
  return verify_v<InputSpec>(subject, "winograd_input");
}
Verification verify_winograd_input_lds(const VerifySubject& subject) {
  return verify_v<InputLdsSpec>(subject, "winograd_input_lds");
}

Verification verify_winograd_maxima(const VerifySubject& subject) {
  const Subject<MaximaSpec> s(subject, "winograd_maxima");
  const auto& spec = s.spec;
  const auto p = problem_of(spec.io, Tile(2), spec.vec);
  VerifyLaunch run(subject);
  const auto x = run.input("x", p.dtype.scalar(), activations(p));
  const auto pixels = p.n * p.h * p.w, c = p.c / p.groups;
  run.output("pm", Scalar::i16, index(p.groups * pixels));
  const auto launch = s.launch(p);
  run.run(launch.args, launch.grid);
  const auto pm = run.read_integers("pm");
  Verification out; // exact
  for (std::int64_t group = 0; group < p.groups; ++group)
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
      double most = 0;
      for (std::int64_t i = 0; i < c; ++i)
        most = std::max(most, std::abs(x[index(pixel * p.c + group * c + i)]));
      if (pm[index(group * pixels + pixel)] != static_cast<std::int32_t>(float_bits(p.dtype.scalar(), most)))
        out.error = wrong;
    }
  return out;
}

Verification verify_winograd_exponents(const VerifySubject& subject) {
  const Subject<ExponentsSpec> s(subject, "winograd_exponents");
  const auto& spec = s.spec;
  auto image = image_of(s, 1);
  image.p.c = image.p.groups,
  image.g = geometry(image.p, spec.tile); // one channel: the pixels are the maxima
  const auto& [p, tile, g, x] = image;
  VerifyLaunch run(subject);
  auto magnitudes = activations(p);
  for (auto& m : magnitudes) m = std::abs(m);
  std::vector<double> by_group(magnitudes.size());
  const auto pixels = p.n * p.h * p.w;
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
    for (std::int64_t group = 0; group < p.groups; ++group)
      by_group[index(group * pixels + pixel)] = magnitudes[index(pixel * p.groups + group)];
  run.input("pm", p.dtype.scalar(), by_group);
  image.x = magnitudes;
  run.output("te", Scalar::i32, index(p.groups * g.tiles));
  const auto launch = s.launch(p);
  run.run(launch.args, launch.grid);
  const auto te = run.read_integers("te");
  Verification out; // exact
  for (std::int64_t group = 0; group < p.groups; ++group)
    for (std::int64_t t = 0; t < g.tiles; ++t)
      if (te[index(group * g.tiles + t)] != image.exponent(t, group)) out.error = wrong;
  return out;
}

Verification verify_winograd_filter(const VerifySubject& subject) {
  const Subject<FilterSpec> s(subject, "winograd_filter");
  const auto& spec = s.spec;
  const auto p = s.baked ? *s.baked : problem_of(spec.io, spec.tile, spec.vec);
  const auto g = geometry(p, spec.tile);
  VerifyLaunch run(subject);
  auto values = small_values(index(p.filter_elements()), 0.125);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::ldexp(values[i], -static_cast<int>(i / index(9 * g.c) % 5)); // by output channel
  const auto f = run.input("f", p.dtype.scalar(), values);
  run.output("u", spec.storage.scalar(), index(g.u.bytes / spec.storage.bytes()));
  if (spec.scale) run.output("fe", Scalar::i32, index(p.k));
  const auto launch = s.launch(p);
  run.run(launch.args, launch.grid);
  const auto u = run.read("u");
  const auto fe = spec.scale ? run.read_integers("fe") : std::vector<std::int32_t>(index(p.k), 0);
  Verification out{0, 1.5 * rounding_error(spec.storage.scalar())};
  const auto tap = [&](std::int64_t k, int y, int x, std::int64_t c) {
    return c < g.c ? f[index(((k * 3 + y) * 3 + x) * g.c + c)] : 0;
  };
  for (std::int64_t k = 0; k < p.k; ++k) {
    double most = 0;
    for (std::int64_t i = 0; i < 9 * g.c; ++i) most = std::max(most, std::abs(f[index(k * 9 * g.c + i)]));
    const int exponent =
        spec.scale ? scale_exponent(p.dtype, static_cast<int>(float_bits(p.dtype.scalar(), most)), filter_top)
                   : 0;
    if (fe[index(k)] != exponent) out.error = wrong;
    for (int bin = 0; bin < spec.tile.bins(); ++bin)
      for (std::int64_t c = 0; c < g.cp; ++c) {
        double sum = 0, absolute = 0;
        for (int y = 0; y < 3; ++y)
          for (int x = 0; x < 3; ++x) {
            const double term = number(matrices(spec.tile.m_h()).g.at(bin / spec.tile.n_w(), y)) *
                                number(matrices(spec.tile.m_w()).g.at(bin % spec.tile.n_w(), x)) *
                                tap(k, y, x, c);
            sum += term, absolute += std::abs(term);
          }
        const auto at =
            ((k / g.k * spec.tile.bins() + bin) * g.u.bin + k % g.k * g.u.row) / spec.storage.bytes() + c;
        out.error = worse(out.error, u[index(at)], std::ldexp(sum, exponent),
                          std::max(std::ldexp(absolute, exponent), 1e-3));
      }
  }
  return out;
}

Verification verify_winograd_output(const VerifySubject& subject) {
  const Subject<OutputSpec> s(subject, "winograd_output");
  const auto& spec = s.spec;
  const auto p = s.baked ? *s.baked : problem_of(spec.io, spec.tile, spec.vec);
  const Layout layout{VLayout::bin_major, spec.m};
  const auto g = geometry(p, spec.tile, layout);
  const Image image{p, spec.tile, g, {}};
  VerifyLaunch run(subject);
  const auto m = run.input("m", spec.m.scalar(), small_values(index(g.m.bytes / spec.m.bytes()), 0.0625));
  run.output("y", p.dtype.scalar(), index(p.output_elements()));
  std::vector<std::int32_t> te(index(p.groups * g.tiles)), fe(index(p.k));
  for (std::size_t i = 0; i < te.size(); ++i) te[i] = spec.tile_scale ? static_cast<int>(i % 5) - 2 : 0;
  for (std::size_t i = 0; i < fe.size(); ++i) fe[i] = spec.filter_scale ? static_cast<int>(i % 3) - 1 : 0;
  if (spec.tile_scale) run.input("te", te);
  if (spec.filter_scale) run.input("fe", fe);
  const auto launch = s.launch(p, layout);
  run.run(launch.args, launch.grid);
  const auto y = run.read("y");
  Verification out{0, 1.5 * rounding_error(p.dtype.scalar())};
  const auto &at_h = matrices(spec.tile.m_h()).at, &at_w = matrices(spec.tile.m_w()).at;
  for (std::int64_t group = 0; group < p.groups; ++group)
    for (std::int64_t t = 0; t < g.tiles; ++t) {
      const auto w = image.window(t);
      for (int i = 0; i < spec.tile.m_h(); ++i)
        for (int j = 0; j < spec.tile.m_w(); ++j) {
          const auto row = w.top + i * p.dilation_h, column = w.left + j * p.dilation_w;
          if (row >= g.out_h || column >= g.out_w) continue;
          for (std::int64_t k = 0; k < g.k; ++k) {
            double sum = 0, absolute = 0;
            for (int bin = 0; bin < spec.tile.bins(); ++bin) {
              const auto at = ((group * spec.tile.bins() + bin) * g.m.bin + t * g.m.row) / spec.m.bytes() + k;
              const double term = number(at_h.at(i, bin / spec.tile.n_w())) *
                                  number(at_w.at(j, bin % spec.tile.n_w())) * m[index(at)];
              sum += term, absolute += std::abs(term);
            }
            const int down = -te[index(group * g.tiles + t)] - fe[index(group * g.k + k)];
            const double value =
                y[index(((w.image * g.out_h + row) * g.out_w + column) * p.k + group * g.k + k)];
            out.error =
                worse(out.error, value, std::ldexp(sum, down), std::max(std::ldexp(absolute, down), 1e-3));
          }
        }
    }
  return out;
}

} // namespace twinir
