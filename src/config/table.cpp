#include "config/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::config {
namespace {

constexpr std::array<const char*, 3> ordinals = {"first", "second", "third"};

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::user_input, message);
}

void check_axis(const Table::Axis& axis, std::size_t number) {
  const std::string name = fmt::format("coordinates of the {} argument", ordinals[number]);
  for (std::size_t i = 1; i < axis.at.size(); ++i) {
    if (axis.at[i - 1] < axis.at[i]) continue;
    refuse(fmt::format("{}: {:g} is followed by {:g}; they must rise or fall throughout", name,
                       axis.at[i - 1], axis.at[i]));
  }
  const double span = axis.at.back() - axis.at.front();
  if (!std::isfinite(span)) refuse(name + " are not finite");
  if (axis.period != 0 && axis.period < span) {
    refuse(fmt::format("the period {:g} is shorter than the {:g} that the {} span", axis.period,
                       span, name));
  }
}

// Turns round the lines of one axis, so that its coordinates rise.
void turn(std::vector<Table::Axis>& axes, std::vector<double>& values, std::size_t number) {
  std::size_t inner = 1;
  for (std::size_t a = 0; a < number; ++a) inner *= axes[a].at.size();
  const std::size_t n = axes[number].at.size();
  for (std::size_t block = 0; block < values.size(); block += inner * n) {
    for (std::size_t i = 0; i < n / 2; ++i) {
      const auto one = values.begin() + static_cast<std::ptrdiff_t>(block + i * inner);
      const auto other = values.begin() + static_cast<std::ptrdiff_t>(block + (n - 1 - i) * inner);
      std::swap_ranges(one, one + static_cast<std::ptrdiff_t>(inner), other);
    }
  }
  std::reverse(axes[number].at.begin(), axes[number].at.end());
}

}  // namespace

Table::Table(std::vector<Axis> axes, std::vector<double> values)
    : axes_(std::move(axes)), values_(std::move(values)) {
  require(!axes_.empty() && axes_.size() <= 3, "a table has one to three arguments");
  std::size_t count = 1;
  for (const Axis& axis : axes_) count *= axis.at.size();
  require(count == values_.size() && count > 0, "a table has a number at every crossing of lines");
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (axes_[a].at.front() > axes_[a].at.back()) turn(axes_, values_, a);
    check_axis(axes_[a], a);
  }
  const auto bad = std::count_if(values_.begin(), values_.end(),
                                 [](double value) { return !std::isfinite(value); });
  if (bad > 0) {
    refuse(fmt::format("not finite or missing: {} of {} numbers; fill the gaps first", bad, count));
  }
}

TableView Table::view() const {
  TableView table{static_cast<int>(axes_.size()), {}, values_.data()};
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    table.axes[a] = {axes_[a].at.data(), static_cast<std::int64_t>(axes_[a].at.size()),
                     axes_[a].period};
  }
  return table;
}

}  // namespace watersmeet::config
