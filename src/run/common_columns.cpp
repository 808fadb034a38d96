#include "run/common_columns.hpp"

namespace watersmeet::run {

std::vector<systems::SeriesColumn> common_series_columns() {
  return {{"t", "time", "", "", "Time; of a steady run the number of cycles."},
          {"dt", "time", "", "", "Length of the last step; 0 in the first row."}};
}

std::vector<systems::SeriesColumn> spectrum_columns() {
  const std::string energy = "length^2/time^2";
  return {
      {"t", "time", "", "", "Time."},
      {"k", "2 pi/length", "", "",
       "Number of the shell k - 1/2 <= |n| < k + 1/2 of wave vectors n, in units of the smallest "
       "wave number of the longest side."},
      {"E", energy, "", "",
       "Sum over the shell of |u_n|^2/2, u_n the Fourier coefficients of the velocity: summed "
       "over k it is <|u|^2>/2."},
      {"Ex", energy, "", "", "The part of u_x in it."},
      {"Ey", energy, "", "", "The part of u_y in it."},
      {"Ez", energy, "", "", "The part of u_z in it."}};
}

std::vector<systems::SeriesColumn> columns_of(const systems::SpectralField& field) {
  std::vector<systems::SeriesColumn> columns = {
      {field.name, field.units, "", "", field.definition}};
  for (const char axis : {'x', 'y', 'z'}) {
    columns.push_back({field.name + axis, field.units, "", "",
                       std::string("The part of the component along ") + axis + " in it."});
  }
  return columns;
}

}  // namespace watersmeet::run
