"""A folder of made files: what changed is written, what was made goes, nothing outside of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.errors import GittaskError, Refused, Usage
from gittask.store.pages import BESIDE, MANIFEST, Built, Pages, Wanted

OLD = {"index.html": "one", "a/b.html": "two", "a/c/d.js": "three"}


def wanted(files: Mapping[str, str]) -> list[Wanted]:
    """Files whose key is their text."""
    return [Wanted(name, text, lambda text=text: text) for name, text in files.items()]  # type: ignore[misc]


def build(folder: Path, files: Mapping[str, str], made: str = "") -> Built:
    return Pages(folder, "store").build(made, wanted(files), lambda *_: None)


def found(folder: Path) -> dict[str, str]:
    """All files of a folder but the manifest."""
    files = (path for path in folder.rglob("*") if path.is_file())
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}
    return {name: text for name, text in texts.items() if name != MANIFEST}


def times(folder: Path) -> dict[str, int]:
    return {name: (folder / name).stat().st_ino for name in found(folder)}


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    assert build(tmp_path, OLD) == Built(3, 0, 0)
    before = times(tmp_path)
    assert build(tmp_path, OLD | {"a/b.html": "new"}) == Built(1, 2, 0)
    assert found(tmp_path) == OLD | {"a/b.html": "new"}
    assert {name for name, at in times(tmp_path).items() if at != before[name]} == {"a/b.html"}


def test_a_file_that_comes_out_the_same_is_not_touched(tmp_path: Path) -> None:
    build(tmp_path, OLD)
    before = times(tmp_path)
    other = [file._replace(key=f"another {file.key}") for file in wanted(OLD)]
    assert Pages(tmp_path, "store").build("", other, lambda *_: None) == Built(0, 3, 0)
    assert times(tmp_path) == before
    again = Pages(tmp_path, "store").build("", other, lambda *_: None)
    assert again == Built(0, 3, 0)


def test_what_is_the_same_is_not_even_made(tmp_path: Path) -> None:
    build(tmp_path, OLD)

    def never() -> str:
        raise AssertionError

    files = [file._replace(make=never) for file in wanted(OLD)]
    assert Pages(tmp_path, "store").build("", files, lambda *_: None) == Built(0, 3, 0)


def test_stale_files_go_and_others_stay(tmp_path: Path) -> None:
    build(tmp_path, OLD)
    (tmp_path / "CNAME").write_text("example.org")
    (tmp_path / "a" / "mine.html").write_text("mine")
    assert build(tmp_path, {"index.html": "one"}) == Built(0, 1, 2)
    assert found(tmp_path) == {"index.html": "one", "CNAME": "example.org", "a/mine.html": "mine"}
    assert not (tmp_path / "a" / "c").exists()


def test_a_file_that_is_gone_is_made_again(tmp_path: Path) -> None:
    build(tmp_path, OLD, "all")
    assert Pages(tmp_path, "store").unchanged("all") == Built(0, 3, 0)
    (tmp_path / "a" / "b.html").unlink()
    assert Pages(tmp_path, "store").unchanged("all") is None
    assert build(tmp_path, OLD, "all") == Built(1, 2, 0)
    assert Pages(tmp_path, "store").unchanged("other") is None


def test_all_is_written_again_if_asked(tmp_path: Path) -> None:
    build(tmp_path, OLD, "all")
    (tmp_path / "index.html").write_text("spoilt")
    pages = Pages(tmp_path, "store")
    pages.forget()
    assert pages.unchanged("all") is None
    assert pages.build("all", wanted(OLD | {"z.css": ""}), lambda *_: None) == Built(4, 0, 0)
    assert found(tmp_path) == OLD | {"z.css": ""}


def test_progress_is_told_as_files_are_made(tmp_path: Path) -> None:
    files = {f"{number}.html": "" for number in range(1001)}
    told: list[tuple[int, int]] = []
    Pages(tmp_path, "store").build("", wanted(files), lambda *each: told.append(each))
    assert told == [(500, 1001), (1000, 1001)]


TEXTS = st.dictionaries(st.sampled_from(["a.html", "b/c.html", "b/d.js"]), st.sampled_from("xy"))


@given(before=TEXTS, killed=TEXTS, after=TEXTS, at=st.integers(0, 3))
def test_a_build_that_is_killed_is_completed_by_the_next(
    tmp_path_factory: pytest.TempPathFactory,
    before: dict[str, str],
    killed: dict[str, str],
    after: dict[str, str],
    at: int,
) -> None:
    folder = tmp_path_factory.mktemp("site")
    build(folder, before)

    def stop() -> str:
        raise KeyboardInterrupt

    files = wanted(killed)
    files = [*files[:at], *(file._replace(key="?", make=stop) for file in files[at:])]
    try:
        Pages(folder, "store").build("", files, lambda *_: None)
    except KeyboardInterrupt:
        (folder / BESIDE).write_text("half of")
    build(folder, after)
    assert found(folder) == after | ({BESIDE: "half of"} if (folder / BESIDE).exists() else {})
    assert build(folder, after) == Built(0, len(after), 0)


# -- what is not ours -----------------------------------------------------------------------------


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(Refused, match="not empty"):
        Pages(tmp_path, "store")
    assert found(tmp_path) == {"thesis.txt": "mine"}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for name in ("file", "file/below"):
        with pytest.raises(Usage, match="no folder"):
            Pages(tmp_path / name, "store")


def test_a_file_in_the_way_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    build(tmp_path, OLD)
    (tmp_path / "new.html").write_text("mine")
    before = found(tmp_path)
    with pytest.raises(Refused, match=r"new\.html"):
        build(tmp_path, {"index.html": "other", "new.html": "ours"})
    assert found(tmp_path) == before


def test_the_site_of_another_store_is_refused(tmp_path: Path) -> None:
    build(tmp_path, OLD)
    with pytest.raises(Refused, match="another store"):
        Pages(tmp_path, "other")


def test_nothing_is_written_or_removed_through_a_link(tmp_path: Path) -> None:
    folder, outside = tmp_path / "site", tmp_path / "outside"
    outside.mkdir()
    build(folder, {"index.html": "one", "a/b.html": "ours"})
    (outside / "b.html").write_text("mine")
    (folder / "a" / "b.html").unlink()
    (folder / "a").rmdir()
    (folder / "a").symlink_to(outside)
    with pytest.raises(Refused, match="link"):
        build(folder, {"index.html": "one", "a/b.html": "other"})
    build(folder, {"index.html": "one"})
    assert found(outside) == {"b.html": "mine"}


def test_a_link_in_place_of_a_file_is_replaced(tmp_path: Path) -> None:
    folder, outside = tmp_path / "site", tmp_path / "mine.txt"
    outside.write_text("mine")
    build(folder, OLD)
    for name in ("index.html", BESIDE):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(outside)
    build(folder, OLD | {"index.html": "other"})
    assert found(folder) == OLD | {"index.html": "other"}
    assert outside.read_text() == "mine"


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "[]",
        '{"format":1,"of":"store","made":"","files":{"../outside.html":["",""]}}',
        '{"format":1,"of":"store","made":"","files":{"/etc/outside.html":["",""]}}',
        '{"format":1,"of":"store","made":"","files":{"a/../../outside.html":["",""]}}',
        '{"format":1,"of":"store","made":"","files":{"thesis.txt":["",""]}}',
        '{"format":1,"of":"store","made":"","files":{"a.html":[]}}',
        '{"format":1,"of":"store","made":"","files":{"a.html":[1,""]}}',
        '{"format":1,"made":"","files":{}}',
        '{"format":2,"of":"store","made":"","files":{}}',
        '{"format":1,"of":"store","made":"","files":[]}',
    ],
)
def test_a_manifest_that_is_not_as_ours_is_refused(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "outside.html").write_text("mine")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / MANIFEST).write_text(manifest)
    with pytest.raises(GittaskError):
        Pages(folder, "store")
    assert (tmp_path / "outside.html").read_text() == "mine"


def test_the_manifest_is_the_same_for_the_same_files(tmp_path: Path) -> None:
    build(tmp_path / "one", OLD, "all")
    build(tmp_path / "two", {"index.html": "old", "z.html": ""})
    build(tmp_path / "two", OLD, "all")
    one, two = ((tmp_path / name / MANIFEST).read_bytes() for name in ("one", "two"))
    assert one == two
    assert json.loads(one)["files"].keys() == OLD.keys()


@pytest.mark.parametrize("name", ["../a.html", "/a.html", "a", "a//b.html", ".a.html", "A.html"])
def test_no_name_leads_out(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="a"):
        build(tmp_path / "site", {name: ""})
    assert list(tmp_path.iterdir()) == []
