// watersmeet::Poisson for Python.
#include "watersmeet/poisson.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace watersmeet::python {

namespace {
using Sides = std::array<int, 6>;  // values of PoissonBoundary

class BoxPoisson {
 public:
  BoxPoisson(const std::array<std::int64_t, 3>& cells, const std::array<double, 3>& length,
             const std::array<std::vector<double>, 3>& faces, const Sides& sides,
             const std::string& method, const std::string& device, int threads,
             bool single_precision, bool remove_mean, double tolerance, int most_cycles)
      : poisson_(box_of(cells, length, faces, sides), {.method = method,
                                                       .device = device,
                                                       .threads = threads,
                                                       .single_precision = single_precision,
                                                       .remove_mean = remove_mean,
                                                       .tolerance = tolerance,
                                                       .most_cycles = most_cycles}),
        cells_(cells) {}

  nb::tuple solve(const GivenArray& rhs, const GivenArray& guess) {
    std::vector<double> phi(guess.data(), guess.data() + guess.size());
    PoissonReport report;
    {
      const nb::gil_scoped_release released;
      report = poisson_.solve({rhs.data(), rhs.size()}, phi);
    }
    std::vector<std::size_t> shape;
    for (const std::size_t a : {2u, 1u, 0u}) shape.push_back(static_cast<std::size_t>(cells_[a]));
    return nb::make_tuple(own_array(std::move(phi), shape), report.cycles, report.residual);
  }
  std::string method() const { return poisson_.method(); }
  std::string describe() const { return poisson_.describe(); }

 private:
  static PoissonBox box_of(const std::array<std::int64_t, 3>& cells,
                           const std::array<double, 3>& length,
                           const std::array<std::vector<double>, 3>& faces, const Sides& sides) {
    PoissonBox box{.cells = cells, .length = length, .faces = faces, .sides = {}};
    for (std::size_t s = 0; s < sides.size(); ++s)
      box.sides[s] = static_cast<PoissonBoundary>(sides[s]);
    return box;
  }

  Poisson poisson_;
  std::array<std::int64_t, 3> cells_;
};
}  // namespace

void bind_poisson(nb::module_& module) {
  nb::class_<BoxPoisson>(module, "BoxPoisson")
      .def(nb::init<const std::array<std::int64_t, 3>&, const std::array<double, 3>&,
                    const std::array<std::vector<double>, 3>&, const Sides&, const std::string&,
                    const std::string&, int, bool, bool, double, int>(),
           nb::arg("cells"), nb::arg("length"), nb::arg("faces"), nb::arg("sides"),
           nb::arg("method"), nb::arg("device"), nb::arg("threads"), nb::arg("single_precision"),
           nb::arg("remove_mean"), nb::arg("tolerance"), nb::arg("most_cycles"))
      .def("solve", &BoxPoisson::solve, nb::arg("rhs"), nb::arg("guess"))
      .def_prop_ro("method", &BoxPoisson::method)
      .def("describe", &BoxPoisson::describe);
}

}  // namespace watersmeet::python
