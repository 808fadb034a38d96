#pragma once
// Time series and spectra as text that survives a kill: one flushed line per row, cut back on
// resume, and turned into series.h5 at the end of a run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace watersmeet::io {

struct SeriesColumn {
  std::string name, units;  // neither holds a comma, quote or line end
  std::string former = {};  // its name in older files, which resumed runs continue
};

// A CSV file: line 1 the column names, the first always `step`; line 2 "# units: " and the units in
// the same order; then rows, numbers as %.17g. series.csv has one row per step; spectra.csv has
// many (one per wave number).
class SeriesFile {
 public:
  // Starts a new file (replacing one that is there), or, with resume_step, continues an existing
  // one after dropping the rows of later steps and a last line cut short by a kill (rewritten
  // atomically). Columns may be others then: in rows of before those that are new hold nan, and
  // columns that the run has no longer stay, last, with nan from here on. A column in another unit
  // than before is refused. Errors: Error{io}.
  SeriesFile(std::string path, std::vector<SeriesColumn> columns,
             std::optional<std::int64_t> resume_step = std::nullopt);
  SeriesFile(SeriesFile&& other) noexcept;
  SeriesFile& operator=(SeriesFile&&) = delete;
  ~SeriesFile();

  // Appends one or more rows of one step: values holds, row after row, one number per column but
  // `step`. On the disk's way when it returns (one write call); Error{io} when the disk is full,
  // the rows are then not in the file.
  void append(std::int64_t step, const std::vector<double>& values);

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<SeriesColumn> columns_;  // without step
  std::size_t former_ = 0;             // columns after these, of an earlier launch alone
  int descriptor_ = -1;
};

// A CSV file read back; columns[0] is step.
struct SeriesTable {
  std::vector<SeriesColumn> columns;
  std::vector<std::vector<double>> rows;
};
SeriesTable read_series(const std::string& path);

// Makes DIRECTORY/series.h5 from series.csv and, if present, spectra.csv and profiles.csv
// (atomically). Layout: docs/reference/files.md. spectra.csv: columns step, t, k, then one per
// spectrum (profiles.csv: the coordinate of the planes for k); every time has
// the same k. Errors: Error{io}.
void write_series_h5(const std::string& directory);

}  // namespace watersmeet::io
