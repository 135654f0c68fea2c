// SPDX-License-Identifier: MIT
#include "instances/gemm/parts.hpp"

#include <bit>

namespace twinir::gemm {
namespace {

int log2_of(int power_of_two) { return std::countr_zero(static_cast<unsigned>(power_of_two)); }

/// Row `row` of bin `bin` behind p; 64-bit and uniform.
Pointer tile_base(const Pointer& p, const Value& bin, const Value& stride, const Value& row,
                  const Value& ld) {
  const auto wide = [](const Value& x) { return zext(x, Scalar::i64); };
  return p + (bin * wide(stride) + wide(row) * wide(ld));
}

} // namespace

Arguments Arguments::declare(KernelBuilder& b, const GemmSpec& spec) {
  const PointerOptions aligned{piece_bytes, 0};
  Arguments a;
  a.v = b.global_in("v", spec.in.type(), aligned);
  a.u = b.global_in("u", spec.in.type(), aligned);
  a.m = b.global_out("m", spec.out.type(), aligned);
  a.t = b.arg<i32>("t");
  a.k = b.arg<i32>("k");
  a.c = b.arg<i32>("c");
  a.ldv = b.arg<i32>("ldv");
  a.ldu = b.arg<i32>("ldu");
  a.ldm = b.arg<i32>("ldm");
  a.stride_v = b.arg<i32>("stride_v");
  a.stride_u = b.arg<i32>("stride_u");
  a.stride_m = b.arg<i32>("stride_m");
  return a;
}

Place Place::find(KernelBuilder& b, const GemmSpec& spec, const TileFacts& facts, const Arguments& args) {
  Place p;
  p.bin = zext(b.workgroup(2), Scalar::i64);
  p.t0 = b.let("t0", b.workgroup(0) * spec.block_t);
  p.n0 = b.let("n0", b.workgroup(1) * spec.block_n);
  p.last_row = b.let("last_row", args.t - p.t0 - 1);
  p.last_col = b.let("last_col", args.k - p.n0 - 1);
  const auto wave = b.let("wave", b.wave());
  p.wave_t = b.let("wave_t", (wave & (spec.waves_t - 1)) * (facts.matrices_t * facts.matrix.side));
  p.wave_n = b.let("wave_n", lshr(wave, log2_of(spec.waves_t)) * (facts.matrices_n * facts.matrix.side));
  const auto item = b.workitem();
  p.matrix_row = b.let("matrix_row", item & (facts.matrix.side - 1));
  p.half = b.let("half", lshr(item, log2_of(facts.matrix.side)) & 1);
  return p;
}

GemmParts::GemmParts(KernelBuilder& builder, const GemmSpec& spec)
    : b_(builder), spec_(spec), facts_(tile_facts(spec, builder.target())),
      args_(Arguments::declare(builder, spec)), place_(Place::find(builder, spec, facts_, args_)) {
  const int shift = log2_of(spec.k_step);
  steps_ = b_.let("steps", lshr(args_.c + (spec.k_step - 1), shift));
  tail_ = b_.let("tail", (steps_ - 1) << shift);
  lds_ = b_.lds("tiles", i8, facts_.lds_bytes);
  v_ = tile_base(args_.v, place_.bin, args_.stride_v, place_.t0, args_.ldv).as(i8);
  u_ = tile_base(args_.u, place_.bin, args_.stride_u, place_.n0, args_.ldu).as(i8);
  m_ = tile_base(args_.m, place_.bin, args_.stride_m, place_.t0, args_.ldm) + place_.n0;
  locate_copies();
  locate_fragments();
}

// --- copies

void GemmParts::locate_copies() {
  const auto item = b_.workitem();
  const auto piece = b_.let("piece", item & (facts_.pieces - 1));
  const auto row = b_.let("row", lshr(item, log2_of(facts_.pieces)));
  const auto row_u = u_row(row, facts_.matrix);
  tail_valid_ = piece * piece_elements < args_.c - tail_;
  lds_piece_ = b_.let("lds_piece", swizzled_byte(row, piece, facts_.pieces));
  for (int pass = 0; pass < facts_.passes(); ++pass) {
    const bool of_v = pass < facts_.passes_v;
    const auto tile_row =
        (of_v ? row : row_u) + (of_v ? pass : pass - facts_.passes_v) * facts_.rows_per_pass;
    const auto valid_row =
        smin(tile_row, of_v ? place_.last_row : place_.last_col); // stores alone are guarded
    source_.push_back(valid_row * ((of_v ? args_.ldv : args_.ldu) * element_bytes) + piece * piece_bytes);
  }
  if (async()) bias_copies();
  // Without this the code generator takes the offsets apart again and adds their parts in every step.
  for (auto& s : source_) s = b_.opaque(s);
}

/// The offset of an asynchronous copy is added to both addresses and must not be negative. The global side is
/// moved back by a buffer, so that all copies of a step share one LDS address.
void GemmParts::bias_copies() {
  const auto back = -zext(b_.opaque(b_.constant(i32, facts_.buffer_bytes), true),
                          Scalar::i64); // a constant would be moved behind the offsets
  v_ = v_.shifted(back), u_ = u_.shifted(back);
  for (int pass = 0; pass < facts_.passes(); ++pass) {
    auto& s = source_[static_cast<std::size_t>(pass)];
    s = s + (facts_.buffer_bytes - pass * facts_.pass_bytes);
  }
}

Values GemmParts::offsets(int step) const {
  Values out;
  for (const auto& s : source_) out.push_back(s + (step - 1) * step_bytes());
  return out;
}

Values GemmParts::advance(const Values& offsets) const {
  Values out;
  for (const auto& o : offsets) out.push_back(o + step_bytes());
  return out;
}

Values GemmParts::load(const Values& offsets) const {
  Values out;
  for (int pass = 0; pass < facts_.passes(); ++pass)
    out.push_back(source(pass).load(vec(spec_.in.type(), piece_elements),
                                    offsets[static_cast<std::size_t>(pass)], piece_bytes));
  return out;
}

Values GemmParts::load_first() const {
  Values first;
  for (const auto& s : source_) first.push_back(s + tail_ * element_bytes);
  const Values zeros(first.size(), b_.zero(vec(spec_.in.type(), piece_elements)));
  return b_.if_values(
      tail_valid_, [&] { return load(first); }, [&] { return zeros; });
}

void GemmParts::write(const Values& pieces, Arg buffer) const {
  const auto to = lds_ + (lds_piece_ + buffer);
  for (int pass = 0; pass < facts_.passes(); ++pass)
    to.store(pass * facts_.pass_bytes, pieces[static_cast<std::size_t>(pass)], piece_bytes);
}

std::vector<KernelBuilder::Body> GemmParts::copies(const Values& offsets, const Value& buffer) const {
  const auto to = lds_ + (lds_piece_ + buffer);
  std::vector<KernelBuilder::Body> out;
  for (int pass = 0; pass < facts_.passes(); ++pass)
    out.emplace_back([this, to, pass, offset = offsets[static_cast<std::size_t>(pass)]] {
      b_.async_load(source(pass).shifted(offset), to, piece_bytes, pass * facts_.pass_bytes);
    });
  return out;
}

void GemmParts::copy_first() const {
  Values first;
  for (const auto& s : source_) first.push_back(s + tail_ * element_bytes);
  const auto buffer = b_.zero(i32);
  const auto zeros = [&] {
    write(Values(first.size(), b_.zero(vec(spec_.in.type(), piece_elements))), buffer);
  };
  b_.if_(
      tail_valid_,
      [&] {
        for (const auto& copy : copies(first, buffer)) copy();
      },
      zeros);
}

// --- products

void GemmParts::locate_fragments() {
  const int parts = facts_.matrix.piece_groups; // lanes that share a row, each with every parts-th piece
  for (int turn = 0; turn < facts_.pieces / parts; ++turn) {
    const auto piece = parts == 1 ? b_.constant(i32, turn) : place_.half + parts * turn;
    const auto lane = swizzled_byte(place_.matrix_row, piece, facts_.pieces);
    base_b_.push_back(lane + place_.wave_t * facts_.row_bytes);
    base_a_.push_back(lane + (place_.wave_n + spec_.block_t) * facts_.row_bytes);
  }
}

Value GemmParts::fragment(const Value& buffer, const Values& bases, int slice, int row) const {
  const Type piece = vec(spec_.in.type(), piece_elements);
  const auto read = [&](int turn) {
    return (lds_ + (bases[static_cast<std::size_t>(turn)] + buffer))
        .load(piece, row * facts_.row_bytes, piece_bytes);
  };
  const int pieces = facts_.matrix.pieces;
  auto all = read(pieces * slice);
  for (int i = 1; i < pieces; ++i) {
    const auto next = read(pieces * slice + i);
    all = concat(all, next);
  }
  return all;
}

Value GemmParts::fragment_a(const Value& buffer, int slice, int i) const {
  return fragment(buffer, base_a_, slice, i * facts_.matrix.side);
}
Value GemmParts::fragment_b(const Value& buffer, int slice, int j) const {
  return fragment(buffer, base_b_, slice, j * facts_.matrix.side);
}

Fragments GemmParts::fragments(const Value& buffer, int slice) const {
  Fragments f;
  for (int i = 0; i < facts_.matrices_n; ++i) f.a.push_back(fragment_a(buffer, slice, i));
  for (int j = 0; j < facts_.matrices_t; ++j) f.b.push_back(fragment_b(buffer, slice, j));
  return f;
}

Values GemmParts::zero_sums() const {
  return Values(static_cast<std::size_t>(facts_.matrices_n * facts_.matrices_t),
                b_.zero(vec(f32, facts_.matrix.sums())));
}

Values GemmParts::multiply(const Fragments& f, Values sums, const std::function<void(int)>& between) const {
  int done = 0;
  for (int i = 0; i < facts_.matrices_n; ++i)
    for (int step = 0; step < facts_.matrices_t; ++step) {
      const int j = i % 2 ? facts_.matrices_t - 1 - step : step; // there and back: one operand always stays
      auto& sum = sums[at(i, j)];
      sum = b_.pin(b_.mma(f.a[static_cast<std::size_t>(i)], f.b[static_cast<std::size_t>(j)], sum));
      if (between) between(++done);
    }
  return sums;
}

Values GemmParts::multiply_buffer(const Value& buffer, Values sums) const {
  const int last_row = (facts_.matrices_n - 1) * facts_.matrices_t;
  // Reads of the next slice may pass the last row of products, not more: else the fragments of all slices
  // live at once.
  const auto hold = [&](int done) {
    if (done == last_row) b_.sched_barrier();
  };
  for (int slice = 0; slice < facts_.slices; ++slice)
    sums = multiply(fragments(buffer, slice), std::move(sums), hold);
  return sums;
}

// --- stores

void GemmParts::store(const Values& sums) const {
  const auto last_of_wave = place_.wave_n + (facts_.matrices_n * facts_.matrix.side - 1);
  const auto whole = b_.let("whole", (((args_.ldm | args_.stride_m) & (piece_elements - 1)) == 0) &
                                         (last_of_wave <= place_.last_col));
  for (int j = 0; j < facts_.matrices_t; ++j) {
    const auto row = place_.wave_t + place_.matrix_row + j * facts_.matrix.side;
    b_.if_(row <= place_.last_row, [&] { store_rows(sums, j, whole); });
  }
}

Value GemmParts::result(const Value& sum) const {
  return spec_.out == f32 ? sum : fpcast(sum, spec_.out.scalar());
}

void GemmParts::store_rows(const Values& sums, int j, const Value& whole) const {
  const auto row = place_.wave_t + place_.matrix_row + j * facts_.matrix.side;
  const auto column = place_.wave_n + place_.half * facts_.matrix.sums();
  const auto to = m_ + (row * args_.ldm + column);
  b_.if_(
      whole,
      [&] {
        for (int i = 0; i < facts_.matrices_n; ++i)
          to.store(i * facts_.matrix.side, result(sums[at(i, j)]), piece_bytes);
      },
      [&] { store_scalars(to, column, sums, j); });
}

void GemmParts::store_scalars(const Pointer& to, const Value& column, const Values& sums, int j) const {
  // Opaque: else the conditions are shared by all rows, and each stays in a scalar register. Uniform: a
  // vector operand of inline assembly must be in the first bank, where the sums are.
  const auto left = b_.opaque(place_.last_col, true) - column;
  for (int i = 0; i < facts_.matrices_n; ++i) {
    const auto values = result(sums[at(i, j)]);
    for (int e = 0; e < facts_.matrix.sums(); ++e) {
      const int n = i * facts_.matrix.side + e;
      to.store_if(left >= n, n, values[e]);
    }
  }
}

} // namespace twinir::gemm
