#!/usr/bin/env python3
"""Draws the density gradient of a row of bubbles when seven have collapsed, at 2.11 us, as Wermelinger et al. (2016, Figure 10).

    PYTHONPATH=python python3 validation/multicomponent/schlieren.py RUN PICTURE.png
"""
import sys

import watersmeet

SNAPSHOT = 4  # at 2.11 us


def main(run, picture):
    watersmeet.open(run).plot("schlieren", slice="z=0", snapshot=SNAPSHOT, path=picture)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
