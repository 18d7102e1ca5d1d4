"""What the commands for pull requests know: the code, its tasks, and the facts of both."""

from __future__ import annotations

from collections.abc import Sequence

from gittask.cli.context import Context
from gittask.core import names
from gittask.core.dataclass import dataclass
from gittask.core.record import Data
from gittask.errors import GittaskError, NoStore
from gittask.store import range as ranges
from gittask.store.git import setting
from gittask.store.snapshot import Snapshot
from gittask.views.pr import compare, evidence
from gittask.views.pr.linked import linked
from gittask.views.pr.report import report


@dataclass(frozen=True)
class Asked:
    """What the options of a call name."""

    base: str | None
    head: str | None
    branch: str | None
    tasks: Sequence[str]
    text: str


def pulled(here: Context, asked: Asked) -> tuple[Snapshot, Data]:
    """The records that were read, and the report. Writes nothing, here or anywhere."""
    reader = records(here)
    assert reader.commit is not None
    ids = [names.task(reader, text).id for text in asked.tasks]
    code = ranges.look(here.repo, asked.base, asked.head, asked.branch)
    found = linked(reader, code, asked.text, ids)
    carried = [one.id for one in found if one.state == "carried"]
    handoffs = [one for id in carried for one in reader.all("handoff", task=id)]
    placed = ranges.placed(here.repo, code.head, evidence.named(handoffs))
    at = here.repo.commit_info(reader.commit).committer.at
    facts = report(reader, here.session.schemas, code, found, placed, at)
    facts["records"] = _records(here, reader, carried) if carried else None
    return reader, facts


def records(here: Context) -> Snapshot:
    """The records at the tip; where git was told to fetch no more than that, at what it fetched."""
    try:
        return here.session.reader()
    except NoStore:
        try:
            fetched = here.repo.resolve("FETCH_HEAD")
            if here.repo.lookup(fetched, here.session.schemas.path("store", "")) is None:
                raise
        except GittaskError:
            pass
        else:
            return here.session.reader(fetched)
        raise


def _records(here: Context, reader: Snapshot, tasks: Sequence[str]) -> Data:
    """From which commit on the tasks were recorded, and how to see that."""
    assert reader.commit is not None
    folders = [here.session.schemas.path("task", id).rpartition("/")[0] for id in tasks]
    since = ranges.first_of(here.repo, reader.commit, folders)
    remote = here.repo.remote
    url = setting(here.repo.config, f"remote.{remote}.url") if remote else None
    return compare.records(url, since, reader.commit, folders)
