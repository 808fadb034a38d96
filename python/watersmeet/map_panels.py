"""A field of a sphere on longitudes and latitudes."""

from __future__ import annotations

import numpy as np
from matplotlib.ticker import MultipleLocator

from .provenance import with_unit
from .sphere import at
from .style import colour_bar, colours, finish, symbols


def map_values(snapshot, name: str) -> np.ndarray:
    """A field on 360 latitudes from the south pole and 720 longitudes from 0, of several levels the lowest."""
    lon, lat = np.radians(np.arange(0.25, 360, 0.5)), np.radians(np.arange(-89.75, 90, 0.5))
    return at(snapshot, name, lon[None, :], lat[:, None])


def draw_map(ax, snapshot, name: str, limits=None):
    """A field on longitudes and latitudes, of several levels the lowest; limits: (low, high) of the colours."""
    shown = map_values(snapshot, name)
    image = ax.imshow(shown, origin="lower", extent=[0, 360, -90, 90], aspect="equal", interpolation="nearest",
                      **colours(name, shown, limits))
    ax.xaxis.set_major_locator(MultipleLocator(60))
    ax.yaxis.set_major_locator(MultipleLocator(30))
    colour_bar(ax, image, [1.0175, 0.0, 0.02, 1.0])
    unit = str(snapshot[name.partition(".")[0]].attrs.get("units", "1"))
    heading = {"vorticity": "vorticity"}.get(name, symbols.get(name, name.replace("_", " ")))
    if snapshot.mesh.shapes[0][0] > 2:  # layers of nodes
        heading += ", lowest level"
    finish(ax, "longitude [degrees]", "latitude [degrees]", with_unit(heading, unit))
    ax.tick_params(top=False, right=False)
