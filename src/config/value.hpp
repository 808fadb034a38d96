#pragma once
// Reads one value of the tree as the type its key asks for; every fault in it is handed on with its
// place.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/document.hpp"
#include "config/expression.hpp"
#include "config/schema.hpp"

namespace watersmeet::config {

// A value read and checked. Only the member that belongs to the key's type is meaningful.
struct Value {
  bool good = false;  // no fault in it
  bool boolean = false;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;     // reals, durations (seconds); triples one after the other
  std::vector<std::string> texts;  // texts, choices, expressions
};

class ValueReader {
 public:
  using Report = std::function<void(Fault)>;

  // `code_units`: numbers with a unit behind them are refused where the key counts in those of the
  // case.
  ValueReader(const Document& document, const Constants& constants, bool code_units, Report report)
      : document_(document),
        constants_(constants),
        code_units_(code_units),
        report_(std::move(report)) {}

  // `path` is the concrete path, "initial[0].density"; a fault names it. A word that stands for its
  // table goes under the table's path.
  Value read(const Key& key, const std::string& path, const Node& node,
             bool stands_for_table = false);

 private:
  struct Place;  // which key, and which part of a list

  bool number(const Place& place, const Node& node, double& value);
  // A text "5 mm", faults included; nothing where the text has another form or the key no unit of
  // that kind.
  std::optional<bool> with_unit(const Place& place, const Node& node, double& value);
  bool integer(const Place& place, const Node& node, std::int64_t& value);
  bool word(const Place& place, const Node& node, std::string& value);
  bool expression(const Place& place, const Node& node, std::string& value);
  bool evaluate(const Place& place, const Node& node, double& value);
  bool check_expression(const Place& place, const Node& node,
                        const std::vector<std::string>& variables);
  bool report(const Place& place, const Node& node, const std::vector<ExpressionFault>& faults);
  bool check_range(const Place& place, const Node& node, double value, bool whole);
  bool list(const Place& place, const Node& node, std::size_t length,
            const std::function<bool(const Place&, const Node&)>& item);

  bool wrong_type(const Place& place, const Node& node, std::string suggestion = "");
  bool fail(const Place& place, const Node& node, FaultKind kind, std::string message,
            std::string suggestion);

  const Document& document_;
  const Constants& constants_;
  bool code_units_;
  Report report_;
};

}  // namespace watersmeet::config
