#pragma once
// Tables of a case, [tables.NAME], from netCDF-4 and HDF5 files: a field with its coordinates; and
// from text files of columns (column_file.hpp).

#include "config/table.hpp"

namespace watersmeet::io {

// The field's axes from the last, which is the first argument, to the first; axes of one entry,
// such as the time of a map, are no arguments. Coordinates are the dimension scales of the field
// or, where an axis has none, the dataset x, y or z beside it. Numbers are unpacked by the
// attributes scale_factor and add_offset. Throws Error with what is wrong.
config::Table read_table(const config::TableSource& source);

}  // namespace watersmeet::io
