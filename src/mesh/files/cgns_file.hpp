#pragma once
// An open CGNS file, and the names of the standard for conditions: private to the reader and the
// writer of CGNS files.

#include <cgnslib.h>

#include <array>
#include <string>

#include "core/foreign_call.hpp"

namespace watersmeet::mesh {

// Names in CGNS files have up to 32 characters; paths of families may be longer.
using CgnsName = std::array<char, 1024>;
inline constexpr std::size_t cgns_name_length = 32;

class CgnsFile {
 public:
  // mode: CG_MODE_READ or CG_MODE_WRITE. Throws user_input for a file that is not there or no CGNS
  // file, io for one that cannot be written.
  CgnsFile(const std::string& path, int mode);
  ~CgnsFile();
  CgnsFile(const CgnsFile&) = delete;
  CgnsFile& operator=(const CgnsFile&) = delete;

  int number() const { return number_; }
  // Closes the file now, so that faults of the last writes are reported.
  void close();

  // Throws with the path before the message.
  [[noreturn]] void refuse(const std::string& message) const;
  // Throws with the library's own message unless the status is CG_OK.
  void check(int status) const;

 private:
  void refuse_other_kinds() const;

  std::string path_;
  ForeignCall call_;  // a failure between the library's calls is not told from one in them
  bool writes_ = false, open_ = false;
  int number_ = 0;
};

// The condition that a type of the standard stands for; empty for one without a counterpart.
std::string kind_of_cgns(CGNS_ENUMT(BCType_t) type);

// The type that stands for a condition (patch_kinds()) in files of this program, on a mesh of so
// many dimensions.
CGNS_ENUMT(BCType_t) cgns_type_of(const std::string& kind, int dimensions);

// Walls where the standard expects a no-slip condition.
bool is_viscous(CGNS_ENUMT(BCType_t) type);

}  // namespace watersmeet::mesh
