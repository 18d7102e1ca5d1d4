"""The lines of a folder: all that git may write, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.store.trees import FILE, FOLDER, Entry, entry, line, lines, place

ID = "00" * 10 + "0a" * 10  # what ends a name, and a line break
NAMES = st.text("a/b.0 \n\udcff", min_size=1, max_size=4)
MODES = st.sampled_from([FOLDER, FILE, 0o100755, 0o120000, 0o160000])
ENTRIES = st.builds(Entry, NAMES, MODES, st.just(ID))


@given(st.lists(ENTRIES))
def test_what_is_written_is_read_again(entries: list[Entry]) -> None:
    found = lines(b"".join(map(line, entries)))
    assert [*map(entry, found)] == entries


@pytest.mark.parametrize("cut", [1, 19, 20, 21, 27])
def test_what_is_cut_off_is_no_folder(cut: int) -> None:
    whole = line(Entry("a", FILE, ID)) * 2
    with pytest.raises(ValueError, match="no folder"):
        lines(whole[:-cut])


def test_a_mode_that_git_no_longer_writes_counts_as_what_it_was() -> None:
    written = {b"100664": FILE, b"100775": 0o100755, b"040000": FOLDER, b"160755": 0o160000}
    for mode, known in written.items():
        assert entry(mode + b" a\0" + bytes(20)).mode == known


def test_a_folder_is_placed_as_if_its_name_had_ended() -> None:
    names = [("a.b", FILE), ("a", FOLDER), ("a0", FILE)]
    found = [line(Entry(name, mode, ID)) for name, mode in names]
    assert sorted([found[2], found[0], found[1]], key=place) == found
