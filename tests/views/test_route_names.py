"""What "it" stands for, who asks, names, ids, and titles that look like commands."""

from __future__ import annotations

from gittask.core.record import Record
from gittask.errors import Ambiguous
from gittask.views.route.everything import Everything
from gittask.views.route.named import known_names
from gittask.views.route.standing import Asker, asker
from tests.memory import MemoryReader, actor, at, event, task, task_id
from tests.views.asking import BUSY, Store
from tests.views.busy import id_of
from tests.views.test_utterance import NOW

NEXT_DAY = "2026-12-01T11:00:00.000Z"

# -- it, that, and who asks ---------------------------------------------------------------------


def test_it_is_the_task_at_work_here() -> None:
    found = BUSY.asks("alice", "continue", here=id_of("Gift cards"))
    assert found.title == "Gift cards"
    assert "it is at work here" in found.why


def test_it_is_what_the_asker_worked_on_last() -> None:
    assert BUSY.asks("alice", "review it").title == "Fix routing of returned orders"
    assert BUSY.asks("bob", "how is it going?").title == "Rate limit for the public API"
    BUSY.refuses(None, "review it")
    BUSY.refuses("nobody-known", "review it")


def test_what_was_worked_on_at_once_is_not_told_apart() -> None:
    def worked(minute: int) -> Store:
        first, second = (event("note", name, m, created_by="ann") for name, m in
                         (("a", 10), ("b", minute)))  # fmt: skip
        return Store(task("a"), task("b"), first, second)

    assert worked(16).asks("ann", "continue").task == task_id("b")
    assert isinstance(worked(15).refuses("ann", "continue"), Ambiguous)


def test_what_one_holds_comes_first() -> None:
    held = event("execution", "a", 1)
    noted = event("note", "b", 30)
    store = Store(task("a", "active", holder=held.id, epoch=1), task("b"), held, noted)
    assert store.asks("codex-1", "continue").task == task_id("a")
    late = event("note", "b", 0, created_by="codex-1", created={"at": NEXT_DAY, "by": "codex-1"})
    store = Store(task("a", "active", holder=held.id, epoch=1), task("b"), held, late)
    assert store.asks("codex-1", "continue", now=NOW.replace(month=12, day=2)).task == task_id("b")


def test_what_somebody_else_ended_was_not_worked_on_by_its_actor() -> None:
    ended = event("execution", "a", 1, state={"status": "done", "at": at(50)})
    stamped = {**ended.data, "changed": {"state": f"1 {at(50)} alice"}}
    ended = Record("execution", ended.id, stamped)
    store = Store(task("a"), task("b"), ended, event("note", "b", 30))
    assert store.asks("codex-1", "review it").task == task_id("b")


def test_what_lies_long_back_is_not_it() -> None:
    store = Store(task("a"), event("note", "a", 1, created_by="ann"))
    assert store.asks("ann", "continue").task == task_id("a")
    store.refuses("ann", "continue", now=NOW.replace(month=12, day=15))


def test_agents_work_for_somebody() -> None:
    agent = actor("codex-1", "agent")
    agent = Record("actor", agent.id, {**agent.data, "delegated_by": "ann"})
    failed = event("execution", "a", 5, state={"status": "failed"})
    store = Store(task("a"), task("b"), agent, failed)
    assert store.asks("ann", "retry that").task == task_id("a")
    store.refuses("bob", "retry that")


def test_that_is_what_failed_last() -> None:
    failed = [event("execution", name, m, state={"status": "failed"}) for name, m in
              (("a", 10), ("b", 40))]  # fmt: skip
    later = event("note", "c", 50, created_by="alice")
    store = Store(*(task(name) for name in "abc"), *failed, later)
    assert store.asks("alice", "retry that").task == task_id("b")
    assert "the attempt of codex-1 is failed" in store.asks("alice", "retry that").why


# -- names and ids ------------------------------------------------------------------------------


def test_names_come_from_the_store_as_well() -> None:
    identity = {"id": "a", "channel": "gemini", "handle": "g"}
    agent = actor("zoe", "agent")
    agent = Record("actor", "zoe", {**agent.data, "identities": [identity], "name": "Zoe Two"})
    reader = MemoryReader(
        task("a", provider="claude"),
        agent,
        actor("will"),
        event("execution", "a", 1, provider="my-model"),
    )
    known = known_names(reader, Everything(reader, lambda _: ()))
    assert known["claude",].provider == "claude"
    assert known["cc",].provider == "claude-code"
    assert known["my", "model"].actors == {"codex-1"}
    assert known["zoe", "two"] == known["zoe",]
    assert known["zoe",].provider == "gemini"
    assert known["gemini",].actors == {"zoe"}
    assert ("will",) not in known  # a common word names nobody


def test_an_id_decides() -> None:
    id = id_of("Gift cards")
    for words in (id, f"continue {id[:6].upper()}", f"what about {id[:5]}, the sitemap?"):
        found = BUSY.asks(None, words)
        assert (found.task, found.score) == (id, 1.0)
    BUSY.refuses(None, f"continue {id[:5]} or {id_of('Dark mode for the settings page')[:5]}")


def test_a_word_that_could_be_an_id_is_first_a_word() -> None:
    store = Store(task("fade", title="One"), task("b", title="Fade the banner"))
    assert store.asks(None, "continue fade").task == task_id("b")
    assert Store(task("fade", title="One")).asks(None, "continue fade").task == task_id("fade")
    store = Store(task("k3m9aa", title="One"), task("k3m9bb", title="Two"))
    assert isinstance(store.refuses(None, "status of k3m9"), Ambiguous)
    assert store.asks(None, "status of k3m9a").task == task_id("k3m9aa")


def test_titles_that_look_like_commands() -> None:
    titles = ["Retry failed uploads", "Cancel", "New task form", "Review", "Use codex to review it"]
    store = Store(
        *(task(f"{letter}aaa", title=title) for letter, title in zip("abcde", titles, strict=True))
    )
    for title in (titles[0], titles[2]):
        found = store.asks(None, title)
        assert (found.intent, found.title) == ("status", title)
        assert store.asks(None, f"continue {title.lower()}").intent == "continue"
        assert store.asks(None, f"status of {title.upper()}?").title == title
    assert store.asks(None, 'status of "Review"').title == "Review"
    for words in ("cancel", "cancel that"):
        store.refuses(None, words)


def test_one_bad_file_hides_nothing() -> None:
    bad = task("bbbb", title="Broken")
    store = Store(task("aaaa", title="Routing"), bad)
    store.reader.bad = {bad.id}
    assert store.asks(None, "continue routing").task == task_id("aaaa")
    store.refuses(None, "continue bbbb")


def test_an_asker_who_is_nobody_has_no_agents() -> None:
    assert asker(BUSY.reader, None) == Asker(None, frozenset(), None)
