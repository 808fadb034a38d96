#pragma once
// Private to the HDF5 layer: the file driver under files that are written. HDF5 1.10 does not come back
// from a failed write of its metadata: identifiers stay open, and the end of the library then prints
// "infinite loop closing library" or follows freed memory. This driver therefore never reports a
// failure to it. It keeps the system's reason of the first one, writes nothing more, and the owner of
// the file looks at that reason once the library has closed it.

#include <cstdint>

namespace watersmeet::io {

// A file that was opened for writing; lives longer than the library's identifier of it.
struct WrittenFile {
  int descriptor = -1;  // closed by the driver
  int fault = 0;        // errno of the first failure
};

// Makes the driver that of the files opened with this property list, which is an hid_t.
void use_writing_driver(std::int64_t access_properties, WrittenFile& file);

}  // namespace watersmeet::io
