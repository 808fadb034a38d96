#include "run/sampling/average_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "exec/average.hpp"
#include "run/sampling/case_faults.hpp"

namespace watersmeet::run {
namespace {

using config::FaultKind;

std::string path_of_average(std::size_t number) {
  return fmt::format("output.average[{}]", number);
}

// Without spaces around, "  rho * u " -> "rho * u".
std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  return first == std::string::npos
             ? ""
             : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// "rho*velocity.x" -> "rho_velocity_x": a name in files.
std::string name_from(const std::string& expression) {
  std::string name;
  for (const char c : expression) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (kept) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

// "a, b" at the comma that is in no parentheses; empty where there are not two parts.
std::vector<std::string> two_parts(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = trimmed(part);
  const bool two = parts.size() == 2 && !parts[0].empty() && !parts[1].empty();
  return two ? parts : std::vector<std::string>{};
}

// Dimension of a product.
std::string product_of(const std::string& a, const std::string& b) {
  if (a == "unknown" || b == "unknown") return "unknown";
  if (a == "1") return b;
  if (b == "1") return a;
  return a == b ? fmt::format("({})^2", a) : fmt::format("({}) ({})", a, b);
}

// Reads the averages of a case one after the other.
class AverageReader : EntryReader {
 public:
  AverageReader(const config::Input& input, const systems::System& system, Report report)
      : EntryReader(input, std::move(report)),
        system_(system),
        quantities_(system.quantities()),
        fields_(field_names(quantities_)) {}

  AverageCases all() {
    each("output.average", {"name"},
         {"mean", "variance", "covariance", "from", "every", "sample_every_steps", "profile",
          "fields"},
         [this] { read(); });
    result_.fields = needed_fields(quantities_, inputs_);
    return std::move(result_);
  }

 private:
  void read() {
    one_ = {};
    faulty_ = false;
    one_.name = read_name(input_, path_, "average", names_, report_);
    read_window();
    const std::size_t before = inputs_.size();
    for (const char* const kind : {"mean", "variance", "covariance"}) read_terms(kind);
    if (one_.terms.empty() && inputs_.size() == before && !faulty_)
      refuse(
          FaultKind::missing_key, ".mean", "average `" + one_.name + "` has nothing to average",
          "give it mean, variance or covariance, such as mean = [\"" + quantities_[0].name + "\"]");
    if (one_.expressions.size() > exec::most_averaged) {
      refuse(FaultKind::range, ".name",
             fmt::format("average `{}` has {} different expressions, with each component of a "
                         "vector for one; at most {} are summed together",
                         one_.name, one_.expressions.size(), exec::most_averaged),
             "write a second [[output.average]] with some of them");
    }
    result_.cases.push_back(one_);
  }

  void read_window() {
    if (system_.most_steps() > 0) {
      refuse(FaultKind::conflict, ".name",
             "the case looks for a steady state: its cycles are no times to average over",
             "remove [[output.average]], or set time.mode to one that follows the flow in time");
    }
    if (input_.is_set(path_ + ".from")) one_.from = input_.duration(path_ + ".from");
    if (input_.is_set(path_ + ".every")) one_.every = input_.duration(path_ + ".every");
    one_.sample_every_steps = input_.integer(path_ + ".sample_every_steps");
    one_.fields = input_.boolean(path_ + ".fields");
    if (!input_.is_set(path_ + ".profile")) {
      if (!one_.fields)
        refuse(FaultKind::conflict, ".fields",
               "average `" + one_.name + "` would be written nowhere",
               "give it a profile, or remove this key");
      return;
    }
    one_.profile_axis = input_.text(path_ + ".profile")[0] - 'x';
    const mesh::GridDescription& grid = system_.grid();
    if (!input_.has_faults() && grid.kind != mesh::GridKind::box) {
      refuse(FaultKind::conflict, ".profile",
             grid.kind == mesh::GridKind::moved_box
                 ? "the levels of this grid follow the terrain: there are no planes to average over"
             : grid.kind == mesh::GridKind::cubed_sphere
                 ? "a sphere has no planes across an axis to average over"
                 : "curvilinear blocks have no planes across an axis to average over",
             "remove this key; the fields of the average are written in cells");
    }
  }

  void read_terms(const std::string& kind) {
    const std::string path = path_ + "." + kind;
    if (!input_.is_set(path)) return;
    const std::vector<std::string> texts = input_.texts(path);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      place_ = fmt::format("{}[{}]", path, t);
      if (kind == "covariance") {
        read_covariance(texts[t]);
      } else {
        read_term(kind, trimmed(texts[t]));
      }
    }
  }

  void add(AverageTerm term) {
    const bool twice =
        std::any_of(one_.terms.begin(), one_.terms.end(),
                    [&](const AverageTerm& other) { return other.name == term.name; });
    if (twice) {
      report_(
          FaultKind::conflict, place_,
          fmt::format("average `{}` would have two fields of the name `{}`", one_.name, term.name),
          "list each expression once, and put those that differ in operators alone into two "
          "averages");
      faulty_ = true;
      return;
    }
    one_.terms.push_back(std::move(term));
  }

  // Mean or variance of an expression, or of all components of a vector.
  void read_term(const std::string& kind, const std::string& text) {
    AverageTerm term{name_from(text) + "_" + kind,
                     fmt::format("{} of {}", kind, text),
                     dimension_of(text, quantities_),
                     kind != "mean",
                     {}};
    if (term.moment) term.units = product_of(term.units, term.units);
    const auto vector = std::find_if(quantities_.begin(), quantities_.end(), [&](const auto& q) {
      return q.name == text && q.components == 3;
    });
    std::vector<std::string> parts = {text};
    if (vector != quantities_.end()) parts = {text + ".x", text + ".y", text + ".z"};
    for (const std::string& part : parts) {
      const int number = expression(part);
      if (number < 0) return;
      term.sums.push_back(term.moment ? pair(number, number) : number);
    }
    add(std::move(term));
  }

  void read_covariance(const std::string& text) {
    const std::vector<std::string> parts = two_parts(text);
    if (parts.empty()) {
      report_(FaultKind::bad_value, place_,
              "`" + text + "` is not two expressions with a comma between",
              "such as \"velocity.x, velocity.y\"");
      faulty_ = true;
      return;
    }
    const int a = expression(parts[0]), b = expression(parts[1]);
    if (a < 0 || b < 0) return;
    add({name_from(parts[0]) + "_" + name_from(parts[1]) + "_covariance",
         fmt::format("covariance of {} and {}", parts[0], parts[1]),
         product_of(dimension_of(parts[0], quantities_), dimension_of(parts[1], quantities_)),
         true,
         {pair(a, b)}});
  }

  // Number of an expression; -1 where it has faults.
  int expression(const std::string& text) {
    const auto known = std::find(one_.expressions.begin(), one_.expressions.end(), text);
    if (known != one_.expressions.end()) return static_cast<int>(known - one_.expressions.begin());
    const auto faults = config::check_program(text, fields_, input_.constants());
    for (const config::ExpressionFault& fault : faults)
      report_(FaultKind::bad_expression, place_, "in `" + text + "`: " + fault.message,
              fault.suggestion);
    if (!faults.empty()) {
      faulty_ = true;
      return -1;
    }
    one_.expressions.push_back(text);
    one_.programs.push_back(config::compile_program(text, fields_, input_.constants(), inputs_));
    return static_cast<int>(one_.expressions.size()) - 1;
  }

  int pair(int a, int b) {
    const std::pair<int, int> wanted = std::minmax(a, b);
    const auto known = std::find(one_.pairs.begin(), one_.pairs.end(), wanted);
    if (known != one_.pairs.end()) return static_cast<int>(known - one_.pairs.begin());
    one_.pairs.push_back(wanted);
    return static_cast<int>(one_.pairs.size()) - 1;
  }

  const systems::System& system_;
  std::vector<systems::QuantityInfo> quantities_;
  std::vector<config::FieldName> fields_;
  std::vector<config::FieldInput> inputs_;
  AverageCases result_;
  AverageCase one_;
  std::string place_;  // of the expression that is being read
  bool faulty_ = false;
};

}  // namespace

std::string AverageCase::definition() const {
  std::vector<std::string> of_pairs;
  for (const auto& [a, b] : pairs) of_pairs.push_back(fmt::format("{} {}", a, b));
  return fmt::format("from {:.17g} every {:.17g} sample_every_steps {} expressions {} pairs {}",
                     from, every, sample_every_steps, fmt::join(expressions, "; "),
                     fmt::join(of_pairs, "; "));
}

std::size_t AverageCases::checkpoint_bytes_per_cell() const {
  std::size_t sums = 0;
  for (const AverageCase& one : cases) sums += one.sums();
  return sums * sizeof(double);
}

std::size_t AverageCases::bytes_per_cell(Precision precision) const {
  return checkpoint_bytes_per_cell() + fields.bytes_per_cell(precision);
}

void check_averages(config::Input& input, const systems::System& system) {
  AverageReader(input, system, report_into(input)).all();
  if (input.has_faults() || !input.is_set("time.end")) return;
  // A remark alone: a run that is shortened for a trial is not refused.
  for (std::size_t a = 0; a < input.count("output.average"); ++a) {
    const std::string path = path_of_average(a) + ".from";
    if (input.duration(path) < input.duration("time.end")) continue;
    input.note(
        FaultKind::range, path,
        fmt::format("average `{}` would begin when the run has ended, at time.end = {:g} ({})",
                    input.text(path_of_average(a) + ".name"), input.duration("time.end"),
                    input.origin("time.end")));
  }
}

AverageCases averages_of(const config::Input& input, const systems::System& system) {
  return AverageReader(input, system, no_faults()).all();
}

}  // namespace watersmeet::run
