#pragma once
// For main(): a library that reads files of others (HDF5, CGNS) can fail on a damaged one by a signal.

namespace watersmeet {

// From now on such a failure becomes a message that names the file, and exit status 3. Other signals of
// faults take their course.
void answer_fatal_signals();

}  // namespace watersmeet
