#pragma once
// Exceptions of the program as those of Python (python/watersmeet/errors.py).

namespace watersmeet::python {

// From now on an exception that leaves a function of the module is the class of its kind, with the
// text that the command line prints.
void translate_errors();

}  // namespace watersmeet::python
