#include "systems/multicomponent/time_scheme.hpp"

#include "core/error.hpp"
#include "schemes/tableau.hpp"
#include "systems/multicomponent/stage_weights.hpp"

namespace watersmeet::multicomponent {

namespace {
TimeScheme shu_osher() {
  TimeScheme scheme{"ssp-rk3", exec::UpdateForm::base, {}, {}};
  const double a[3] = {0, 3. / 4, 1. / 3}, b[3] = {1, 1. / 4, 2. / 3};
  for (int s = 0; s < 3; ++s) {
    scheme.stages.push_back({exec::UpdateForm::base, a[s], b[s], s > 0, false, s == 2});
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
  if (name == "ssp-rk3") return shu_osher();
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
