#pragma once
// Expressions in a form that kernels can evaluate: a list of instructions for a machine with a stack of numbers, made on the host by
// config/program.hpp. All arithmetic is in double, with the functions of config/expression.cpp.
//
// A chunk of `width` cells goes through an instruction together: 1 in a thread of a GPU, several on a CPU, whose compiler makes vector
// instructions of the loop over them. The value of a cell does not depend on the width: no instruction mixes cells, and no product is fused
// with a sum, because each instruction is a turn of the loop of its own.

#include <type_traits>

#include "core/operations.hpp"
#include "core/table_look_up.hpp"

namespace watersmeet {

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
  template <Operation operation>
  WM_HD void one() {
    for (int l = 0; l < width; ++l) last[l] = operate<operation>(last[l]);
  }
  template <Operation operation>
  WM_HD void two() {
    --below;
    for (int l = 0; l < width; ++l) last[l] = operate<operation>(numbers[below][l], last[l]);
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
        s.template one<Operation::negative>();
        break;
      case Operation::square:
        s.template one<Operation::square>();
        break;
      case Operation::abs:
        s.template one<Operation::abs>();
        break;
      case Operation::acos:
        s.template one<Operation::acos>();
        break;
      case Operation::acosh:
        s.template one<Operation::acosh>();
        break;
      case Operation::asin:
        s.template one<Operation::asin>();
        break;
      case Operation::asinh:
        s.template one<Operation::asinh>();
        break;
      case Operation::atan:
        s.template one<Operation::atan>();
        break;
      case Operation::atanh:
        s.template one<Operation::atanh>();
        break;
      case Operation::ceil:
        s.template one<Operation::ceil>();
        break;
      case Operation::cos:
        s.template one<Operation::cos>();
        break;
      case Operation::cosh:
        s.template one<Operation::cosh>();
        break;
      case Operation::erf:
        s.template one<Operation::erf>();
        break;
      case Operation::exp:
        s.template one<Operation::exp>();
        break;
      case Operation::floor:
        s.template one<Operation::floor>();
        break;
      case Operation::log:
        s.template one<Operation::log>();
        break;
      case Operation::log10:
        s.template one<Operation::log10>();
        break;
      case Operation::log2:
        s.template one<Operation::log2>();
        break;
      case Operation::sign:
        s.template one<Operation::sign>();
        break;
      case Operation::sin:
        s.template one<Operation::sin>();
        break;
      case Operation::sinh:
        s.template one<Operation::sinh>();
        break;
      case Operation::sqrt:
        s.template one<Operation::sqrt>();
        break;
      case Operation::tan:
        s.template one<Operation::tan>();
        break;
      case Operation::tanh:
        s.template one<Operation::tanh>();
        break;
      case Operation::add:
        s.template two<Operation::add>();
        break;
      case Operation::subtract:
        s.template two<Operation::subtract>();
        break;
      case Operation::multiply:
        s.template two<Operation::multiply>();
        break;
      case Operation::divide:
        s.template two<Operation::divide>();
        break;
      case Operation::power:
        s.template two<Operation::power>();
        break;
      case Operation::less:
        s.template two<Operation::less>();
        break;
      case Operation::less_equal:
        s.template two<Operation::less_equal>();
        break;
      case Operation::greater:
        s.template two<Operation::greater>();
        break;
      case Operation::greater_equal:
        s.template two<Operation::greater_equal>();
        break;
      case Operation::equal:
        s.template two<Operation::equal>();
        break;
      case Operation::not_equal:
        s.template two<Operation::not_equal>();
        break;
      case Operation::both:
        s.template two<Operation::both>();
        break;
      case Operation::either:
        s.template two<Operation::either>();
        break;
      case Operation::atan2:
        s.template two<Operation::atan2>();
        break;
      case Operation::mod:
        s.template two<Operation::mod>();
        break;
      case Operation::max:
        s.template two<Operation::max>();
        break;
      case Operation::min:
        s.template two<Operation::min>();
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
