#include "systems/multicomponent/time_scheme.hpp"

#include "core/error.hpp"
#include "exec/stage_weights.hpp"
#include "schemes/tableau.hpp"

namespace watersmeet::multicomponent {

namespace {
TimeScheme leaning_on_the_beginning(const schemes::SspScheme& table) {
  TimeScheme scheme{std::string(table.name), exec::UpdateForm::base, {}, {}};
  const std::size_t n = table.a.size();
  for (std::size_t s = 0; s < n; ++s) {
    scheme.stages.push_back(
        {exec::UpdateForm::base, table.a[s], table.b[s], s > 0, false, s + 1 == n});
  }
  return scheme;
}

TimeScheme stored_increment(const schemes::LowStorageScheme& table) {
  TimeScheme scheme{std::string(table.name), exec::UpdateForm::stored, {}, {}};
  const std::size_t n = table.alpha.size();
  for (std::size_t s = 0; s < n; ++s) {
    scheme.stages.push_back(
        {exec::UpdateForm::stored, table.alpha[s], table.beta[s], s > 0, s + 1 < n, s + 1 == n});
  }
  return scheme;
}

TimeScheme with_stages_of(const std::string& name) {
  for (const schemes::SspScheme& table : schemes::ssp_schemes()) {
    if (table.name == name) return leaning_on_the_beginning(table);
  }
  for (const schemes::LowStorageScheme& table : schemes::low_storage_schemes()) {
    if (table.name == name) return stored_increment(table);
  }
  throw Error(ErrorKind::internal, "no time scheme " + name);
}
}  // namespace

int TimeScheme::words_of_stage(std::size_t s) const {
  return 2 + (stages[s].read_old ? 1 : 0) + (stages[s].write_increment ? 1 : 0);
}

std::vector<std::string> time_scheme_names() { return {"rk3-cubism", "rk3-williamson", "ssp-rk3"}; }

TimeScheme time_scheme(const std::string& name) {
  TimeScheme scheme = with_stages_of(name);
  scheme.times = stage_times(scheme.stages);
  return scheme;
}

}  // namespace watersmeet::multicomponent
