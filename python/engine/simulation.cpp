// watersmeet::Simulation for Python: who may use it when, and its memory as arrays.
#include "watersmeet/simulation.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "module.hpp"
#include "watersmeet/commands.hpp"

namespace nb = nanobind;

namespace watersmeet::python {

namespace {
using Clock = std::chrono::steady_clock;

// Asks Python, a few times a second, whether a signal such as that of Ctrl-C has come. Its handler
// runs here; what it raises ends the steps and is raised when they have ended.
class Interrupt {
 public:
  bool operator()() {
    if (raised_) return true;
    const Clock::time_point now = Clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(50);
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) raised_.emplace();
    return raised_.has_value();
  }
  void raise() {
    if (raised_) throw std::move(*raised_);
  }

 private:
  Clock::time_point next_ = Clock::now();
  std::optional<nb::python_error> raised_;
};

// A simulation, one thread at a time, and how many arrays of its memory there are. Steps leave the
// solution elsewhere in memory, so that they are refused while an array of it is in use: no array
// ever shows anything else than the solution.
class Live : public std::enable_shared_from_this<Live> {
 public:
  explicit Live(Simulation&& made) : simulation_(std::move(made)) {}

  // f(simulation), with the interpreter free for other threads.
  template <class F>
  auto compute(F f) {
    const Use use(*this);
    const nb::gil_scoped_release released;
    return f(*simulation_);
  }
  template <class F>
  auto read(F f) {
    const Use use(*this);
    return f(*simulation_);
  }

  void advance(double t, std::int64_t n) {
    refuse_arrays("a step");
    Interrupt interrupt;
    compute([&](Simulation& s) { s.advance(t, n, [&] { return interrupt(); }); });
    interrupt.raise();
  }

  nb::object memory(const std::string& variable, bool read_only) {
    const VariableMemory memory =
        compute([&](Simulation& s) { return s.memory_of(variable, read_only); });
    return memory.single_precision ? array_of<float>(memory) : array_of<double>(memory);
  }
  std::int64_t arrays() const { return arrays_; }

  void close() {
    if (closed()) return;
    refuse_arrays("close()");
    const Use use(*this);
    simulation_.reset();
  }
  bool closed() const { return !simulation_; }

  void restore(const std::string& path) {
    refuse_arrays("restore()");
    compute([&](Simulation& s) { s.restore(path); });
  }

 private:
  class Use {
   public:
    explicit Use(Live& live) : lock_(live.busy_, std::try_to_lock) {
      if (!lock_.owns_lock()) {
        PyErr_SetString(PyExc_RuntimeError, "the simulation is computing in another thread");
        throw nb::python_error();
      }
      if (!live.simulation_) throw nb::value_error("the simulation was closed");
    }

   private:
    std::unique_lock<std::mutex> lock_;
  };
  struct Lease {
    std::shared_ptr<Live> live;
    explicit Lease(std::shared_ptr<Live> of) : live(std::move(of)) { ++live->arrays_; }
    ~Lease() { --live->arrays_; }
  };

  void refuse_arrays(const char* what) const {
    if (arrays_ == 0) return;
    const std::string text =
        std::to_string(arrays_) + (arrays_ == 1 ? " array" : " arrays") +
        " of this simulation's memory in use: " + what +
        " may leave the solution elsewhere in memory. Delete the names of such arrays, and of what "
        "was sliced from them, or keep copies: s.fields[name][...] is one";
    throw nb::buffer_error(text.c_str());
  }

  template <class R>
  nb::object array_of(const VariableMemory& memory) {
    auto* const lease = new Lease(shared_from_this());
    const nb::capsule owner(lease, [](void* p) noexcept { delete static_cast<Lease*>(p); });
    std::size_t shape[3];
    for (std::size_t a = 0; a < 3; ++a) shape[a] = static_cast<std::size_t>(memory.cells[a]);
    R* const first = static_cast<R*>(memory.first);
    if (memory.gpu < 0)
      return nb::cast(nb::ndarray<nb::numpy, R>(first, 3, shape, owner, memory.stride.data()));
    return nb::cast(nb::ndarray<nb::array_api, R>(first, 3, shape, owner, memory.stride.data(),
                                                  nb::dtype<R>(), nb::device::cuda::value,
                                                  memory.gpu));
  }

