#pragma once
// Tells faults that the address sanitizer finds in a library of others (HDF5, CGNS) from those of this program.

#include <string>

namespace watersmeet::fuzz {

// From here on the report that ends this process is kept. Without the address sanitizer this has no effect.
void keep_reports();

// The kind of the kept report where it is the library's: "heap-buffer-overflow READ in H5MM_memcpy, H5O__fill_new_decode", for example. Empty
// where the fault is this program's:
//  - outside a ForeignCall, or without a report of the address sanitizer, as those of the undefined-behaviour sanitizer are;
//  - the innermost function of the fault that is neither the sanitizer's nor libc's is this program's: a callback, for example;
//  - the memory concerned is this program's: a variable, or a buffer that the library writes to, or reads at its begin or end.
std::string fault_of_library();

// The same for a text of a report; `within_call`: of a library.
std::string fault_of_library(const std::string& report, bool within_call);

}  // namespace watersmeet::fuzz
