#pragma once
// The stages of a direct solver behind two interfaces: the transform along x or y that turns cells
// into modes, and the tridiagonal systems along z of all modes. A direct solve is
//
//   rhs --x--> --y--> columns --y back--> --x back--> phi
//
// on one array of the shape of the part; every transform takes n numbers of a line to n numbers, so
// that Fourier, cosine, sine and dense transforms can be mixed.

#include <memory>
#include <string>
#include <vector>

#include "comm/team.hpp"
#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/clock.hpp"
#include "solve/poisson/columns.hpp"
#include "solve/poisson/problem.hpp"
#include "solve/poisson/solver.hpp"

namespace watersmeet::solve {

// Values [k][j][i] in working memory, i contiguous.
struct CellArray {
  void* start = nullptr;
  std::int64_t stride_j = 0, stride_k = 0;
};

class AxisTransform {
 public:
  virtual ~AxisTransform() = default;
  virtual std::string name() const = 0;  // "cosine", "dense"
  // mu of every mode in its order; that of constants, where there is one, is 0 and the first.
  virtual const std::vector<double>& eigenvalues() const = 0;
  // Whether `to` may be `from`.
  virtual bool in_place() const { return true; }
  // backward() undoes forward(), and leaves `to` as it is when a clock is given that is not active;
  // a transform that does not work in place is given none.
  virtual void forward(const CellArray& from, const CellArray& to) = 0;
  virtual void backward(const CellArray& from, const CellArray& to, const exec::Clock* clock) = 0;
};

// The transforms along x and y in one launch each way: a plane that has been transformed along one
// axis is still in the cache when its turn comes along the other.
class PlaneTransform {
 public:
  virtual ~PlaneTransform() = default;
  virtual void forward(const CellArray& from, const CellArray& to) = 0;
  // Transforms the divergence of a velocity.
  virtual void forward(const FaceField& faces, const CellArray& to) = 0;
  // As AxisTransform's, in place but for the last axis.
  virtual void backward(const CellArray& modes, const CellArray& to, const exec::Clock* clock) = 0;
};

// Everything that a column solver must know.
struct ColumnPlan {
  std::vector<CellWeights<double>> cells;  // of a whole column
  std::vector<double> widths, distances;   // of cells; of faces 0 .. nz
  std::vector<double> mu_x, mu_y;
  bool periodic = false, singular = false;
  // Which cells of a column are on which rank: slab s has cells first[s] .. first[s + 1].
  std::vector<std::int64_t> first;
  std::vector<int> ranks;  // of the slabs
  int mine = 0;

  ColumnPlan(const PoissonProblem& problem, std::vector<double> along_x,
             std::vector<double> along_y);
  int slabs() const { return static_cast<int>(ranks.size()); }
  std::int64_t cells_of(int slab) const {
    return first[static_cast<std::size_t>(slab) + 1] - first[static_cast<std::size_t>(slab)];
  }
  std::int64_t most_cells() const;  // of a slab
  std::int64_t begin() const { return first[static_cast<std::size_t>(mine)]; }
  std::int64_t here() const { return cells_of(mine); }
};

class ColumnSolver {
 public:
  virtual ~ColumnSolver() = default;
  virtual void solve(const CellArray& modes) = 0;  // in place
};

// Elements from row to row of the array of modes: rows begin on 128-byte lines, and what is behind
// the last mode may be overwritten.
std::int64_t mode_pitch(std::int64_t nx, Precision precision);

// cells: of this rank's part. Uniform axes:
std::unique_ptr<AxisTransform> make_line_transform(const PoissonProblem& problem, int axis,
                                                   const Index3& cells, Precision precision,
                                                   const Queue& queue);
// Both axes uniform and of several cells, on a GPU.
std::unique_ptr<PlaneTransform> make_plane_transform(const PoissonProblem& problem,
                                                     const Index3& cells, Precision precision,
                                                     const Queue& queue);
// Any axis:
std::unique_ptr<AxisTransform> make_dense_transform(const PoissonProblem& problem, int axis,
                                                    const Index3& cells, Precision precision,
                                                    const Queue& queue);
std::unique_ptr<ColumnSolver> make_columns(const ColumnPlan& plan, Precision precision,
                                           comm::Team& team, const Queue& queue);

}  // namespace watersmeet::solve
