#include "exec/time_scheme.hpp"

#include "core/error.hpp"
#include "schemes/tableau.hpp"

namespace watersmeet::exec {

namespace {
constexpr const char* fourth_order = "rk4-carpenter-kennedy";
}

int TimeScheme::words_of_stage(std::size_t s) const {
  return 2 + (stages[s].read_old ? 1 : 0) + (stages[s].write_increment ? 1 : 0);
}

std::vector<std::string> time_scheme_names() {
  std::vector<std::string> names;
  for (const schemes::SspScheme& table : schemes::ssp_schemes()) names.emplace_back(table.name);
  names.emplace_back(fourth_order);
  return names;
}

TimeScheme time_scheme(const std::string& name) {
  for (const schemes::SspScheme& table : schemes::ssp_schemes()) {
    if (table.name != name) continue;
    TimeScheme scheme{name,
                      UpdateForm::base,
                      {},
                      schemes::stage_times(table),
                      schemes::amplification(table),
                      table.largest_euler};
    const std::size_t n = table.a.size();
    for (std::size_t s = 0; s < n; ++s) {
      scheme.stages.push_back({.form = UpdateForm::base,
                               .a = table.a[s],
                               .b = table.b[s],
                               .read_old = table.a[s] > 0,
                               .write_increment = false,
                               .last = s + 1 == n});
    }
    return scheme;
  }
  for (const schemes::LowStorageScheme& table : schemes::low_storage_schemes()) {
    if (table.name != name) continue;
    TimeScheme scheme{
        name, UpdateForm::stored, {}, schemes::stage_times(table), schemes::amplification(table), 1,
        false};
    const std::size_t n = table.alpha.size();
    for (std::size_t s = 0; s < n; ++s) {
      scheme.stages.push_back({.form = UpdateForm::stored,
                               .a = table.alpha[s],
                               .b = table.beta[s],
                               .read_old = s > 0,
                               .write_increment = s + 1 < n,
                               .last = s + 1 == n});
    }
    return scheme;
  }
  throw Error(ErrorKind::internal, "no time scheme " + name);
}

}  // namespace watersmeet::exec
