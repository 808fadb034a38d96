#pragma once
// An expression of fields in the cells of a part of the grid (part_case.hpp), evaluated on the host where all of them are gathered: of pictures and
// iso-surfaces.

#include <string>
#include <vector>

#include "config/program.hpp"
#include "run/sampling/part_case.hpp"

namespace watersmeet::run {

struct PartExpression {
  std::string text;
  std::string units;  // a dimension; "unknown" where it does not follow from one field
  std::vector<Instruction> program;
  std::vector<config::FieldInput> inputs;  // `field` is a number of the fields of the part

  // In each cell of the part, from the values of its fields there, packed, in the precision of the run.
  std::vector<double> values(const PartCase& part, const std::vector<std::vector<char>>& fields,
                             Precision precision) const;
};

// Reads the expression of the key `path`; its fields are added to those of the part. After a fault the program is empty.
PartExpression read_expression(const config::Input& input, const std::string& path,
                               const std::vector<systems::QuantityInfo>& quantities,
                               const Report& report, PartCase& part);

}  // namespace watersmeet::run
