#pragma once
// What can be known of the solution of a system: quantities, time series, profiles, and what is said of a run that ends or fails. What cases
// may write is known once they are configured, values once the state is there.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace watersmeet::systems {

// A derived quantity that can be written to snapshots. `when`: the cases that have it, "on a
// sphere"; empty: all. `former`: its name of before, which cases may still give it.
struct QuantityInfo {
  std::string name, long_name, units, standard_name;
  int components = 1;
  std::string when = {}, former = {};
};

// A column of the time series; `progress` columns also stand in the progress line with this format
// ("%+.1e"). The definition is one line for the reference; `when` and `former` as of a quantity: a
// resumed run continues a column of the former name under the present one. A run ends as failed
// where the magnitude is above `largest`; 0: it may have any.
struct SeriesColumn {
  std::string name, units;
  std::string progress_title, progress_format;
  std::string definition = {}, when = {}, former = {};
  double largest = 0;
};

// A derived field of three components whose spectra are written beside those of the velocity, in the
// columns NAME, NAMEx, NAMEy and NAMEz of spectra.csv.
struct SpectralField {
  std::string quantity, name, units, definition;
};

// A text file of output times, "surface_airfoil" and "csv" for surface_airfoil_000100.csv.
struct TextFile {
  std::string name, ending;
  std::string content;
};

class Observation {
 public:
  virtual ~Observation() = default;

  virtual std::vector<QuantityInfo> quantities() const = 0;
  virtual std::vector<std::string> default_fields() const = 0;
  virtual std::vector<SeriesColumn> series_columns() const = 0;
  // The stored velocity along x, y and z, whose shell-averaged spectra are taken; empty when
  // spectra make no sense or no such variables are stored. Keys of spectra are then refused.
  virtual std::vector<std::string> spectral_variables() const { return {}; }
  // Fields that have spectra beside those of the velocity.
  virtual std::vector<SpectralField> further_spectra() const { return {}; }
  // Text attributes for output headers, such as the forcing's wave vectors.
  virtual std::map<std::string, std::string> notes() const { return {}; }
  // Factors from code units to physical units ("mass", "length", "time"); empty when none were
  // given.
  virtual std::map<std::string, double> scales() const { return {}; }

  // Values of series_columns(), the same on all ranks, which all call. Waits for the device.
  virtual std::vector<double> series() = 0;
  // Averages over the planes across one axis: the coordinate of the planes first, then the
  // averages. Empty when the system has none; keys of profiles are then refused.
  virtual std::vector<SeriesColumn> profile_columns() const { return {}; }
  // A row of profile_columns() after the other, from the lowest plane to the highest; the same on
  // all ranks, which all call. Waits for the device.
  virtual std::vector<double> profiles() { return {}; }
  // Fills packed arrays [k][j][i][component] of boxes of this rank's part, one after the other, in
  // the run's precision, on the device. Ordered in the queue; collective, also those that
  // want no box.
  virtual void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) = 0;

  // Further files to be written with every snapshot, such as surface values. Collective; the
  // contents count on the first one.
  virtual std::vector<TextFile> text_files() { return {}; }

  // What is wrong with the values of variables() of one cell, as stored, in words that hold the
  // numbers: "pressure -1.2e9 below -p_c = -3.4e8; rho = 980, ..."; empty when a run can continue with
  // them. Not asked about values that are not finite. A run is stopped by a signal that is not a
  // number, so a cell like that must make it one.
  virtual std::string inadmissible(std::span<const double> values) const {
    (void)values;
    return {};
  }
  // How a run came to its end, where that is more than a time: "converged: residual 1e-8 after 412
  // cycles", or that it did not converge. Collective.
  virtual std::string termination_summary() { return {}; }
  // What to try after a run that failed, beside a smaller step: "numerics.riemann = \"hll\", which
  // is more dissipative".
  virtual std::vector<std::string> failure_hints() const { return {}; }
};

}  // namespace watersmeet::systems