  std::mutex busy_;
  std::atomic<std::int64_t> arrays_ = 0;
  std::optional<Simulation> simulation_;
};

// Choices beside a case, as Python gives them.
struct Options {
  std::string device, precision;
  int threads = 0;
  std::vector<std::string> set;
  std::vector<GridFunction> functions;

  SimulationOptions made() const {
    SimulationOptions options;
    options.device = device;
    options.precision = precision;
    options.threads = threads;
    options.set = set;
    options.functions = functions;
    return options;
  }
};

std::vector<std::size_t> shape_of(const Simulation& s, std::size_t values) {
  const auto n = s.cells();
  std::vector<std::size_t> shape;
  for (const std::size_t a : {2u, 1u, 0u}) shape.push_back(static_cast<std::size_t>(n[a]));
  const std::size_t components = values / (shape[0] * shape[1] * shape[2]);
  if (components != 1) shape.push_back(components);
  return shape;
}

nb::dict dict_of(Average&& average, const std::vector<std::size_t>& cells) {
  nb::dict all, fields, profile;
  for (AverageField& field : average.fields) {
    std::vector<std::size_t> shape = cells;
    if (field.components != 1) shape.push_back(static_cast<std::size_t>(field.components));
    fields[field.name.c_str()] = own_array(std::move(field.values), shape);
  }
  const std::size_t planes = average.along.size(), columns = average.columns.size();
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<double> column(planes);
    for (std::size_t k = 0; k < planes; ++k) column[k] = average.profile[k * columns + c];
    profile[average.columns[c].c_str()] = own_array(std::move(column), {planes});
  }
  all["t_begin"] = average.begin;
  all["averaged_over"] = average.averaged_over;
  all["samples"] = average.samples;
  all["fields"] = fields;
  all["along"] = own_array(std::move(average.along), {planes});
  all["profile"] = profile;
  return all;
}

using Values = std::pair<std::vector<double>, std::vector<std::size_t>>;
template <class F>
OwnArray array_by(Live& live, F f) {
  Values found = live.compute([&](Simulation& s) {
    Values all;
    all.first = f(s);
    all.second = shape_of(s, all.first.size());
    return all;
  });
  return own_array(std::move(found.first), found.second);
}
}  // namespace

