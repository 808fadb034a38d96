"""Which fields and series of a run are shown where none are named: those of its system that say most. Needs numpy alone."""

from __future__ import annotations

import numpy as np

series_names = {
    "p_max": "largest pressure", "p_amplification": r"$p_\mathrm{max}\,/\,p_\mathrm{max}(0)$",
    "equivalent_radius": "equivalent radius of the gas", "gas_volume": "volume of the gas",
    "u_rms": r"$u_\mathrm{rms}$", "kinetic_energy": "kinetic energy", "dissipation": r"dissipation $\varepsilon$",
    "nusselt_lower": "Nusselt number, lower side", "temperature_rms": r"$T_\mathrm{rms}$",
    "surface_max": "highest surface", "w_max": "fastest updraught", "speed_max": "largest speed",
    "mach_max": "largest Mach number", "enstrophy": "enstrophy", "mass_drift": "mass drift", "u_max": "largest speed",
}

# Quantities whose colours are centred at zero where they have both signs.
signed = ("lnrho", "divergence", "w", "vorticity", "velocity_east", "velocity_north", "helicity", "cross_helicity", "q_criterion", "cp",
          *(f"{name}_perturbation" for name in ("theta", "density", "pressure")))  # and components of vectors


def probed_scalars(run) -> dict:
    """Names of the probes of each scalar field, in the order of the case."""
    names = {}
    for probe in run.setting("output.probe", []):
        for field in probe["fields"]:
            if f"{probe['name']}_{field}" in run.series:
                names.setdefault(field, []).append(probe["name"])
    return names


# For these systems the overview shows only these fields (and what each can be made from) and the series named above; of
# any other up to three fields of its snapshots, and series of whatever name.
chosen_fields = {
    "isothermal": {"speed": ("speed", "velocity"), "lnrho": ("lnrho", "rho")},
    "mhd": {name: (name,) for name in ("magnetic_field", "speed", "velocity", "current_density", "p")},
    "multicomponent": {name: (name,) for name in ("p", "alpha", "schlieren", "rho", "velocity", "mach")},
}

chosen_series = {
    "mhd": ("kinetic_energy", "magnetic_energy", "dissipation", "ohmic_dissipation"),
    "multicomponent": ("p_amplification", "mach_max", "equivalent_radius", "kinetic_energy", "mass_drift"),
    "boussinesq": ("nusselt_lower", "kinetic_energy", "temperature_rms", "dissipation"),
    "shallow_water": ("kinetic_energy", "surface_max", "speed_max"),
    "atmosphere": ("kinetic_energy", "w_max", "speed_max"),
}

first_fields = ("temperature", "surface", "theta_perturbation", "w", "velocity.z", "velocity")


def field_names(snapshot, system: str) -> list:
    """The fields to show, three at most; of the velocity of an atmosphere in a box the part upwards, which waves are seen in."""
    if system in chosen_fields:
        return [n for n, made_from in chosen_fields[system].items() if any(f in snapshot for f in made_from)][:3]
    shown = [name for name in snapshot if system != "atmosphere" or name != "height"]  # where cells are, not what is in them
    if system == "atmosphere" and "velocity" in shown and not hasattr(snapshot, "mesh"):
        shown[shown.index("velocity")] = "velocity.z"
    return sorted(shown, key=lambda name: first_fields.index(name) if name in first_fields else len(first_fields))[:3]


def series_shown(series, system: str, count: int, probed=()) -> list:
    """The columns to show: those with a name above first, then of an unlisted system those that change and are no probe's."""
    names = [name for name in chosen_series.get(system, series_names) if name in series]
    if system not in chosen_fields:
        columns = {f"{name}_{field}" for field, of in dict(probed).items() for name in of}
        names += [n for n in series if n not in (*names, *columns, "step", "t", "dt") and np.ptp(series[n]) > 0]
    return [name for name in names if np.all(np.isfinite(series[name]))][:count]
