// What cases of the MHD system may write.
#include "systems/mhd/system.hpp"

namespace watersmeet::mhd {

// Fields in the order of enum Quantity.
const systems::Outputs& outputs() {
  static const std::string pressure = "mass/(length time^2)", power = "mass/(length time^3)",
                           momentum = "mass/(length^2 time)", square = "length^2/time^2",
                           field = "field", only = with_energy_equation;
  static const systems::Outputs all = {
      .fields = {{"rho", "density", "mass/length^3", "", 1},
                 {"lnrho", "logarithmic density ln(rho/rho_0)", "1", "", 1},
                 {"velocity", "velocity", "length/time", "", 3},
                 {"speed", "magnitude of the velocity", "length/time", "", 1},
                 {"p", "gas pressure", pressure, "", 1},
                 {"vorticity", "vorticity, curl of the velocity", "1/time", "", 3},
                 {"divergence", "divergence of the velocity", "1/time", "", 1},
                 {"vector_potential", "vector potential A", "field length", "", 3},
                 {"magnetic_field", "magnetic field B_0 + curl A", field, "", 3},
                 {"current_density", "current density curl curl A / mu_0", "field/length", "", 3},
                 {"mach", "Mach number |u|/c; 0 without sound", "1", "", 1},
                 {"alfven_speed", "Alfven speed |B|/sqrt(mu_0 rho)", "length/time", "", 1},
                 {"magnetic_pressure", "|B|^2/(2 mu_0)", pressure, "", 1},
                 {"dissipation", "viscous dissipation 2 nu rho S:S + zeta rho (div u)^2 per volume",
                  power, "", 1},
                 {"ohmic_dissipation", "eta |curl B|^2/mu_0 per volume", power, "", 1},
                 {"enstrophy", "|curl u|^2/2", "1/time^2", "", 1},
                 {"helicity", "u . curl u", "length/time^2", "", 1},
                 {"cross_helicity", "u . B", "field length/time", "", 1},
                 {"q_criterion", systems::q_criterion_text, "1/time^2", "", 1},
                 {"temperature", "temperature", "temperature", "", 1, only},
                 {"entropy", "specific entropy over c_p", "1", "", 1, only}},
      .series =
          {{"mass", "mass", "", "", "Integral of rho over the box."},
           {"mass_drift", "1", "mass drift", "{:+.1e}", "Mass over that of the start, less 1.", "",
            "", systems::largest_mass_drift},
           {"u_rms", "length/time", "u_rms", "{:.4e}", "sqrt(<|u|^2>), the mean over all cells."},
           {"speed_max", "length/time", "", "", "Largest |u|."},
           {"b_rms", field, "b_rms", "{:.4e}", "sqrt(<|B|^2>)."},
           {"b_max", field, "", "", "Largest |B|."},
           {"rho_min", "mass/length^3", "", "", "Least density."},
           {"rho_max", "mass/length^3", "", "", "Largest density."},
           {"kinetic_energy", pressure, "", "", "Mean of rho |u|^2/2, per volume."},
           {"magnetic_energy", pressure, "", "", "Mean of |B|^2/(2 mu_0), per volume."},
           {"dissipation", power, "", "",
            "Mean of 2 nu rho S:S + zeta rho (div u)^2, S the traceless rate of strain, zeta with "
            "the shock viscosity, per volume."},
           {"ohmic_dissipation", power, "", "", "Mean of eta |curl B|^2/mu_0, per volume."},
           {"enstrophy", "1/time^2", "", "", "Mean of |curl u|^2/2."},
           {"helicity", "length/time^2", "", "", "Mean of u . curl u."},
           {"cross_helicity", "field length/time", "", "", "Mean of u . B."},
           {"magnetic_helicity", "field^2 length", "", "",
            "Mean of A . curl A, which no gauge changes where the box is periodic and B_0 is 0."},
           {"current_helicity", "field^2/length", "", "", "Mean of curl B . curl A."},
           {"div_b_max", "field/length", "", "",
            "Largest discrete divergence of curl A, round-off alone."},
           {"momentum_x", momentum, "", "", "Mean of rho u_x, per volume."},
           {"momentum_y", momentum, "", "", "Mean of rho u_y, per volume."},
           {"momentum_z", momentum, "", "", "Mean of rho u_z, per volume."},
           {"ux2", square, "", "", "Mean of u_x^2."},
           {"uy2", square, "", "", "Mean of u_y^2."},
           {"uz2", square, "", "", "Mean of u_z^2."},
           {"bx_mean", field, "", "", "Mean of B_x."},
           {"by_mean", field, "", "", "Mean of B_y."},
           {"bz_mean", field, "", "", "Mean of B_z."},
           {"mesh_reynolds", "1", "", "",
            "speed_max times the largest spacing over nu; 0 where nu is 0."},
           {"mesh_magnetic_reynolds", "1", "", "",
            "speed_max times the largest spacing over eta; 0 where eta is 0."},
           {"forcing_work", square, "", "",
            "Work of the forcing per mass, summed up since the start."},
           {"internal_energy", pressure, "", "", "Mean of p/(gamma - 1), per volume.", only},
           {"entropy", "mass/length^3", "", "", "Mean of rho s/c_p.", only},
           {"energy_drift", "1", "energy drift", "{:+.1e}",
            "Kinetic, magnetic and internal energy over that of the start, less 1.", only}},
      .profiles = {},
      .spectra = {{"magnetic_field", "M", "field^2",
                   "Sum over the shell of |B_n|^2/2, B_n the Fourier coefficients of the magnetic "
                   "field with its background: summed over k it is <|B|^2>/2."}}};
  return all;
}

}  // namespace watersmeet::mhd
