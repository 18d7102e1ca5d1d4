"""A remote that does not say whether it has the branch is not one that has none."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.conftest import Git
from tests.program import Program

PAGE = b"<html><body>Please log in to the proxy.</body></html>"


@contextmanager
def answering(code: int) -> Iterator[str]:
    """The address of a server that gives every question the same answer: a page for people."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(code)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/x.git"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def pair(clones: Callable[[int], list[Path]]) -> list[Program]:
    """Two clones of a remote whose store only the first has adopted."""
    found = [Program(folder) for folder in clones(2)]
    found[0]("init")
    found[0]("sync")
    return found


def refuses(program: Program, git: Git, *options: str) -> None:
    """Neither sync nor init takes the answer for "absent", and nothing is moved or made."""
    before = git(program.folder, "for-each-ref")
    for args in (("sync", *options), ("init", *options)):
        error = program(*args, "--json", code=6).error
        assert error["retryable"]
    assert git(program.folder, "for-each-ref") == before


@pytest.mark.parametrize("code", [200, 401, 403, 404, 407, 500, 503])
def test_an_answer_that_is_not_gits(pair: list[Program], git: Git, code: int) -> None:
    one, two = pair
    task = one.new()
    with answering(code) as url:
        for program in pair:
            git(program.folder, "remote", "set-url", "origin", url)
        error = one("sync", "--json", code=6).error
        wrong = "answered, but not as git does" if code == 200 else "could not be reached"
        assert wrong in error["message"]
        assert "still unpushed" in error["message"]
        refuses(two, git)
    assert one.task(task)["title"] == "A task"


@pytest.mark.parametrize("url", ["http://nowhere.invalid/x.git", "ext::false", "file:///none.git"])
def test_no_answer(pair: list[Program], git: Git, url: str) -> None:
    git(pair[1].folder, "remote", "set-url", "origin", url)
    refuses(pair[1], git)


def test_a_remote_that_never_answers(pair: list[Program], git: Git) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/x.git"
        git(pair[1].folder, "remote", "set-url", "origin", url)
        refuses(pair[1], git, "--timeout", "1")


def test_a_remote_that_was_emptied_gets_code_first(
    pair: list[Program], bare: Path, git: Git
) -> None:
    one, _ = pair
    one.new()
    for ref in git(bare, "for-each-ref", "--format=%(refname)").splitlines():
        git(bare, "update-ref", "-d", ref)
    error = one("sync", "--json", code=6).error
    assert "where the branch was before, is empty" in error["message"]
    assert error["hint"] == "push your code first: git push origin main"
    assert git(bare, "for-each-ref") == ""
    git(one.folder, "push", "-q", "origin", "main")
    assert "git push origin gittask" in one("sync", code=6).err


def test_names_at_a_remote_that_are_no_text_are_in_nobodys_way(
    pair: list[Program], bare: Path, git: Git
) -> None:
    tip = git(bare, "rev-parse", "gittask")
    for ref in (b"refs/heads/caf\xe9", b"refs/gittask/beats/\xff"):
        git(bare, "update-ref", os.fsdecode(ref), tip)
    one, two = pair
    assert two("sync").out.startswith("synced with origin: ")
    assert one("sync").out == "up to date with origin\n"
    git(bare, "update-ref", "-d", "refs/heads/gittask")
    assert "is there no more" in one("sync", code=6).err
