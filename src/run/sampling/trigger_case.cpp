#include "run/sampling/trigger_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/expression_lexer.hpp"
#include "config/path.hpp"
#include "core/enum_name.hpp"
#include "core/error.hpp"
#include "run/sampling/case_faults.hpp"
#include "run/sampling/probes.hpp"

namespace watersmeet::run {
namespace {

using config::ExpressionFault;
using config::FaultKind;
using config::Token;

constexpr std::array<std::pair<const char*, ReductionKind>, 4> reduction_names = {
    {{"max", ReductionKind::max},
     {"min", ReductionKind::min},
     {"mean", ReductionKind::mean},
     {"sum", ReductionKind::sum}}};

// Stands for a reduction in the condition.
std::string placeholder(std::size_t number) { return fmt::format("reduction_{}", number); }

// A reduction and its place in a condition.
struct Call {
  ReductionKind kind;
  std::size_t begin, end;  // of the whole call
  std::string argument;
};

// Calls of the names of reductions with one argument, those of the outside alone. `tables`: functions that the case itself gives these names.
std::vector<Call> calls_in(const std::string& text, const config::Constants& constants) {
  const std::vector<Token> tokens = config::tokens_of(text);
  std::vector<Call> calls;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto named = std::find_if(reduction_names.begin(), reduction_names.end(),
                                    [&](const auto& one) { return tokens[i].text == one.first; });
    if (named == reduction_names.end() || tokens[i + 1].text != "(" ||
        constants.tables.count(tokens[i].text) > 0)
      continue;
    int depth = 0;
    bool several = false;
    std::size_t last = i + 1;
    for (; last < tokens.size(); ++last) {
      depth += tokens[last].text == "(" ? 1 : tokens[last].text == ")" ? -1 : 0;
      several = several || (depth == 1 && tokens[last].text == ",");
      if (depth == 0) break;
    }
    if (several || last == tokens.size()) continue;
    const std::size_t first = tokens[i + 1].position + 1;
    calls.push_back({named->second, tokens[i].position, tokens[last].position + 1,
                     text.substr(first, tokens[last].position - first)});
    i = last;
  }
  return calls;
}

bool compares(const std::string& text) {
  static const std::set<std::string> comparisons = {"<", "<=", ">", ">=", "==", "!="};
  const std::vector<Token> tokens = config::tokens_of(text);
  return std::any_of(tokens.begin(), tokens.end(),
                     [](const Token& token) { return comparisons.count(token.text) > 0; });
}

// Reads the triggers of a case one after the other.
class TriggerReader : EntryReader {
 public:
  TriggerReader(const config::Input& input, const systems::System& system, Report report)
      : EntryReader(input, std::move(report)),
        quantities_(system.quantities()),
        fields_(field_names(quantities_)) {
    for (const char* const name : {"t", "step", "dt"}) add_variable(name);
    const std::vector<systems::SeriesColumn> of_system = system.series_columns();
    for (const systems::SeriesColumn& column : of_system) add_column(column.name);
    first_probe_ = first_column + of_system.size();
    for (const systems::SeriesColumn& column : probe_columns(input, system))
      add_column(column.name);
  }

  TriggerCases all() {
    each("trigger", {"name", "when", "then"}, {"mode", "every", "every_steps"}, [this] { read(); });
    result_.fields = needed_fields(quantities_, inputs_);
    return std::move(result_);
  }

 private:
  static constexpr std::size_t first_column = 3;  // its place

  void add_variable(const std::string& name) {
    result_.variables.push_back(name);
    result_.places.push_back(place_++);
  }
  // Names that expressions give a meaning of their own stay theirs.
  void add_column(const std::string& name) {
    if (config::is_identifier(name) && !config::has_meaning(name)) return add_variable(name);
    ++place_;
  }

