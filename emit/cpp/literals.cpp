// SPDX-License-Identifier: MIT
#include "emit/cpp/literals.hpp"

#include <bit>
#include <cstdint>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>
#include <random>
#include <string>

namespace twinir {
namespace {

constexpr std::size_t piece = 1 << 20;
constexpr int random_count = 100'000;

/// The bits as `digits` hexadecimal digits.
std::string hex(std::uint64_t bits, unsigned digits) {
  std::string text(digits, '0');
  for (; digits > 0; bits >>= 4) text[--digits] = "0123456789abcdef"[bits & 15];
  return text;
}

/// Writes one line per literal, in pieces of about a megabyte.
class Lines {
public:
  explicit Lines(const std::function<void(std::string_view)>& sink) : sink_(sink) {}

  /// A NaN of a wide type is left out unless it was meant: LLVM's table of constants has one slot for all
  /// NaNs to start from, so that many of them take quadratic time.
  void add(llvm::StringRef name, llvm::Type* type, std::uint64_t bits, bool nan = false) {
    const unsigned width = type->getScalarSizeInBits();
    const llvm::APFloat value(type->getFltSemantics(), llvm::APInt(width, bits));
    if (value.isNaN() && width > 16 && !nan) return;
    std::string literal;
    llvm::raw_string_ostream out(literal);
    llvm::ConstantFP::get(type->getContext(), value)->printAsOperand(out, false);
    text_.append(name).append(" ").append(hex(bits, width / 4)).append(" ").append(out.str()).append("\n");
    if (text_.size() > piece) flush();
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }

private:
  const std::function<void(std::string_view)>& sink_;
  std::string text_;
};

/// Infinities, zeros, the ends of the subnormal and normal ranges, and powers of two.
template <class Bits> void edges(Lines& lines, llvm::StringRef name, llvm::Type* type, int significand) {
  const int width = static_cast<int>(sizeof(Bits)) * 8;
  const Bits sign = Bits{1} << (width - 1), infinity = (sign - 1) >> significand << significand;
  for (Bits base : {Bits{0}, Bits{1}, (Bits{1} << significand) - 1, Bits{1} << significand, Bits(infinity - 1), infinity})
    for (Bits s : {Bits{0}, sign}) lines.add(name, type, base | s);
  for (int bit = 0; bit < significand; ++bit) lines.add(name, type, Bits{1} << bit);
  for (Bits exponent = 1; exponent < infinity >> significand; ++exponent) lines.add(name, type, exponent << significand);
}

/// Quiet and signalling NaNs of both signs: every payload of one bit, of all bits below one, and some of
/// many.
template <class Bits>
void nans(Lines& lines, llvm::StringRef name, llvm::Type* type, int significand, std::mt19937_64& random) {
  const int width = static_cast<int>(sizeof(Bits)) * 8;
  const Bits sign = Bits{1} << (width - 1), infinity = (sign - 1) >> significand << significand;
  const Bits quiet = Bits{1} << (significand - 1), payloads = quiet - 1;
  const auto add = [&](Bits payload) {
    for (const Bits s : {Bits{0}, sign}) {
      lines.add(name, type, s | infinity | quiet | payload, true);
      if (payload != 0) lines.add(name, type, s | infinity | payload, true);
    }
  };
  add(0);
  for (int bit = 0; bit < significand - 1; ++bit) add(Bits{1} << bit), add((Bits{2} << bit) - 1);
  for (int i = 0; i < random_count / 1000; ++i) add(static_cast<Bits>(random()) & payloads);
}

/// Decimal fractions and multiples of powers of two: where short forms are decided.
template <class Float, class Bits> void structured(Lines& lines, llvm::StringRef name, llvm::Type* type, std::mt19937_64& random) {
  for (int i = 1; i < random_count / 5; ++i) {
    Float decimal = static_cast<Float>(static_cast<std::int64_t>(random() % 2'000'001) - 1'000'000);
    for (auto n = random() % 9; n > 0; --n) decimal /= 10;
    lines.add(name, type, std::bit_cast<Bits>(decimal));
    lines.add(name, type, std::bit_cast<Bits>(static_cast<Float>(i) / static_cast<Float>(1u << (random() % 24))));
  }
}

} // namespace

void print_literals(const std::function<void(std::string_view)>& sink) {
  llvm::LLVMContext context;
  Lines lines(sink);
  auto* f32 = llvm::Type::getFloatTy(context);
  auto* f64 = llvm::Type::getDoubleTy(context);
  for (unsigned bits = 0; bits < 65536; ++bits) lines.add("f16", llvm::Type::getHalfTy(context), bits);
  for (unsigned bits = 0; bits < 65536; ++bits) lines.add("bf16", llvm::Type::getBFloatTy(context), bits);
  std::mt19937_64 random(1);
  edges<std::uint32_t>(lines, "f32", f32, 23);
  edges<std::uint64_t>(lines, "f64", f64, 52);
  structured<float, std::uint32_t>(lines, "f32", f32, random);
  structured<double, std::uint64_t>(lines, "f64", f64, random);
  for (int i = 0; i < random_count; ++i) lines.add("f32", f32, random() & 0xffffffff);
  for (int i = 0; i < random_count; ++i) lines.add("f64", f64, random());
  // Doubles that are floats: the forms of both meet here.
  for (int i = 0; i < random_count / 5; ++i) {
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (narrow == narrow) lines.add("f64", f64, std::bit_cast<std::uint64_t>(static_cast<double>(narrow)));
  }
  nans<std::uint32_t>(lines, "f32", f32, 23, random);
  nans<std::uint64_t>(lines, "f64", f64, 52, random);
  lines.flush();
}

} // namespace twinir
