#pragma once
// Columns that the tables of all systems have, besides `step`, which is always the first. For the
// columns of one system see systems/outputs.hpp.

#include <vector>

#include "systems/observation.hpp"

namespace watersmeet::run {

// The columns of the time series that all systems have: t and dt.
std::vector<systems::SeriesColumn> common_series_columns();
// The columns of spectra.csv: t, k, and the energy of the velocity with its three parts.
std::vector<systems::SeriesColumn> spectrum_columns();
// The columns of spectra.csv for a further vector field of a system: its spectrum and the three parts of it.
std::vector<systems::SeriesColumn> columns_of(const systems::SpectralField& field);

}  // namespace watersmeet::run
