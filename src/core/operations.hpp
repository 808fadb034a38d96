#pragma once
// The operations of expressions (core/program.hpp) on numbers of one cell, in double: for interpreters on the host and in kernels, and for
// kernels that are compiled while the program runs (exec/source_pass_cuda.hpp).

#include <cmath>

#include "core/host_device.hpp"
#include "core/math.hpp"

namespace watersmeet {

enum class Operation : int {
  constant,  // pushes Instruction::value
  input,     // pushes the value of input Instruction::input in the cell
  // One operand.
  negative,
  square,
  abs,
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  ceil,
  cos,
  cosh,
  erf,
  exp,
  floor,
  log,
  log10,
  log2,
  sign,
  sin,
  sinh,
  sqrt,
  tan,
  tanh,
  // Two operands.
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
  atan2,
  mod,
  max,
  min,
  choose,  // three operands: condition, and the values where it holds and where not
  table    // of table Instruction::input, at as many operands as it has arguments
};

// Numbers that an operation takes; a table as many as it has arguments, here 0.
constexpr int operands_of(Operation operation) {
  if (operation < Operation::negative || operation == Operation::table) return 0;
  if (operation == Operation::choose) return 3;
  return operation < Operation::add ? 1 : 2;
}

// Operations of one operand.
template <Operation operation>
WM_HD double operate(double a) {
  if constexpr (operation == Operation::negative) return -a;
  if constexpr (operation == Operation::square) return a * a;
  if constexpr (operation == Operation::abs) return ::fabs(a);
  if constexpr (operation == Operation::acos) return ::acos(a);
  if constexpr (operation == Operation::acosh) return ::acosh(a);
  if constexpr (operation == Operation::asin) return ::asin(a);
  if constexpr (operation == Operation::asinh) return ::asinh(a);
  if constexpr (operation == Operation::atan) return ::atan(a);
  if constexpr (operation == Operation::atanh) return ::atanh(a);
  if constexpr (operation == Operation::ceil) return ::ceil(a);
  if constexpr (operation == Operation::cos) return ::cos(a);
  if constexpr (operation == Operation::cosh) return ::cosh(a);
  if constexpr (operation == Operation::erf) return ::erf(a);
  if constexpr (operation == Operation::exp) return ::exp(a);
  if constexpr (operation == Operation::floor) return ::floor(a);
  if constexpr (operation == Operation::log) return ::log(a);
  if constexpr (operation == Operation::log10) return ::log10(a);
  if constexpr (operation == Operation::log2) return ::log2(a);
  if constexpr (operation == Operation::sign) return a > 0 ? 1.0 : (a < 0 ? -1.0 : 0.0);
  if constexpr (operation == Operation::sin) return ::sin(a);
  if constexpr (operation == Operation::sinh) return ::sinh(a);
  if constexpr (operation == Operation::sqrt) return ::sqrt(a);
  if constexpr (operation == Operation::tan) return ::tan(a);
  if constexpr (operation == Operation::tanh) return ::tanh(a);
}

// Operations of two.
template <Operation operation>
WM_HD double operate(double a, double b) {
  if constexpr (operation == Operation::add) return a + b;
  if constexpr (operation == Operation::subtract) return a - b;
  if constexpr (operation == Operation::multiply) return a * b;
  if constexpr (operation == Operation::divide) return a / b;
  if constexpr (operation == Operation::power) return ::pow(a, b);
  if constexpr (operation == Operation::less) return a < b ? 1.0 : 0.0;
  if constexpr (operation == Operation::less_equal) return a <= b ? 1.0 : 0.0;
  if constexpr (operation == Operation::greater) return a > b ? 1.0 : 0.0;
  if constexpr (operation == Operation::greater_equal) return a >= b ? 1.0 : 0.0;
  if constexpr (operation == Operation::equal) return a == b ? 1.0 : 0.0;
  if constexpr (operation == Operation::not_equal) return a != b ? 1.0 : 0.0;
  if constexpr (operation == Operation::both) return a != 0 && b != 0 ? 1.0 : 0.0;
  if constexpr (operation == Operation::either) return a != 0 || b != 0 ? 1.0 : 0.0;
  if constexpr (operation == Operation::atan2) return ::atan2(a, b);
  if constexpr (operation == Operation::mod) return fma_(-b, ::floor(a / b), a);
  if constexpr (operation == Operation::max) return a < b ? b : a;
  if constexpr (operation == Operation::min) return b < a ? b : a;
}

}  // namespace watersmeet