  void read() {
    const std::string name = read_name(input_, path_, "trigger", names_, report_,
                                       "checkpoints know them by their names"),
                      when = input_.text(path_ + ".when");
    const std::vector<std::string> then = input_.texts(path_ + ".then");
    if (then.empty())
      refuse(FaultKind::missing_key, ".then", "trigger `" + name + "` does nothing",
             "such as then = [\"snapshot\", \"stop\"]");
    const std::vector<Call> calls = calls_in(when, input_.constants());
    std::vector<FieldReduction> reductions;
    std::string condition = when;
    for (std::size_t c = calls.size(); c-- > 0;)
      condition.replace(calls[c].begin, calls[c].end - calls[c].begin, placeholder(c));
    bool good = true;
    for (const Call& call : calls) {
      const auto faults = config::check_program(call.argument, fields_, input_.constants());
      for (const ExpressionFault& fault : faults) refuse(when, fault.message, fault.suggestion);
      good = good && faults.empty();
    }
    std::vector<std::string> variables = result_.variables;
    for (std::size_t c = 0; c < calls.size(); ++c) variables.push_back(placeholder(c));
    if (!check_condition(when, condition, calls, variables) || !good) return;
    config::Constants constants = input_.constants();
    for (const std::string& variable : variables) constants.numbers.erase(variable);
    TriggerCase one{name, when, config::Expression(condition, variables, constants), {}};
    for (std::size_t v = first_column; v < result_.variables.size(); ++v) {
      if (one.condition.depends_on(result_.variables[v]))
        (result_.places[v] < first_probe_ ? one.needs_series : one.needs_probes) = true;
    }
    if (one.condition.is_constant()) {
      refuse(when, "this does not depend on the solution or the time", "");
      return;
    }
    for (const Call& call : calls) one.reductions.push_back(number_of(call));
    const std::string mode = input_.text(path_ + ".mode");
    one.mode = mode == "level"  ? TriggerMode::level
               : mode == "edge" ? TriggerMode::edge
                                : TriggerMode::latched;
    const auto asked = [&](const char* what) {
      return std::find(then.begin(), then.end(), what) != then.end();
    };
    one.actions = {asked("snapshot"), asked("checkpoint"), asked("stop")};
    one.schedule = Schedule::from(input_, path_ + ".");
    if (!one.schedule.set()) one.schedule.every_steps = input_.integer(path_ + ".every_steps");
    result_.cases.push_back(std::move(one));
  }

  // Whether the condition without its reductions can be evaluated.
  bool check_condition(const std::string& when, const std::string& condition,
                       const std::vector<Call>& calls, const std::vector<std::string>& variables) {
    const std::vector<std::string> used = config::names_in(condition);
    const auto uses = [&](const std::string& name) {
      return std::find(used.begin(), used.end(), name) != used.end();
    };
    config::Constants constants = input_.constants();
    for (const std::string& variable : variables) {
      if (constants.numbers.erase(variable) == 0 || !uses(variable)) continue;
      refuse(when,
             "`" + variable + "` is known here as of the run, and is a constant of [constants]",
             "give the constant another name");
      return false;
    }
    const std::vector<ExpressionFault> faults =
        config::Expression::check(condition, variables, constants);
    std::size_t passed = 0;  // what belongs to a fault before
    for (ExpressionFault fault : faults) {
      if (fault.position < passed) continue;
      const std::string found = condition.substr(fault.position, fault.width);
      const auto field = std::find_if(fields_.begin(), fields_.end(),
                                      [&](const auto& one) { return one.name == found; });
      if (field != fields_.end()) {
        const bool vector = field->components == 3;
        fault.message =
            "`" + found + "` is a field, and a condition is of numbers of the whole grid";
        fault.suggestion = fmt::format("write max({0}), min({0}), mean({0}) or sum({0})",
                                       vector ? found + ".x" : found);
        passed = fault.position + fault.width + (vector ? 2 : 0);  // ".x"
      }
      for (std::size_t c = calls.size(); c-- > 0;) {
        const std::string text = when.substr(calls[c].begin, calls[c].end - calls[c].begin);
        for (std::string* const words : {&fault.message, &fault.suggestion}) {
          config::replace_all(*words, ", " + placeholder(c), "");  // of a list of what is known
          config::replace_all(*words, placeholder(c), text);
        }
      }
      refuse(when, fault.message, fault.suggestion);
    }
    if (!faults.empty()) return false;
    if (compares(when)) return true;
    refuse(when, "this is a number and no condition", "compare it, such as `" + when + " > 1`");
    return false;
  }

  using EntryReader::refuse;
  void refuse(const std::string& when, const std::string& message, const std::string& suggestion) {
    refuse(FaultKind::bad_expression, ".when", "in `" + when + "`: " + message, suggestion);
  }

  std::size_t number_of(const Call& call) {
    FieldReduction wanted{call.kind, call.argument, {}};
    const auto known = std::find(result_.reductions.begin(), result_.reductions.end(), wanted);
    if (known != result_.reductions.end())
      return static_cast<std::size_t>(known - result_.reductions.begin());
    wanted.program = config::compile_program(call.argument, fields_, input_.constants(), inputs_);
    result_.reductions.push_back(std::move(wanted));
    return result_.reductions.size() - 1;
  }

  std::vector<systems::QuantityInfo> quantities_;
  std::vector<config::FieldName> fields_;
  std::vector<config::FieldInput> inputs_;
  std::size_t place_ = 0, first_probe_ = 0;
  TriggerCases result_;
};

}  // namespace

std::string TriggerCase::definition() const {
  return fmt::format("{} when {}",
                     enum_name<TriggerMode::level>({"latched", "edge", "level"}, mode), when);
}

void check_triggers(config::Input& input, const systems::System& system) {
  TriggerReader(input, system, report_into(input)).all();
}

TriggerCases triggers_of(const config::Input& input, const systems::System& system) {
  return TriggerReader(input, system, no_faults()).all();
}

}  // namespace watersmeet::run
