#pragma once
// Private to the HDF5 layer (included by hdf5_*.cpp only): the lock and silence around every
// library call, owners of short-lived identifiers, and the text of the last failure.

#include <hdf5.h>

#include <mutex>
#include <string>

#include "core/foreign_call.hpp"
#include "io/hdf5_file.hpp"

namespace watersmeet::io {

std::recursive_mutex& hdf5_mutex();

// Holds the process-wide lock and keeps HDF5 from printing its error stack while it lives. `file`: of
// which the call is.
class Hdf5Call {
 public:
  explicit Hdf5Call(const std::string& file);
  ~Hdf5Call();
  Hdf5Call(const Hdf5Call&) = delete;
  Hdf5Call& operator=(const Hdf5Call&) = delete;

 private:
  ForeignCall call_;
  std::lock_guard<std::recursive_mutex> lock_;
  H5E_auto2_t function_ = nullptr;
  void* argument_ = nullptr;
};

// Reason of the last failed call: the system's message where there is one, else HDF5's outermost
// and innermost one. Clears the error stack.
std::string hdf5_reason();

// Owns an identifier for the length of a scope.
template <herr_t (*close)(hid_t)>
class Scoped {
 public:
  explicit Scoped(hid_t id) : id_(id) {}
  Scoped(Scoped&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Scoped& operator=(Scoped&&) = delete;
  ~Scoped() {
    if (id_ >= 0) close(id_);
  }
  hid_t id() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  hid_t id_;
};
using Property = Scoped<H5Pclose>;
using Space = Scoped<H5Sclose>;
using Type = Scoped<H5Tclose>;
using Attribute = Scoped<H5Aclose>;
using Object = Scoped<H5Oclose>;

// HDF5's own type of numbers in memory.
hid_t native_type(ElementType t);
// The type of a text of fixed length.
Type text_type(const std::string& text);
Space space_of(const Extents& extents);
std::string without_padding(std::string text);

// For a new file, group or dataset (H5P_FILE_CREATE ...): without times of creation and change.
Property creation_properties(hid_t kind);

}  // namespace watersmeet::io