void bind_simulation(nb::module_& module) {
  module.def("case_file", &case_file, nb::arg("case_or_example"));
  nb::class_<Options>(module, "Options")
      .def(nb::init<>())
      .def_rw("device", &Options::device)
      .def_rw("precision", &Options::precision)
      .def_rw("threads", &Options::threads)
      .def_rw("set", &Options::set)
      .def(
          "add_function",
          [](Options& o, const std::string& name, const std::vector<std::vector<double>>& at,
             const std::vector<double>& periods, const GivenArray& values) {
            o.functions.push_back(
                {name, at, periods, {values.data(), values.data() + values.size()}});
          },
          nb::arg("name"), nb::arg("at"), nb::arg("periods"), nb::arg("values"));
  module.def(
      "from_file",
      [](const std::string& path, const Options& options) {
        const nb::gil_scoped_release released;
        return std::make_shared<Live>(Simulation::from_file(path, options.made()));
      },
      nb::arg("path"), nb::arg("options"));
  module.def(
      "from_checkpoint",
      [](const std::string& path, const Options& options) {
        const nb::gil_scoped_release released;
        return std::make_shared<Live>(Simulation::from_checkpoint(path, options.made()));
      },
      nb::arg("path"), nb::arg("options"));
  module.def(
      "from_text",
      [](const std::string& text, const std::string& name, const Options& options) {
        const nb::gil_scoped_release released;
        return std::make_shared<Live>(Simulation::from_text(text, options.made(), name));
      },
      nb::arg("text"), nb::arg("name"), nb::arg("options"));

  nb::class_<Live>(module, "Live")
      .def("advance", &Live::advance, nb::arg("t"), nb::arg("n"))
      .def_prop_ro("t", [](Live& l) { return l.read([](Simulation& s) { return s.t(); }); })
      .def_prop_ro("dt", [](Live& l) { return l.read([](Simulation& s) { return s.dt(); }); })
      .def_prop_ro("steps", [](Live& l) { return l.read([](Simulation& s) { return s.steps(); }); })
      .def_prop_ro("cells", [](Live& l) { return l.read([](Simulation& s) { return s.cells(); }); })
      .def_prop_ro("lower", [](Live& l) { return l.read([](Simulation& s) { return s.lower(); }); })
      .def_prop_ro("spacing",
                   [](Live& l) { return l.read([](Simulation& s) { return s.spacing(); }); })
      .def_prop_ro(
          "single_precision",
          [](Live& l) { return l.read([](Simulation& s) { return s.single_precision(); }); })
      .def(
          "coordinates_of",
          [](Live& l, const std::string& name) {
            return l.read([&](Simulation& s) { return s.coordinates_of(name); });
          },
          nb::arg("variable"))
      .def_prop_ro("variables",
                   [](Live& l) { return l.read([](Simulation& s) { return s.variables(); }); })
      .def_prop_ro("quantities",
                   [](Live& l) { return l.read([](Simulation& s) { return s.quantities(); }); })
      .def_prop_ro(
          "device",
          [](Live& l) { return l.read([](Simulation& s) { return s.device_description(); }); })
      .def_prop_ro("on_gpu",
                   [](Live& l) { return l.read([](Simulation& s) { return s.on_gpu(); }); })
      .def("memory", &Live::memory, nb::arg("variable"), nb::arg("read_only"),
           "An array (z, y, x) of the memory of a stored variable. The caller keeps to read_only.")
      .def_prop_ro("arrays", &Live::arrays, "How many of them are in use.")
      .def(
          "variable",
          [](Live& l, const std::string& name) {
            return array_by(l, [&](Simulation& s) { return s.variable(name); });
          },
          nb::arg("name"))
      .def(
          "set_variable",
          [](Live& l, const std::string& name, const GivenArray& values) {
            const std::vector<double> all(values.data(), values.data() + values.size());
            l.compute([&](Simulation& s) { s.set_variable(name, all); });
          },
          nb::arg("name"), nb::arg("values"))
      .def(
          "quantity",
          [](Live& l, const std::string& name) {
            return array_by(l, [&](Simulation& s) { return s.field(name); });
          },
          nb::arg("name"))
      .def("diagnostics",
           [](Live& l) { return l.compute([](Simulation& s) { return s.diagnostics(); }); })
      .def("blocks",
           [](Live& l) {
             nb::list all;
             for (BlockPoints& block : l.read([](Simulation& s) { return s.blocks(); })) {
               std::vector<std::size_t> shape(block.n.begin(), block.n.end());
               shape.push_back(3);
               all.append(own_array(std::move(block.xyz), shape));
             }
             return all;
           })
      .def_prop_ro("averages",
                   [](Live& l) { return l.read([](Simulation& s) { return s.averages(); }); })
      .def(
          "average",
          [](Live& l, const std::string& name) {
            std::vector<std::size_t> cells;
            Average found = l.compute([&](Simulation& s) {
              cells =
                  shape_of(s, static_cast<std::size_t>(s.cells()[0] * s.cells()[1] * s.cells()[2]));
              return s.average(name);
            });
            return dict_of(std::move(found), cells);
          },
          nb::arg("name"))
      .def("spectra",
           [](Live& l) {
             Spectra found = l.compute([](Simulation& s) { return s.spectra(); });
             nb::dict all;
             const std::vector<std::size_t> shape{found.k.size()};
             all["k"] = own_array(std::move(found.k), shape);
             all["total"] = own_array(std::move(found.total), shape);
             all["x"] = own_array(std::move(found.x), shape);
             all["y"] = own_array(std::move(found.y), shape);
             all["z"] = own_array(std::move(found.z), shape);
             return all;
           })
      .def(
          "save",
          [](Live& l, const std::string& path) { l.compute([&](Simulation& s) { s.save(path); }); },
          nb::arg("path"))
      .def("restore", &Live::restore, nb::arg("path"))
      .def("close", &Live::close)
      .def_prop_ro("closed", &Live::closed);
}

}  // namespace watersmeet::python
