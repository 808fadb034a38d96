// The forcing and the body acceleration of systems of central differences.
#include "systems/central_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exec/clock_access.hpp"

namespace watersmeet::systems {

void CentralSystem::allocate_state(const Placement& placement) {
  ExplicitSystem::allocate_state(placement);
  if (forcing_.place != ForcingPlace::none) allocate_forcing(domain_->block(0));
  allocate_passes();
  synchronize(queue_);
  tabulate_acceleration();
}

void CentralSystem::allocate_forcing(const mesh::Block& block) {
  wave_buffer_ = memory::Buffer(memory::working_space(queue_.backend),
                                waves_.vectors.size() * sizeof(waves_.vectors[0]));
  copy_bytes(wave_buffer_.start(), waves_.vectors.data(), wave_buffer_.bytes(), queue_);
  forcing_.wave_vectors = wave_buffer_.as<std::int32_t>();
  // The tables are padded, because the last pack of a row reads beyond the last point.
  std::int64_t at = 8;
  for (std::size_t a = 0; a < 3; ++a) {
    forcing_.first[a] = block.origin[a];
    forcing_.table_size[a] = block.n[a] + 32;
    forcing_.table_offset[a] = table_offset_[a] = at;
    at += 2 * forcing_.table_size[a];
  }
  forcing_table_bytes_ = static_cast<std::size_t>(at) * size_of(precision_);
  const std::size_t steps = static_cast<std::size_t>(std::max(1, fused_steps()));
  forcing_tables_ =
      memory::Buffer(memory::working_space(queue_.backend), steps * forcing_table_bytes_);
  fill_bytes(forcing_tables_.start(), 0, forcing_tables_.bytes(), queue_);
  forcing_.table = forcing_tables_.start();
}

void CentralSystem::set_place(const Index3& first, int step) {
  if (forcing_.place == ForcingPlace::none) return;
  for (std::size_t a = 0; a < 3; ++a) forcing_.table_offset[a] = table_offset_[a] + first[a];
  forcing_.table =
      forcing_tables_.as<std::byte>() + static_cast<std::size_t>(step) * forcing_table_bytes_;
}

void CentralSystem::begin_step_of_visit(int step, const exec::StepRule& rule, double t_limit,
                                        exec::Clock& clock, exec::Clock* there) {
  if (forcing_.place == ForcingPlace::none)
    return ExplicitSystem::begin_step_of_visit(step, rule, t_limit, clock, there);
  exec::write_clock(there, clock, queue_);
  set_place({0, 0, 0}, step);
  loops().begin_step(rule, t_limit, true, there, queue_);
  clock = exec::read_clock(there, queue_);
}

void CentralSystem::tabulate_acceleration() {
  if (acceleration_.empty()) return;
  for (int a = 0; a < 3; ++a)
    set_variable(fixed_, a, acceleration_[static_cast<std::size_t>(a)], acceleration_place_, false);
  if (!streamed()) set_fixed(fixed_.start(0), &fixed_.layout(0));
}

void CentralSystem::set_fixed(const void* fixed, const BlockLayout* layout) {
  common_.acceleration = fixed;
  common_.acceleration_layout = layout;
}

std::map<std::string, std::string> CentralSystem::notes() const {
  std::map<std::string, std::string> notes;
  if (forcing_.place != ForcingPlace::none) {
    notes["forcing_wavevectors"] = std::to_string(waves_.vectors.size());
    notes["forcing_mean_wavenumber"] = fmt::format("{:.17g}", waves_.mean_wavenumber);
    notes["forcing_energy_input"] = fmt::format("{:.17g}", forcing_.amplitude * forcing_.amplitude *
                                                               std::pow(forcing_.sound_speed, 3) *
                                                               waves_.mean_wavenumber / 4.0);
  }
  return notes;
}

}  // namespace watersmeet::systems
