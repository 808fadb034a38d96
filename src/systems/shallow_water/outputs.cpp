// What cases of shallow water may write, on a plane and on a sphere.
#include "systems/shallow_water/system.hpp"

namespace watersmeet::shallow_water {

// Fields in the order of enum Quantity. Energies are per density.
const systems::Outputs& outputs() {
  static const std::string plane = on_plane, sphere = on_sphere, exact = with_exact_flow,
                           energy = "length^5/time^2", speed = "length/time";
  static const systems::Outputs all = {
      .fields = {{"surface", "level of the water", "length", "sea_surface_height", 1},
                 {"depth", "depth of the water", "length", "", 1},
                 {"velocity", "mean velocity over the depth", speed, "", 3},
                 {"discharge", "depth times velocity", "length^2/time", "", 3, plane},
                 {"velocity_east", "velocity to the east", speed, "eastward_wind", 1, sphere},
                 {"velocity_north", "velocity to the north", speed, "northward_wind", 1, sphere},
                 {"bed", "level of the bed", "length", "", 1},
                 {"speed", "magnitude of the velocity", speed, "", 1},
                 {"froude", "Froude number", "1", "", 1},
                 {"vorticity", "relative vorticity", "1/time", "", 1},
                 {"divergence", "divergence of the velocity", "1/time", "", 1},
                 {"potential_vorticity", "(vorticity + f)/depth", "1/(length time)", "", 1},
                 {"head", "energy head, surface + |u|^2/(2 g)", "length", "", 1}},
      .series =
          {
              {"volume", "length^3", "", "", "Integral of the depth."},
              {"volume_drift", "1", "volume drift", "{:+.1e}",
               "Volume here and what has left through the sides, over that of the start, less 1."},
              {"energy", energy, "", "",
               "Integral of h |u|^2/2 + g h (h/2 + bed), over the density of the water."},
              {"energy_drift", "1", "energy drift", "{:+.1e}",
               "Energy less that of the start, over its magnitude; what left through sides is part "
               "of it."},
              {"kinetic_energy", energy,
               "", "", "Integral of h |u|^2/2, over the density of the water."},
              {"momentum_x", "length^4/time", "", "", "Integral of h u_x.", plane},
              {"momentum_y", "length^4/time", "", "", "Integral of h u_y.", plane},
              {"potential_enstrophy", "length/time^2",
               "", "", "Integral of h q^2/2, q the potential vorticity."},
              {"enstrophy_drift", "1",
               "", "", "Potential enstrophy less that of the start, over its magnitude."},
              {"surface_max", "length", "surface max", "{:.4g}",
               "Highest level of the water, of cells that are not dry.", plane},
              {"surface_max", "length", "", "", "Highest level of the water.", sphere},
              {"surface_min", "length",
               "", "", "Lowest level of the water, of cells that are not dry."},
              {"depth_max", "length", "", "", "Largest depth."},
              {"depth_min", "length", "", "", "Least depth."},
              {"speed_max", speed, "speed max", "{:.4g}", "Largest |u|."},
              {"froude_max", "1", "", "", "Largest |u|/sqrt(g h)."},
              {"wet_area", "length^2", "", "", "Area of the cells that are not dry.", plane},
              {"error_l1", "1", "", "",
               "Integral of |h - h_exact| over that of |h_exact - H|, H the depth at rest of the "
               "test.",
               exact},
              {"error_l2", "1", "error l2", "{:.3e}",
               "The same of squares, and the root of the ratio.", exact},
              {"error_linf", "1", "", "", "Largest |h - h_exact| over the largest |h_exact - H|.",
               exact},
              {"velocity_error_l2", "1",
               "", "", "Root of the integral of |u - u_exact|^2 over that of |u_exact|^2.", exact}},
      .profiles = {}};
  return all;
}

}  // namespace watersmeet::shallow_water
