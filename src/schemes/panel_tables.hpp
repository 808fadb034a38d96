#pragma once
// Places on the panels of a cubed sphere for loops over their cells, from tables of one axis
// (schemes/gnomonic.hpp): tan and cos^2 at the centres and the lower faces of cells.

#include <cstdint>

#include "core/table_address.hpp"
#include "schemes/gnomonic.hpp"

namespace watersmeet::schemes {

// Elements before and behind the cells of a row of tables: packs and lanes of a warp read past
// both.
constexpr std::int64_t table_lead = 16, table_tail = 80;

template <class R>
struct PanelTables {
  // Element 0 belongs to column 0 here, element `row_shift` to row 0. Faces on the edge of a panel
  // have exactly tan = -1 and 1.
  TableAddress<R> tan_centre, cos2_centre, tan_face, cos2_face;
  int row_shift = 0;

  template <class T>
  WM_HD PanelPoint<T> centre_of(int i, int j) const {
    return panel_point(load_as<T>(tan_centre + i), load_as<T>(cos2_centre + i),
                       T(tan_centre[j + row_shift]), T(cos2_centre[j + row_shift]));
  }
  // The middle of the lower face along an axis.
  template <int axis, class T>
  WM_HD PanelPoint<T> face_of(int i, int j) const {
    if constexpr (axis == 0) {
      return panel_point(load_as<T>(tan_face + i), load_as<T>(cos2_face + i),
                         T(tan_centre[j + row_shift]), T(cos2_centre[j + row_shift]));
    } else {
      return panel_point(load_as<T>(tan_centre + i), load_as<T>(cos2_centre + i),
                         T(tan_face[j + row_shift]), T(cos2_face[j + row_shift]));
    }
  }
};

}  // namespace watersmeet::schemes
