#pragma once
// Columns that the tables of every system have, beside `step`, which is always the first; their own
// are in systems/outputs.hpp.

#include <vector>

#include "systems/observation.hpp"

namespace watersmeet::run {

std::vector<systems::SeriesColumn> common_series_columns();
std::vector<systems::SeriesColumn> spectrum_columns();
// The columns of spectra.csv that a derived field has.
std::vector<systems::SeriesColumn> columns_of(const systems::SpectralField& field);

}  // namespace watersmeet::run
