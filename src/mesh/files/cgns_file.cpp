// Opening and closing of CGNS files, and conditions by the standard's names.

#include "mesh/files/cgns_file.hpp"

#include <fstream>

#include "core/error.hpp"
#include "mesh/files/file_kind.hpp"

namespace watersmeet::mesh {

CgnsFile::CgnsFile(const std::string& path, int mode)
    : path_(path), call_("CGNS", path_), writes_(mode == CG_MODE_WRITE) {
  if (!writes_) refuse_other_kinds();
  check(cg_open(path.c_str(), mode, &number_));
  open_ = true;
}

// The library's own messages about such files are about its memory and its nodes.
void CgnsFile::refuse_other_kinds() const {
  std::string begin(file_kind_bytes, '\0');
  std::ifstream stream(path_, std::ios::binary);
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (!stream.is_open() || stream.bad()) return;
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  const std::string kind = kind_of_file(begin);
  if (may_be_cgns(kind)) return;
  refuse("this is " + (kind.empty() ? "neither an HDF5 nor an ADF file" : kind) +
         " and so not a CGNS file. Plot3D files have names with another ending, such as .xyz");
}

CgnsFile::~CgnsFile() {
  if (open_) cg_close(number_);
}

void CgnsFile::close() {
  open_ = false;
  check(cg_close(number_));
}

void CgnsFile::refuse(const std::string& message) const {
  throw Error(ErrorKind::user_input, path_ + ": " + message);
}

void CgnsFile::check(int status) const {
  if (status == CG_OK) return;
  throw Error(writes_ ? ErrorKind::io : ErrorKind::user_input,
              path_ + ": the CGNS library reports: " + cg_get_error() +
                  (open_ ? "" : ". Is this file CGNS, and complete?"));
}

namespace {

struct Counterpart {
  CGNS_ENUMT(BCType_t) type;
  const char* kind;
};

// The first row of a kind is the type that is written for it. A given state is the standard's
// Dirichlet condition, "all solution variables given".
constexpr Counterpart counterparts[] = {
    {CGNS_ENUMV(BCWallInviscid), "slip_wall"},
    {CGNS_ENUMV(BCWall), "slip_wall"},
    {CGNS_ENUMV(BCWallViscous), "slip_wall"},
    {CGNS_ENUMV(BCWallViscousHeatFlux), "slip_wall"},
    {CGNS_ENUMV(BCWallViscousIsothermal), "slip_wall"},
    {CGNS_ENUMV(BCSymmetryPlane), "symmetry"},
    {CGNS_ENUMV(BCFarfield), "farfield"},
    {CGNS_ENUMV(BCInflowSubsonic), "inflow_total"},
    {CGNS_ENUMV(BCInflow), "inflow_total"},
    {CGNS_ENUMV(BCTunnelInflow), "inflow_total"},
    {CGNS_ENUMV(BCOutflowSubsonic), "outflow_pressure"},
    {CGNS_ENUMV(BCOutflow), "outflow_pressure"},
    {CGNS_ENUMV(BCTunnelOutflow), "outflow_pressure"},
    {CGNS_ENUMV(BCInflowSupersonic), "supersonic_inflow"},
    {CGNS_ENUMV(BCOutflowSupersonic), "supersonic_outflow"},
    {CGNS_ENUMV(BCDirichlet), "exact"},
    {CGNS_ENUMV(BCDegenerateLine), "degenerate"},
    {CGNS_ENUMV(BCDegeneratePoint), "degenerate"},
};

}  // namespace

std::string kind_of_cgns(CGNS_ENUMT(BCType_t) type) {
  for (const Counterpart& row : counterparts) {
    if (row.type == type) return row.kind;
  }
  return "";
}

CGNS_ENUMT(BCType_t) cgns_type_of(const std::string& kind, int dimensions) {
  // A face without area is a line, an edge without length a point.
  if (kind == "degenerate" && dimensions == 2) return CGNS_ENUMV(BCDegeneratePoint);
  for (const Counterpart& row : counterparts) {
    if (row.kind == kind) return row.type;
  }
  throw Error(ErrorKind::internal, "no CGNS type for boundaries of kind `" + kind + "`");
}

bool is_viscous(CGNS_ENUMT(BCType_t) type) {
  return type == CGNS_ENUMV(BCWallViscous) || type == CGNS_ENUMV(BCWallViscousHeatFlux) ||
         type == CGNS_ENUMV(BCWallViscousIsothermal);
}

}  // namespace watersmeet::mesh
