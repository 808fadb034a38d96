"""Properties of the readers and writers of the package, tried by Hypothesis on inputs of all kinds: a reader returns a table or raises what its
documentation names; what is written as a case is read back as it was. The compiled readers are tried by tests/fuzz.
"""

import contextlib
import string
import tomllib

import h5py
import numpy as np
import pytest
import runs
import synthetic

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import watersmeet
from watersmeet.case_text import case_text, value_text
from watersmeet.tables import read_profiles, read_series, read_spectra

# The same examples on every machine and in every run: a change is what makes this fail. The folder of a test serves all its examples.
tried = settings(max_examples=100, deadline=5000, derandomize=True, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**63), 2**63 - 1)
cells = numbers.map(repr) | st.sampled_from(["nan", "inf", "-inf", "1e999", "", " ", "x", "0x10", "1_0", "١"]) | st.text(max_size=6)
lines = st.lists(st.lists(cells, max_size=5).map(",".join) | st.text(max_size=20), max_size=8).map("\n".join)
tables = st.builds(lambda head, units, rows, end: f"{head}\n# units: {units}\n{rows}{end}",
                   st.sampled_from(["step,t,k,E", "step,t,z,T", "step,t", "step", "", "t,t", "step,step", "t,k"]), st.text(max_size=8), lines, st.sampled_from(["", "\n"]))


@pytest.mark.parametrize("step", ["nan", "inf", "-1e300", "0.5"])
@pytest.mark.parametrize("read", [read_series, read_spectra, read_profiles])
def test_a_step_is_a_whole_number(read, step, tmp_path):
    (tmp_path / "table.csv").write_text(f"step,t,k\n0,0,1\n{step},1,1\n")
    with pytest.raises(ValueError, match="table.csv:3: the step .* is no whole number"):
        read(tmp_path / "table.csv")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("read", [read_series, read_spectra, read_profiles])
@tried
@given(content=tables.map(str.encode) | st.binary(max_size=200))
def test_a_table_is_read_or_refused(read, content, tmp_path):
    path = tmp_path / "table.csv"
    with contextlib.suppress(UnicodeEncodeError):
        path.write_bytes(content)
    with contextlib.suppress(ValueError):
        table = read(path)
        for name in table:
            assert table[name] is not None


@tried
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_numbers_of_a_series_come_back(tmp_path, values):
    path = tmp_path / "series.csv"
    path.write_text("step,a,b\n# units: 1,m,s\n" + "".join(f"{n},{float(a):.17g},{float(b):.17g}\n" for n, (a, b) in enumerate(values)))
    table = read_series(path)
    assert table["a"].tolist() == [float(a) for a, _ in values]
    assert table["b"].tolist() == [float(b) for _, b in values]


words = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
names = words.filter(bool) | st.text(string.ascii_letters + "_", min_size=1, max_size=8)
plain = numbers | st.booleans() | words
nested = st.recursive(plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4), max_leaves=12)


@tried
@given(nested)
def test_a_value_of_a_case_comes_back(value):
    assert tomllib.loads(f"v = {value_text(value)}") == {"v": value}


@tried
@given(st.dictionaries(names, st.dictionaries(names, nested, max_size=4) | st.lists(st.dictionaries(names, plain, max_size=3), min_size=1, max_size=3), max_size=4))
def test_a_case_comes_back(case):
    assert tomllib.loads(case_text(case)[0]) == case


def parts(path):
    """Everything in a file that can be missing or of another kind: (path of the object, name of the attribute or None)."""
    found = []
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.extend([(name, None), *((name, key) for key in item.attrs)]))
    return found


@pytest.mark.parametrize("kind", ["fields"])
def test_a_snapshot_without_one_of_its_parts_is_read_or_refused(kind, tmp_path):
    run = synthetic.sample_run(tmp_path / "run")
    path = runs.newest(run, kind)
    whole = path.read_bytes()
    for name, attribute in parts(path):
        for put in (None, "text", np.zeros((2, 3)), -1):
            path.write_bytes(whole)
            with h5py.File(path, "r+") as file:
                owner = file[name].attrs if attribute else file
                key = attribute or name
                del owner[key]
                if put is not None:
                    owner[key] = put
            with contextlib.suppress(KeyError, ValueError, OSError, TypeError, AttributeError):
                snapshot = watersmeet.open(run).fields[-1]
                for field in snapshot:
                    np.asarray(snapshot[field])
