#pragma once
// Sums of floating-point numbers that do not depend on the order of adding, so that any number of
// threads, tiles, blocks and ranks gives the same bits. First the largest magnitude M over all
// cells is found (a maximum has no order), then every value is rounded, by itself, to a whole
// number of units, and integers are added:
//
//   v = high u + low u 2^-b,  u = 2^(e - b),  M < 2^e,  |high| <= 2^b,  |low| <= 2^(b - 1)
//
// With b = min(40, 62 - ceil(log2 N)) the sums over N cells fit 64 bits. What a value loses is at
// most 2^(e - 2 b - 1), up or down: 2^-80 M up to four million cells, 2^-44 M at 2^40 of them. The
// idea is that of the pre-rounded sums of Demmel and Nguyen (2013), Fast reproducible
// floating-point summation, 21st IEEE Symposium on Computer Arithmetic.
//
// Contraction to fused multiply-adds cannot change an integer here: the multiplications are by
// powers of two and therefore exact, so rounding once or twice is the same. A product that
// underflows is not exact, but it is then less than 2^-900 of a unit and counts as 0 either way.

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/host_device.hpp"

namespace watersmeet::exec {

// Adding this to |x| < 2^51 rounds x to a whole number, ties to even, and leaves that number, in
// two's complement, in the low bits: bits(x + magic) - bits(magic). Vector units without a
// conversion to 64-bit integers do this as well, and CPU and GPU agree.
inline constexpr double round_magic = 6755399441055744.0;  // 1.5 * 2^52
inline constexpr std::uint64_t round_magic_bits = 0x4338000000000000ull;

WM_HD std::uint64_t bits_of(double x) {
  union {
    double d;
    std::uint64_t u;
  } c;
  c.d = x;
  return c.u;
}
WM_HD double double_of(std::uint64_t bits) {
  union {
    std::uint64_t u;
    double d;
  } c;
  c.u = bits;
  return c.d;
}

// How the values of one sum become whole numbers. Two factors, because 1/u may be too large for a
// double when all values are close to the smallest one; each is a power of two.
struct SumScale {
  double first = 0, second = 1;  // product: 1/u; `first` is 0 when there is nothing to count
  double fine = 1;               // 2^b
  double largest = 0;            // M
  int bits = 0;                  // b
  int exponent = 0;              // e
};

// Bits to which values are counted in sums over `cells` cells; at least 10 up to 2^52 cells.
inline int sum_bits(std::int64_t cells) {
  int log2 = 0;  // rounded up
  while (log2 < 62 && (std::int64_t{1} << log2) < cells) ++log2;
  return log2 < 22 ? 40 : 62 - log2;
}

inline SumScale make_sum_scale(double largest, std::int64_t cells) {
  SumScale s;
  s.largest = largest;
  s.bits = sum_bits(cells);
  s.fine = std::ldexp(1.0, s.bits);
  if (!(largest > 0) || !(largest <= std::numeric_limits<double>::max())) return s;
  std::frexp(largest, &s.exponent);
  const int power = s.bits - s.exponent;  // -1014 .. 1113
  s.first = std::ldexp(1.0, power < 1000 ? power : 1000);
  s.second = std::ldexp(1.0, power < 1000 ? 0 : power - 1000);
  return s;
}

// Patterns of round_magic + a whole number, to be summed modulo 2^64: subtract round_magic_bits for
// every value added.
struct MagicCount {
  std::uint64_t high, low;
};
WM_HD MagicCount count_with_magic(const SumScale& s, double value) {
  const double units = value * s.first * s.second;
  const double high = units + round_magic;
  // What is left after rounding to an integer is a multiple of the last bit of `units`: exact.
  const double low = (units - (high - round_magic)) * s.fine + round_magic;
  return {bits_of(high), bits_of(low)};
}

// Sums that are not numbers are not used, so let their integers overflow in peace.
inline void add_modulo(std::int64_t& sum, std::uint64_t term) {
  sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + term);
}

// The sum from its integers, rounded to a double once. NaN when a value was not finite.
inline double sum_of(const SumScale& s, std::int64_t high, std::int64_t low) {
  if (!(s.largest <= std::numeric_limits<double>::max())) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  __extension__ typedef __int128 Wide;
  const Wide total = static_cast<Wide>(high) * (Wide{1} << s.bits) + low;
  return std::ldexp(static_cast<double>(total), s.exponent - 2 * s.bits);
}

// Patterns ordered as the values are, NaN above all; 0 lies below every one of them.
WM_HD std::uint64_t ordered_bits(double value) {
  if (value != value) return ~std::uint64_t{0};
  const std::uint64_t bits = bits_of(value);
  return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}
WM_HD double from_ordered_bits(std::uint64_t bits) {
  if (bits == ~std::uint64_t{0}) return double_of(0x7ff8000000000000ull);
  return double_of(bits >> 63 ? bits & ~(std::uint64_t{1} << 63) : ~bits);
}

}  // namespace watersmeet::exec
