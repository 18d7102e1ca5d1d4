"""A host of git repositories as far as CI files call it: comments, pull requests, artifacts."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "s3cret"
BOT = "github-actions[bot]"
ME = 7


class Host:
    """What the host holds; ``calls`` are the writes that it got, ``strangers`` what was asked of
    it by the token where that has no business."""

    def __init__(self) -> None:
        self.url = ""
        self.calls: list[tuple[str, str]] = []
        self.strangers: list[str] = []
        self.comments: list[dict[str, Any]] = []
        self.pulls: list[dict[str, Any]] = []
        self.artifact: bytes | None = None

    def comment(self, body: str, login: str = BOT, author: int = ME) -> dict[str, Any]:
        """A comment that is there."""
        made = {"id": len(self.comments) + 1, "body": body}
        self.comments.append({**made, "user": {"login": login}, "author": {"id": author}})
        return self.comments[-1]

    def bodies(self) -> list[str]:
        return [one["body"] for one in self.comments]

    def answer(self, method: str, url: str, body: Any, token: str) -> tuple[int, Any]:
        """The status and the document (or bytes) for a request."""
        path, query = urlsplit(url).path, parse_qs(urlsplit(url).query)
        if path == "/blob":
            self.strangers += [url] if token else []
            return 200, self.artifact
        if token != TOKEN:
            return 401, {}
        if method != "GET":
            return self._write(method, path, body)
        start = (int(query.get("page", ["1"])[0]) - 1) * 100
        if path.endswith("/zip"):
            return 302, f"{self.url}/blob"
        if path.endswith("/user"):
            return 200, {"id": ME}
        if path.endswith("/pulls"):
            head = query["head"][0]
            found = [one for one in self.pulls if one["head"]["label"] == head]
            return 200, found[start : start + 100]
        if path.endswith("/artifacts"):
            size = 0 if self.artifact is None else len(self.artifact)
            one = {"id": 5, "name": "gittask-report", "size_in_bytes": size}
            return 200, {"artifacts": [] if self.artifact is None else [one]}
        return 200, self.comments[start : start + 100]

    def _write(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        self.calls.append((method, path))
        if method == "POST":
            return 201, self.comment(body["body"])
        number = int(path.rpartition("/")[2])
        self.comments[number - 1]["body"] = body["body"]
        return 200, self.comments[number - 1]


@contextmanager
def serving(host: Host) -> Iterator[Host]:
    """Let a host answer at ``host.url`` on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            token = self.headers.get("Authorization", self.headers.get("PRIVATE-TOKEN", ""))
            token = token.removeprefix("Bearer ")
            status, found = host.answer(self.command, self.path, body, token)
            self.send_response(status)
            content = found if isinstance(found, bytes) else json.dumps(found).encode()
            if status == 302:
                self.send_header("Location", found)
                content = b""
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    for method in ("GET", "POST", "PATCH", "PUT"):
        setattr(Handler, f"do_{method}", Handler.answer)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        host.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield host
        finally:
            server.shutdown()
            thread.join()
