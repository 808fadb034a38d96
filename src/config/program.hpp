#pragma once
// Expressions of fields of a case, "rho*velocity.x^2", compiled for the device that computes (core/program.hpp). The grammar is that
// of config/expression.hpp, with names of fields for its variables, and NAME.x, NAME.y and NAME.z for the components of a vector. Functions of
// [tables] may be called where the caller takes them.

#include <memory>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "core/program.hpp"

namespace watersmeet::config {

// A field that an expression may name, of one component or of three.
struct FieldName {
  std::string name;
  int components = 1;
  // What each component is, in other names, where it is no input of its own: "stored.mx/stored.rho".
  std::vector<std::string> definitions = {};
};

// The fields of such a list of names, "x rho velocity.x velocity.y velocity.z".
std::vector<FieldName> fields_of(const std::string& names);
// Words with spaces between.
std::vector<std::string> words_of(const std::string& text);

// A number of a cell that an expression needs: which of the fields, and which component of it.
struct FieldInput {
  std::size_t field = 0;
  int component = 0;
  bool operator==(const FieldInput&) const = default;
};

enum class TableCalls { refused, allowed };

// Every fault of the text, in the order of position; empty when it can be compiled. `fields`: those that the text itself may name.
std::vector<ExpressionFault> check_program(const std::string& text,
                                           const std::vector<FieldName>& fields,
                                           const Constants& constants,
                                           TableCalls tables = TableCalls::refused);

// The instructions of a text that check_program() found no fault in. What it reads is looked for in `inputs`, and added there; its
// instructions name the place there; tables that it calls go to `tables` likewise.
std::vector<Instruction> compile_program(
    const std::string& text, const std::vector<FieldName>& fields, const Constants& constants,
    std::vector<FieldInput>& inputs, std::vector<std::shared_ptr<const Table>>* tables = nullptr);

// How many numbers an instruction takes off the stack.
int operands_of(const Instruction& instruction,
                const std::vector<std::shared_ptr<const Table>>& tables);
// The most numbers that instructions hold at a time.
int depth_of(const std::vector<Instruction>& code,
             const std::vector<std::shared_ptr<const Table>>& tables);

}  // namespace watersmeet::config
