#pragma once
// Plot3D grid files (Walatka et al. 1990, NASA TM-101769): the numbers of nodes of each block and
// then, block by block, all x, all y, all z and perhaps all iblank, i fastest. There are many
// forms, and the file does not say which it has:
//
//   ASCII, binary (C), or unformatted (Fortran: each record between two marks that give its length,
//   of 4 bytes, or of 8 as gfortran -frecord-marker=8 writes them)
//   one block without a count, or several blocks after their number
//   2-D (ni nj; x y) or 3-D (ni nj nk; x y z);  with iblank or without
//   coordinates of 4 or 8 bytes;  either order of bytes
//
// In each form the first numbers give the length of the file, so that the right one is
// found by trying all.

#include <string>
#include <string_view>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

struct Plot3dForm {
  enum class Kind { ascii, binary, unformatted };
  Kind kind = Kind::binary;
  bool multiple = true;  // a number of blocks comes first
  int dimensions = 3;
  bool iblank = false;
  int bytes = 8;  // of a coordinate
  bool big_endian = false;
  int mark_bytes = 4;  // of a Fortran record's length
};

// "unformatted, several blocks, 3-D, 8-byte little-endian coordinates, with iblank"
std::string to_text(const Plot3dForm& form);

// The blocks of the file whose content this is, and the form found. Nodes with iblank 0 (holes) are
// refused. Throws user_input when no form fits, or several do that mean different meshes; `name`
// stands for the file in messages.
std::vector<CurvilinearBlock> read_plot3d(std::string_view content, const std::string& name,
                                          Plot3dForm* form = nullptr);

// The content of a file with these blocks.
std::string plot3d_text(const std::vector<CurvilinearBlock>& blocks, const Plot3dForm& form);

}  // namespace watersmeet::mesh
