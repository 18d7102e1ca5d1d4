"""The names by which people speak of providers and actors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gittask.core.index import Known
from gittask.core.record import Reader
from gittask.views.route.phrases import STOP
from gittask.views.route.speech import title_words
from gittask.views.route.utterance import Bearer, Names

PROVIDERS = {
    "claude-code": "claude code, claude, cc",
    "codex": "codex, openai codex, codex cli",
    "gemini": "gemini, gemini cli",
    "cursor": "cursor",
    "copilot": "copilot, github copilot",
    "aider": "aider",
    "opencode": "opencode, open code",
}
"""What providers go by; a store adds those that its own records name."""


def known_names(reader: Reader, known: Known) -> Names:
    """The names of all providers that are known here, and of all actors.

    A provider that records name goes by exactly that name, whatever else does. An agent goes by
    its id and its name, and stands for the provider by which it last worked.
    """
    works_by = {**dict(_identified(reader)), **known.works_by()}
    by_provider: dict[str, set[str]] = defaultdict(set)
    for actor, provider in works_by.items():
        by_provider[provider].add(actor)
    found = {
        words: provider
        for provider, nicknames in PROVIDERS.items()
        for words in map(title_words, nicknames.split(","))
    }
    found |= {title_words(provider): provider for provider in (*PROVIDERS, *known.providers())}
    names = {
        words: Bearer(provider, frozenset(by_provider[provider]))
        for words, provider in found.items()
    }
    for one in reader.all("actor"):
        bearer = Bearer(works_by.get(one.id), frozenset({one.id}), one.id)
        for words in map(title_words, (one.id, one.data["name"])):
            if words and not STOP.issuperset(words):
                names.setdefault(words, bearer)
    return names


def _identified(reader: Reader) -> Iterator[tuple[str, str]]:
    """The provider of each agent, as its identities say."""
    for actor in reader.all("actor"):
        for identity in actor.data.get("identities") or ():
            if identity["channel"] in PROVIDERS:
                yield actor.id, identity["channel"]
