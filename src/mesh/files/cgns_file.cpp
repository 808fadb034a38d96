// Opening and closing of CGNS files, and conditions by the standard's words.

#include "mesh/files/cgns_file.hpp"

#include <filesystem>

#include "core/error.hpp"

namespace watersmeet::mesh {

CgnsFile::CgnsFile(const std::string& path, int mode)
    : path_(path), writes_(mode == CG_MODE_WRITE) {
  std::error_code error;
  if (!writes_ && !std::filesystem::exists(path, error)) refuse("no such file");
  check(cg_open(path.c_str(), mode, &number_));
  open_ = true;
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
              path_ + ": the CGNS library says: " + cg_get_error());
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
