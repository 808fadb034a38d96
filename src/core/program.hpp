#pragma once
// Expressions in a form that kernels can evaluate: a list of instructions for a machine with a stack of numbers, made on the host by
// config/program.hpp. All arithmetic is in double, with the functions of config/expression.cpp.
//
// A chunk of `width` cells goes through an instruction together: 1 in a thread of a GPU, several on a CPU, whose compiler makes vector
// instructions of the loop over them. The value of a cell does not depend on the width: no instruction mixes cells, and no product is fused
// with a sum, because each instruction is a turn of the loop of its own.

#include <cmath>
#include <type_traits>

#include "core/host_device.hpp"
#include "core/math.hpp"
#include "core/table_look_up.hpp"

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

struct Instruction {
  Operation operation = Operation::constant;
  int input = 0;
  double value = 0;
};

// Numbers on the stack at most.
constexpr int program_depth = 12;

template <int width>
struct ProgramStack {
  double last[width] = {};               // the topmost number, which lies in registers
  double numbers[program_depth][width];  // those below it
  int below = 0;

  WM_HD void push() {
    for (int l = 0; l < width; ++l) numbers[below][l] = last[l];
    ++below;
  }
  // The function of the topmost one, two or three numbers takes their place.
  template <class Function>
  WM_HD void one(const Function& f) {
    for (int l = 0; l < width; ++l) last[l] = f(last[l]);
  }
  template <class Function>
  WM_HD void two(const Function& f) {
    --below;
    for (int l = 0; l < width; ++l) last[l] = f(numbers[below][l], last[l]);
  }
  WM_HD void choose() {
    below -= 2;
    for (int l = 0; l < width; ++l) {
      last[l] = numbers[below][l] != 0 ? numbers[below + 1][l] : last[l];
    }
  }
  WM_HD void look_up(const TableView& table) {
    below -= table.arguments - 1;
    for (int l = 0; l < width; ++l) {
      double place[3];
      for (int a = 0; a < table.arguments - 1; ++a) place[a] = numbers[below + a][l];
      place[table.arguments - 1] = last[l];
      last[l] = watersmeet::look_up(table, place);
    }
  }
};

// For programs that call no tables.
struct NoTables {};

// load(input, double (&to)[width]) gives the values of an input in the cells of the chunk. tables: those that the program calls.
template <int width, class Load, class Tables = NoTables>
WM_HD void run_program(const Instruction* code, int count, const Load& load,
                       double (&result)[width], const Tables& tables = {}) {
  ProgramStack<width> s;
  for (int n = 0; n < count; ++n) {
    const Instruction i = code[n];
    switch (i.operation) {
      case Operation::constant:
        s.push();
        for (int l = 0; l < width; ++l) s.last[l] = i.value;
        break;
      case Operation::input:
        s.push();
        load(i.input, s.last);
        break;
      case Operation::negative:
        s.one([](double a) { return -a; });
        break;
      case Operation::square:
        s.one([](double a) { return a * a; });
        break;
      case Operation::abs:
        s.one([](double a) { return ::fabs(a); });
        break;
      case Operation::acos:
        s.one([](double a) { return ::acos(a); });
        break;
      case Operation::acosh:
        s.one([](double a) { return ::acosh(a); });
        break;
      case Operation::asin:
        s.one([](double a) { return ::asin(a); });
        break;
      case Operation::asinh:
        s.one([](double a) { return ::asinh(a); });
        break;
      case Operation::atan:
        s.one([](double a) { return ::atan(a); });
        break;
      case Operation::atanh:
        s.one([](double a) { return ::atanh(a); });
        break;
      case Operation::ceil:
        s.one([](double a) { return ::ceil(a); });
        break;
      case Operation::cos:
        s.one([](double a) { return ::cos(a); });
        break;
      case Operation::cosh:
        s.one([](double a) { return ::cosh(a); });
        break;
      case Operation::erf:
        s.one([](double a) { return ::erf(a); });
        break;
      case Operation::exp:
        s.one([](double a) { return ::exp(a); });
        break;
      case Operation::floor:
        s.one([](double a) { return ::floor(a); });
        break;
      case Operation::log:
        s.one([](double a) { return ::log(a); });
        break;
      case Operation::log10:
        s.one([](double a) { return ::log10(a); });
        break;
      case Operation::log2:
        s.one([](double a) { return ::log2(a); });
        break;
      case Operation::sign:
        s.one([](double a) { return a > 0 ? 1.0 : (a < 0 ? -1.0 : 0.0); });
        break;
      case Operation::sin:
        s.one([](double a) { return ::sin(a); });
        break;
      case Operation::sinh:
        s.one([](double a) { return ::sinh(a); });
        break;
      case Operation::sqrt:
        s.one([](double a) { return ::sqrt(a); });
        break;
      case Operation::tan:
        s.one([](double a) { return ::tan(a); });
        break;
      case Operation::tanh:
        s.one([](double a) { return ::tanh(a); });
        break;
      case Operation::add:
        s.two([](double a, double b) { return a + b; });
        break;
      case Operation::subtract:
        s.two([](double a, double b) { return a - b; });
        break;
      case Operation::multiply:
        s.two([](double a, double b) { return a * b; });
        break;
      case Operation::divide:
        s.two([](double a, double b) { return a / b; });
        break;
      case Operation::power:
        s.two([](double a, double b) { return ::pow(a, b); });
        break;
      case Operation::less:
        s.two([](double a, double b) { return a < b ? 1.0 : 0.0; });
        break;
      case Operation::less_equal:
        s.two([](double a, double b) { return a <= b ? 1.0 : 0.0; });
        break;
      case Operation::greater:
        s.two([](double a, double b) { return a > b ? 1.0 : 0.0; });
        break;
      case Operation::greater_equal:
        s.two([](double a, double b) { return a >= b ? 1.0 : 0.0; });
        break;
      case Operation::equal:
        s.two([](double a, double b) { return a == b ? 1.0 : 0.0; });
        break;
      case Operation::not_equal:
        s.two([](double a, double b) { return a != b ? 1.0 : 0.0; });
        break;
      case Operation::both:
        s.two([](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; });
        break;
      case Operation::either:
        s.two([](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; });
        break;
      case Operation::atan2:
        s.two([](double a, double b) { return ::atan2(a, b); });
        break;
      case Operation::mod:
        s.two([](double a, double b) { return fma_(-b, ::floor(a / b), a); });
        break;
      case Operation::max:
        s.two([](double a, double b) { return a < b ? b : a; });
        break;
      case Operation::min:
        s.two([](double a, double b) { return b < a ? b : a; });
        break;
      case Operation::choose:
        s.choose();
        break;
      case Operation::table:
        if constexpr (!std::is_same_v<Tables, NoTables>) s.look_up(tables[i.input]);
        break;
    }
  }
  for (int l = 0; l < width; ++l) result[l] = s.last[l];
}

}  // namespace watersmeet
