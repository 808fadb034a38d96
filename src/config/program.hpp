#pragma once
// Expressions of fields of a case, "rho*velocity.x^2", compiled for the place where the kernels run (core/program.hpp). The grammar is that
// of config/expression.hpp, with names of fields for its variables, and NAME.x, NAME.y and NAME.z for the components of a vector. There are
// no functions of [tables], and no coordinates.

#include <string>
#include <vector>

#include "config/expression.hpp"
#include "core/program.hpp"

namespace watersmeet::config {

// A field that an expression may name, of one component or of three.
struct FieldName {
  std::string name;
  int components = 1;
};

// A number of a cell that an expression needs: which of the fields, and which component of it.
struct FieldInput {
  std::size_t field = 0;
  int component = 0;
  bool operator==(const FieldInput&) const = default;
};

// Every fault of the text, in the order of position; empty when it can be compiled.
std::vector<ExpressionFault> check_program(const std::string& text,
                                           const std::vector<FieldName>& fields,
                                           const Constants& constants);

// The instructions of a text that check_program() found no fault in. What it reads is looked for in `inputs`, and added there; its
// instructions name the place there.
std::vector<Instruction> compile_program(const std::string& text,
                                         const std::vector<FieldName>& fields,
                                         const Constants& constants,
                                         std::vector<FieldInput>& inputs);

}  // namespace watersmeet::config
