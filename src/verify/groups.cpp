#include "verify/groups.hpp"

#include <map>

#include "verify/aerodynamics/groups.hpp"
#include "verify/atmosphere/groups.hpp"
#include "verify/boussinesq/groups.hpp"
#include "verify/isothermal/groups.hpp"
#include "verify/mhd/groups.hpp"
#include "verify/multicomponent/groups.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
// In the order in which they are printed.
std::map<std::string, std::vector<VerifyGroup>>& all_groups() {
  static std::map<std::string, std::vector<VerifyGroup>> groups = {
      {"isothermal",
       {{"sine decay", verify_sine_decay},
        {"explosion", verify_explosion},
        {"sound wave", verify_sound_wave},
        {"order in time", verify_time_order},
        {"advection", verify_advection},
        {"manufactured solution", verify_manufactured},
        {"forcing", verify_forcing},
        {"Taylor-Green vortex", verify_taylor_green},
        {"mass drift", verify_conservation},
        {"shock", verify_shock},
        {"precision", verify_precision},
        {"same bits", verify_repeatability}}},
      {"mhd",
       {{"Alfven wave", verify_alfven_wave},
        {"magnetosonic waves", verify_magnetosonic_waves},
        {"resistive decay", verify_resistive_decay},
        {"without a field", verify_without_field},
        {"Orszag-Tang vortex", verify_orszag_tang},
        {"ideal entropy", verify_ideal_entropy},
        {"div B", verify_solenoidal_field},
        {"kinematic flow", verify_kinematic_flow},
        {"shock", verify_mhd_shock},
        {"same bits", verify_mhd_bits}}},
      {"multicomponent",
       {{"interface advection", verify_interface_advection},
        {"shock tubes", verify_shock_tubes},
        {"shock and entropy wave", verify_shu_osher},
        {"smooth convergence", verify_smooth_convergence},
        {"uneven cells", verify_uneven_cells},
        {"order in time", verify_stage_order},
        {"conservation", verify_ledger},
        {"directions", verify_directions},
        {"same bits", verify_same_bits},
        {"flow about an axis", verify_axisymmetric},
        {"shocks along the grid", verify_shock_along_grid},
        {"positivity", verify_positivity},
        {"planar shock in water", verify_planar_shock},
        {"shock and helium cylinder", verify_helium_cylinder},
        {"shocked bubble", verify_shocked_bubble},
        {"Rayleigh collapse", verify_rayleigh_collapse}}},
      {"boussinesq",
       {{"exact vortices", verify_exact_vortices},
        {"rest states", verify_rest_states},
        {"conservation", verify_staggered_conservation},
        {"directions of gravity", verify_gravity_directions},
        {"open sides", verify_open_sides},
        {"bounded scalars", verify_bounded_scalars},
        {"same bits", verify_staggered_bits},
        {"order in time", verify_multistep_order},
        {"implicit diffusion", verify_implicit_diffusion},
        {"onset in rolls", verify_onset},
        {"conducting cube", verify_conducting_cube},
        {"lid-driven cavity", verify_lid_cavity},
        {"heated cavity", verify_heated_cavity}}},
      {"shallow_water",
       {{"lake at rest", verify_lake_at_rest},
        {"dam break", verify_dam_break},
        {"linear waves", verify_water_waves},
        {"moving vortex", verify_vortex},
        {"parabolic bowl", verify_parabolic_bowl},
        {"films", verify_films},
        {"friction and rotation", verify_water_sources},
        {"backwater", verify_backwater},
        {"conservation", verify_water_volume},
        {"directions", verify_water_directions},
        {"same bits", verify_water_bits},
        {"sphere at rest", verify_sphere_rest},
        {"sphere, steady flow", verify_sphere_steady},
        {"sphere, advected bell", verify_sphere_bell},
        {"sphere, spectral solutions", verify_sphere_spectral},
        {"sphere, steady jet", verify_sphere_jet},
        {"sphere, panels", verify_sphere_panels},
        {"sphere, same bits", verify_sphere_bits}}},
      {"aerodynamics",
       {{"free stream", verify_uniform_stream},
        {"conservation", verify_block_conservation},
        {"vortex", verify_block_vortex},
        {"sources", verify_block_sources},
        {"same bits", verify_block_bits},
        {"ringleb", verify_ringleb},
        {"bump", verify_bump},
        {"oblique shock", verify_oblique_shock},
        {"sections", verify_sections},
        {"vehicle", verify_vehicle},
        {"long time", verify_long_time}}},
      {"atmosphere",
       {{"air at rest", verify_air_at_rest},
        {"sound", verify_air_waves},
        {"gravity waves", verify_air_gravity_waves},
        {"shock tube", verify_air_tubes},
        {"smooth bubble", verify_air_bubble},
        {"sources", verify_air_sources},
        {"conservation", verify_air_conservation},
        {"directions", verify_air_directions},
        {"same bits", verify_air_bits},
        {"implicit sound", verify_air_split},
        {"stretched levels", verify_air_levels},
        {"viscosity over terrain", verify_air_diffusion},
        {"sphere", verify_air_globe},
        {"stretched levels of a sphere", verify_air_globe_levels},
        {"waves on a sphere", verify_air_globe_waves}}},
  };
  return groups;
}
}  // namespace

bool add_groups(const std::string& system, const std::vector<VerifyGroup>& groups) {
  all_groups()[system] = groups;
  return true;
}

std::vector<VerifyGroup> groups_of(const std::string& system) {
  const auto found = all_groups().find(system);
  return found == all_groups().end() ? std::vector<VerifyGroup>{} : found->second;
}

}  // namespace watersmeet::verify
