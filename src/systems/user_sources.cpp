#include "systems/user_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "config/usual_keys.hpp"
#include "memory/copy_there.hpp"

namespace watersmeet::systems {

using config::FaultKind;

namespace {

using Code = std::vector<Instruction>;

// How definitions name a stored variable; no text of a case can.
std::string stored_name(const std::string& variable) { return "stored." + variable; }

constexpr const char* step_name = "step.dt";

void append(Code& to, const Code& more, Operation joined_by) {
  const bool first = to.empty();
  to.insert(to.end(), more.begin(), more.end());
  if (!first) to.push_back({.operation = joined_by});
}

bool is_zero(const Code& code) {
  return code.size() == 1 && code[0].operation == Operation::constant && code[0].value == 0;
}

// Components of a key of three that change nothing must be 0: those across a plane.
void check_missing_components(config::Input& input, const SourceModel& model, std::size_t entries) {
  std::map<std::string, std::set<int>> there;
  for (const SourceModel::Target& target : model.targets)
    if (target.component >= 0) there[target.key].insert(target.component);
  for (const auto& [key, components] : there) {
    for (int c = 0; c < 3; ++c) {
      if (components.contains(c)) continue;
      for (std::size_t e = 0; e < entries; ++e) {
        const std::string path = fmt::format("source[{}].{}", e, key);
        if (!input.is_set(path) || !input.is_good(path)) continue;
        const std::string text = input.expressions3(path)[static_cast<std::size_t>(c)];
        const bool number = config::Expression::check(text, {}, {}).empty();
        if (number && config::Expression(text, {}).constant() == 0) continue;
        input.fault(
            FaultKind::bad_value, fmt::format("{}[{}]", path, c),
            fmt::format("there is no {} along {} here: this component must be 0", key, "xyz"[c]),
            "0");
      }
    }
  }
}

}  // namespace

std::vector<config::Key> source_keys(const std::vector<SourceEquation>& equations,
                                     const std::string& coordinates, const std::string& state) {
  std::vector<config::Key> keys;
  for (const SourceEquation& equation : equations) {
    const auto make = equation.components == 3 ? config::expressions_key : config::expression_key;
    config::Key key =
        make("source[]." + equation.key, equation.unit, "", coordinates + " t", equation.help);
    key.state = state;
    keys.push_back(key);
  }
  return keys;
}

UserSources::Names::Names(const SourceModel& of) : model(of) {
  for (const std::string& coordinate : model.coordinates) common.push_back({coordinate});
  common.push_back({"t"});
  own = common;
  time = common.size() - 1;
  first_stored = common.size();
  for (const Variable& variable : model.variables) common.push_back({stored_name(variable.name)});
  first_hidden = common.size();
  common.push_back({step_name});
  common.insert(common.end(), model.hidden.begin(), model.hidden.end());
  for (const SourceModel::Mean& mean : model.means) common.push_back({mean.name});
  if (model.coordinates == std::vector<std::string>{"x", "y", "z"})
    own.push_back({"r", 1, {"sqrt(x^2 + y^2 + z^2)"}});
}

std::vector<config::FieldName> UserSources::Names::of_case(int point) const {
  std::vector<config::FieldName> names = point < 0 ? own : std::vector{own[time]};
  const auto& more = point < 0 ? model.names : model.points[static_cast<std::size_t>(point)];
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

std::vector<config::FieldName> UserSources::Names::all(int point) const {
  std::vector<config::FieldName> names = common;
  for (const config::FieldName& name : of_case(point))
    if (!name.definitions.empty()) names.push_back(name);
  return names;
}

void UserSources::Names::refuse_constants(config::Input& input) const {
  for (std::size_t n = first_stored; n < common.size(); ++n) {
    std::string plain = common[n].name;
    std::replace(plain.begin(), plain.end(), '.', '_');
    if (input.constants().numbers.contains(plain))
      input.fault(FaultKind::conflict, "constants." + plain,
                  "sources use the name `" + plain + "` for something else",
                  "give the constant another name");
  }
}

void UserSources::keep_program(config::Input& input, const std::string& place, int variable,
                               const Code& code) {
  if (config::depth_of(code, tables_) > program_depth) {
    input.fault(FaultKind::bad_expression, place,
                fmt::format("with the definitions of its names the expression holds more than {} "
                            "numbers at a time while it is evaluated",
                            program_depth),
                "write it with fewer parentheses within parentheses");
    return;
  }
  terms_.programs.push_back(
      {variable, static_cast<int>(terms_.code.size()), static_cast<int>(code.size())});
  terms_.code.insert(terms_.code.end(), code.begin(), code.end());
}

void UserSources::configure(config::Input& input, const SourceModel& model) {
  const std::size_t entries = input.count("source");
  if (entries == 0) return;
  const Names names(model);
  names.refuse_constants(input);
  std::set<std::string> known;
  for (const SourceModel::Target& target : model.targets) known.insert(target.key);
  std::set<std::string> checked;
  std::vector<config::FieldInput> inputs;
  for (std::size_t e = 0; e < entries; ++e) {
    const std::string entry = fmt::format("source[{}]", e);
    const bool empty = std::none_of(known.begin(), known.end(), [&](const std::string& key) {
      return input.is_set(entry + "." + key);
    });
    if (!empty || input.has_faults()) continue;
    input.fault(FaultKind::missing_key, entry, "this source changes nothing",
                fmt::format("give it an expression for {}", fmt::join(known, ", ")));
  }

  check_missing_components(input, model, entries);

  for (int v = 0; v < static_cast<int>(model.variables.size()); ++v) {
    Code sum;
    std::string last_path;
    for (const SourceModel::Target& target : model.targets) {
      if (target.variable != v) continue;
      const std::vector<config::FieldName> all = names.all(target.point);
      Code rate;
      for (std::size_t e = 0; e < entries; ++e) {
        const std::string path = fmt::format("source[{}].{}", e, target.key);
        if (!input.is_set(path) || !input.is_good(path)) continue;
        const bool vector = target.component >= 0;
        const std::string text =
            vector ? input.expressions3(path)[static_cast<std::size_t>(target.component)]
                   : input.expression(path);
        const std::string place = vector ? fmt::format("{}[{}]", path, target.component) : path;
        // Names that only other cases of this system have.
        if (checked.insert(place).second) names.check(input, place, text, target.point);
        if (input.has_faults()) continue;
        const std::size_t before = inputs.size();
        const Code code = config::compile_program(text, all, input.constants(), inputs, &tables_);
        if (refused_time(input, names, place, inputs, before)) continue;
        if (is_zero(code)) continue;
        append(rate, code, Operation::add);
        last_path = place;
      }
      if (rate.empty()) continue;
      if (!target.factor.empty()) {
        append(rate, config::compile_program(target.factor, all, {}, inputs), Operation::multiply);
      }
      append(sum, rate, Operation::add);
    }
    if (!sum.empty()) keep_program(input, last_path, v, sum);
  }
  keep_inputs(names, inputs);
}

bool UserSources::refused_time(config::Input& input, const Names& names, const std::string& place,
                               const std::vector<config::FieldInput>& inputs, std::size_t first) {
  if (!names.model.steady ||
      std::none_of(inputs.begin() + static_cast<std::ptrdiff_t>(first), inputs.end(),
                   [&](const config::FieldInput& from) { return from.field == names.time; }))
    return false;
  input.fault(FaultKind::bad_expression, place,
              "a run to a steady state counts cycles, which are no time: t has no meaning",
              "remove t, or set time.mode = \"unsteady\"");
  return true;
}

void UserSources::Names::check(config::Input& input, const std::string& place,
                               const std::string& text, int point) const {
  for (const config::ExpressionFault& fault :
       config::check_program(text, of_case(point), input.constants(), config::TableCalls::allowed))
    input.fault(FaultKind::bad_expression, place, fault.message, fault.suggestion);
}

void UserSources::check(config::Input& input, const SourceModel& model, const std::string& place,
                        const std::string& text, int point) {
  Names(model).check(input, place, text, point);
}

void UserSources::configure_side(config::Input& input, const SourceModel& model,
                                 const std::vector<SideValue>& values) {
  terms_.of_side = true;
  configure_fluxes(input, model, values);
}

void UserSources::configure_fluxes(config::Input& input, const SourceModel& model,
                                   const std::vector<SideValue>& values) {
  if (values.empty()) return;
  const Names names(model);
  names.refuse_constants(input);
  std::vector<config::FieldInput> inputs;
  // Each variable has one program: a kernel reads all that it adds to before it writes any.
  std::map<int, std::pair<Code, std::string>> sums;
  for (const SideValue& value : values) {
    const std::vector<config::FieldName> all = names.all(value.point);
    const std::size_t before = inputs.size();
    Code code = config::compile_program(value.text, all, input.constants(), inputs, &tables_);
    if (refused_time(input, names, value.place, inputs, before)) continue;
    if (!value.factor.empty())
      append(code, config::compile_program(value.factor, all, {}, inputs), Operation::multiply);
    auto& [sum, place] = sums[value.variable];
    append(sum, code, Operation::add);
    place = value.place;
  }
  for (const auto& [variable, sum] : sums) keep_program(input, sum.second, variable, sum.first);
  keep_inputs(names, inputs);
}

void UserSources::keep_inputs(const Names& names, const std::vector<config::FieldInput>& inputs) {
  using Kind = exec::SourceInput::Kind;
  const SourceModel& model = names.model;
  for (const config::FieldInput& from : inputs) {
    exec::SourceInput read;
    std::string name;
    if (from.field == names.time) {
      read.kind = Kind::time;
    } else if (names.common[from.field].name == step_name) {
      read.kind = Kind::step;
    } else if (from.field >= names.first_stored && from.field < names.first_hidden) {
      read.kind = Kind::variable;
      read.variable = static_cast<int>(from.field - names.first_stored);
    } else if (names.common[from.field].name == model.extra) {
      read.kind = Kind::extra;
    } else {
      name = names.common[from.field].name;
      const auto mean = std::find_if(model.means.begin(), model.means.end(),
                                     [&](const auto& one) { return one.name == name; });
      if (mean == model.means.end()) {
        read.kind = Kind::place;
        n_by_cell_ +=
            static_cast<std::size_t>(std::count(model.by_cell.begin(), model.by_cell.end(), name));
      } else {
        read.kind = Kind::mean;
        read.variable = mean->variable;
        std::copy(mean->reach.begin(), mean->reach.end(), read.reach);
      }
    }
    terms_.inputs.push_back(read);
    input_names_.push_back(name);
  }
  if (model.in_a_row) n_by_cell_ += tables_in_a_row();
}

bool UserSources::changes(int variable) const {
  return std::any_of(terms_.programs.begin(), terms_.programs.end(),
                     [&](const exec::SourceProgram& p) { return p.variable == variable; });
}

double UserSources::words(const exec::StageUpdate<double>& update) const {
  using Kind = exec::SourceInput::Kind;
  const auto read =
      std::count_if(terms_.inputs.begin(), terms_.inputs.end(), [](const auto& input) {
        return input.kind == Kind::variable || input.kind == Kind::mean ||
               input.kind == Kind::extra;
      });
  const bool increment =
      update.write_increment && !exec::can_add_early(update) &&
      (update.form == exec::UpdateForm::stored || update.form == exec::UpdateForm::history);
  return static_cast<double>(read) +
         static_cast<double>(terms_.programs.size()) * (increment ? 4.0 : 2.0);
}

void UserSources::allocate(Precision precision,
                           const std::function<Place(const std::string& name)>& place,
                           const Queue& queue) {
  if (!any()) return;
  std::vector<std::vector<double>> values(terms_.inputs.size());
  for (std::size_t n = 0; n < terms_.inputs.size(); ++n) {
    if (terms_.inputs[n].kind != exec::SourceInput::Kind::place) continue;
    Place at = place(input_names_[n]);
    values[n] = std::move(at.values);
    for (std::size_t a = 0; a < 3; ++a) terms_.inputs[n].stride[a] = at.stride[a];
  }
  separate_parts(values);
  for (std::size_t n = 0; n < terms_.inputs.size(); ++n) {
    if (terms_.inputs[n].kind != exec::SourceInput::Kind::place) continue;
    numbers_.push_back(memory::copy_there(values[n], queue));
    terms_.inputs[n].values = numbers_.back().as<double>();
  }
  for (const std::shared_ptr<const config::Table>& table : tables_) {
    TableView view = table->view();
    std::size_t count = 1;
    const auto there = [&](const double* from, std::size_t n) {
      numbers_.push_back(memory::copy_there(std::vector<double>(from, from + n), queue));
      return numbers_.back().as<double>();
    };
    for (int a = 0; a < view.arguments; ++a) {
      const auto lines = static_cast<std::size_t>(view.axes[a].lines);
      view.axes[a].at = there(view.axes[a].at, lines);
      count *= lines;
    }
    view.values = there(view.values, count);
    terms_.tables.push_back(view);
  }
  terms_.precision = precision;
  exec::compile_sources(terms_, queue);
}

void UserSources::add(const exec::Launch& launch, const Index3& first, double fraction) const {
  if (!any()) return;
  exec::add_sources(terms_, launch, first, fraction);
}

void UserSources::add_early(const exec::Launch& launch, const Index3& first,
                            double fraction) const {
  if (any()) exec::add_sources_early(terms_, launch, first, fraction);
}

void UserSources::write_rates(const exec::Launch& launch, double fraction) const {
  exec::write_sources(terms_, launch, {0, 0, 0}, fraction);
}

void UserSources::write_side(const exec::Launch& launch, const Index3& first, double fraction,
                             const exec::SideValues& to) const {
  exec::write_side_values(terms_, launch, first, fraction, to);
}

}  // namespace watersmeet::systems
