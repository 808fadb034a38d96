#pragma once
// The initial state of a case: an ordered list of entries, each of which puts fluid, density,
// pressure or velocity into its shape, over what the entries before it put there. The first has no
// shape and covers the grid. In a cell that a shape covers to the share a, each quantity q that the
// entry gives becomes q + a (q_entry - q): density, Gamma and Pi mix linearly, and pressure and
// velocity stay uniform across an interface unless the entry changes them.
//
// A shock is a half space that holds the state behind a shock into what lies beneath at its plane.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "systems/multicomponent/fluids.hpp"
#include "systems/multicomponent/initial/cell_average.hpp"
#include "systems/multicomponent/initial/shape_reader.hpp"

namespace watersmeet::multicomponent {

// Primitive values in the order of the arrays of InitialState::evaluate.
struct PointState {
  double rho = 0, u = 0, v = 0, w = 0, p = 0, Gamma = 0, Pi = 0;
};

// Largest magnitudes in the initial state: of density, of the velocity vector (0: the fluid rests
// everywhere), of pressure, Gamma and Pi.
struct Reference {
  double rho = 0, u = 0, p = 0, Gamma = 0, Pi = 0;
};

std::vector<config::Key> initial_keys();  // initial[].*

// Up to `most` of the indices first <= i < last, evenly chosen.
std::vector<std::int64_t> chosen(std::int64_t first, std::int64_t last, std::int64_t most);

class InitialState {
 public:
  enum Quantity : std::size_t { at_rho, at_u, at_v, at_w, at_p, at_Gamma, at_Pi, n_values };

  // Reads [[initial]]. Every fault goes into the input, with its place: of the list and its shapes,
  // of values outside the equation of state in constants and on a coarse sample of the cells, of
  // shocks. With faults in the input the state is not to be used.
  InitialState(config::Input& input, const std::vector<Fluid>& fluids, const CellGrid& grid);

  // Cell averages of rho, u, v, w, p, Gamma, Pi over a box of cells in the indices of the whole
  // grid: out[q] is a packed array [k][j][i] of the box. The same bits for a cell in whatever box.
  // Throws Error{user_input} for the first cell outside the equation of state, naming entry, cell,
  // place, value and limit. Rows in parallel; needs no memory beyond a few rows per thread.
  void evaluate(const Box& box, int threads, const std::array<double*, n_values>& out) const;
  // The same by one thread, for many small boxes: parsers are made once.
  // The state must outlive it.
  std::function<void(const Box&, const std::array<double*, n_values>&)> reader() const;

  // The state at one point, by one thread at a time: for boundary values.
  PointState state_at(const Real3& x) const;

  const Reference& reference() const { return reference_; }
  // Largest rise of the pressure across a shock of the list; 0 without one.
  double shock_jump() const { return shock_jump_; }
  // Text for output headers: the state behind each shock, "initial[1].shock".
  std::map<std::string, std::string> notes() const { return notes_; }

 private:
  // A quantity that an entry gives, and the key that gives it.
  struct Given {
    std::size_t quantity = 0;
    std::string key;  // "initial[1].pressure"
    config::Fault place;
    double number = 0;
    std::optional<CellExpression> expression;  // in place of the number
  };
  struct Entry {
    std::string path;
    std::shared_ptr<const Shape> shape;    // neither this nor `inside`: all the grid
    std::optional<CellExpression> inside;  // of a shape that is an expression
    double half_width = 0;
    std::vector<Given> given;

    bool covers_all() const { return !shape && !inside; }
  };
  // Copies of the entries with parsers of their own, and rows of values: one per thread.
  struct Scratch {
    std::vector<Entry> entries;
    std::vector<double> covered, values;
  };
  using Rows = std::array<double*, n_values>;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  struct Complaint {
    std::string key, message;
    config::Fault place;
  };

  // reader.cpp
  void read_entry(config::Input& input, std::size_t number, const std::vector<Fluid>& fluids);
  void read_quantities(config::Input& input, Entry& entry, const std::vector<Fluid>& fluids);
  void check_constants(config::Input& input, const Entry& entry, const Fluid* fluid) const;
  void add_number(const config::Input& input, Entry& entry, std::size_t quantity,
                  const std::string& key, double number) const;
  void add_expression(const config::Input& input, Entry& entry, std::size_t quantity,
                      const std::string& key, const std::string& text) const;
  // shock.cpp
  bool place_shock(config::Input& input, Entry& entry, const ShockRequest& request);
  bool find_state_ahead(config::Input& input, const std::string& key, const ShockRequest& request,
                        PointState& ahead) const;
  // sample.cpp
  void sample(config::Input& input);
  void sample_entry(Entry entry);

  // state.cpp: fills the row, cut to what is covered; false when nothing is.
  bool cover_row(Entry& entry, Row& part, std::vector<double>& covered) const;
  void fill_row(Scratch& scratch, const Row& row, const Rows& out) const;
  std::int64_t fill_row_of(Scratch& scratch, const Box& box, std::int64_t j, std::int64_t k,
                           const Rows& out) const;
  [[noreturn]] void refuse_cell(const Box& box, std::int64_t number) const;
  PointState cell_state(Scratch& scratch, const Index3& cell) const;
  // What is wrong with a state of a cell, and which key gave it.
  std::optional<Complaint> complaint(Scratch& scratch, const Index3& cell) const;

  CellGrid grid_;
  config::Constants constants_;
  std::vector<Entry> entries_;
  Reference reference_;
  double shock_jump_ = 0;
  std::map<std::string, std::string> notes_;
  mutable std::vector<Entry> at_points_;  // copies for state_at()
};

}  // namespace watersmeet::multicomponent
