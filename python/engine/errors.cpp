#include "errors.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <exception>
#include <string>

#include "watersmeet/commands.hpp"

namespace nb = nanobind;

namespace watersmeet::python {

namespace {
void raise(const std::exception& error) {
  CommonOptions options;
  options.color = "never";
  std::string text = message_of(error, options);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  options.json = true;
  try {
    const nb::object made =
        nb::module_::import_("watersmeet.errors")
            .attr("_made")(kind_of(error), text, message_of(error, options), exit_status_of(error));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  } catch (nb::python_error& failed) {  // the package is not there, or there is no memory
    failed.restore();
  }
}
}  // namespace

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const nb::python_error&) {
      throw;  // Python's own
    } catch (const nb::builtin_exception&) {
      throw;
    } catch (const std::exception& error) {
      raise(error);
    }
  });
}

}  // namespace watersmeet::python
