"""No key is silent (key_walk.py), and absurd values of keys end with a message instead of values that are not numbers. tools/trials.py walks every
key; here every fourth, others in each case.
"""

import re

import pytest
from key_walk import Walk, cases, is_untried, keys_of, not_finite
from runs import call, needs_program

pytestmark = needs_program


@pytest.mark.parametrize("name", cases)
def test_a_changed_key_is_not_silent(name, tmp_path):
    walk, first = Walk(tmp_path, name), list(cases).index(name)
    trials = list(walk.trials())
    assert len(trials) > (10 if "with" in name else 60)
    wrong = [what for number, trial in enumerate(trials) if number % 4 == first % 4 and (what := walk.silent(number, *trial))]
    assert not wrong, "\n".join(wrong)


def test_every_key_of_every_system_is_tried(tmp_path):
    tried = {}
    for name in cases:
        walk = Walk(tmp_path / name, name)
        tried.setdefault(walk.system, set()).update(key for key, _path, _value in walk.trials())
    for system, keys in tried.items():
        known = {key["key"] for key in keys_of(system)}
        assert len(known) > 100
        assert {key for key in known if not is_untried(system, key)} == keys
    assert len(tried) == 7


# Case and settings; each ended with status 0 and nan or inf in its series once, or looks as if it could.
absurd = [
    ("isothermal", ["time.cfl=1e30"]),
    ("isothermal", ["physics.sound_speed=1e300"]),
    ("isothermal", ["physics.viscosity=1e300"]),
    ("mhd", ["physics.background_field=[1e300, 0, 0]"]),
    ("mhd entropy", ["initial[0].entropy=1e300"]),
    ("multicomponent", ["physics.fluids.air.density=1e-300"]),
    ("multicomponent", ["initial[0].pressure=1e300"]),
    ("boussinesq", ["boundary.z_lower={kind=\"no_slip\", temperature=1e300}"]),
    ("boussinesq", ["physics.buoyancy=1e300"]),
    ("shallow water", ["physics.gravity=1e300"]),
    ("atmosphere", ["physics.reference.pressure=1e300"]),
    ("atmosphere", ["physics.gas_constant=1e300"]),
    ("aerodynamics", ["physics.freestream.mach=1e-300"]),
    ("aerodynamics", ["physics.freestream.density=1e-300"]),
    ("aerodynamics unsteady", ["physics.freestream.mach=1e-300"]),
]  # fmt: skip


@pytest.mark.parametrize("name, settings", absurd, ids=str)
def test_absurd_values_have_an_answer(name, settings, tmp_path):
    (tmp_path / "case.toml").write_text(cases[name])
    words = [word for setting in settings for word in ("--set", setting)]
    result = call("run", "case.toml", *words, "--dir", "run", cwd=tmp_path, timeout=120)
    assert result.returncode in (0, 2, 4), (result.returncode, result.stderr)
    if result.returncode == 0:
        series = (tmp_path / "run/series.csv").read_text()
        assert not not_finite({"series.csv": series}), series
    else:
        assert re.match(r"error(\[[a-z-]+\])?: ", result.stderr), result.stderr
