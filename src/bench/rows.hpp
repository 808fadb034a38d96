#pragma once
// The rows of a benchmark: grids times variants, less those that were not asked for.

#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::bench {

struct BenchRow {
  Index3 cells{};
  systems::BenchVariant variant;
};

// "256" is a cube, "512x512x256" a box; of a system of `planes` "256" and "512x256" have one cell
// along z. Error{user_input} for anything else.
Index3 cells_of(const std::string& text, bool planes);
std::string cells_text(const Index3& cells);  // "512x512x256"

// A system whose own grids have one of a single cell along z is one of planes.
// What --set gives to a key of a label, or to the precision, stands in the rows' labels; rows that it makes alike are
// one row. Error{user_input} for keys that rows have without a label of their name: grid, Bench::fixed.
// Rows of one precision where --precision says so, and with all the words of --only among
// their precision and labels, "march" or "schedule=march". Error{user_input} with the words there
// are when none is left.
std::vector<BenchRow> rows_of(const systems::Bench& bench, const BenchOptions& options);

}  // namespace watersmeet::bench
