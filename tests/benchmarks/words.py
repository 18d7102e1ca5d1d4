"""Text that looks like work: words of which few are common and most are rare (Zipf's law)."""

from __future__ import annotations

from itertools import accumulate, product
from random import Random

_COMMON = (
    "the to of and in is for on that with it by not as at from when after before only all "
    "test build route table index order queue worker cache token retry request response error "
    "timeout lock user depot driver invoice report page form field value limit rate key name path "
    "file branch commit merge review deploy release staging production server client session "
    "database schema migration query row column record event message mail export import parser "
    "encoder header footer button layout style theme font icon image video upload download link "
    "search filter sort group label tag note log metric alert dashboard chart graph node edge tree "
    "leaf root heap stack thread process signal socket port host proxy gateway firewall secret "
    "certificate password account role permission policy audit backup restore snapshot replica "
    "shard cluster region zone bucket object blob stream batch job task plan schedule calendar "
    "fails breaks drops skips repeats slows grows shrinks leaks hangs waits starts stops returns "
    "fix add remove rename split join move copy read write send receive parse check clean explain"
)
_BEGINNINGS = ("bra", "cor", "del", "fen", "gri", "hal", "jor", "kal", "lum", "mor", "nav", "pol")
_MIDDLES = ("a", "en", "i", "o", "ur", "el", "im", "ov", "ast", "und")
_ENDINGS = ("ba", "dex", "fil", "gon", "ka", "lin", "mer", "nor", "pex", "ric", "sol", "tan", "vex")

WORDS = (*_COMMON.split(), *map("".join, product(_BEGINNINGS, _MIDDLES, _ENDINGS)))
"""The vocabulary, the most common word first."""

_WEIGHTS = tuple(accumulate(1 / (rank + 2.7) for rank in range(len(WORDS))))


def phrase(chance: Random, least: int, most: int) -> str:
    """One line of ``least`` to ``most`` words, without a full stop."""
    count = chance.randint(least, most)
    words = " ".join(chance.choices(WORDS, cum_weights=_WEIGHTS, k=count))
    return words[0].upper() + words[1:]


def text(chance: Random, most: int) -> str:
    """One to ``most`` sentences; with three or more, the last one in a paragraph of its own."""
    sentences = [phrase(chance, 6, 14) + "." for _ in range(chance.randint(1, most))]
    if len(sentences) < 3:
        return " ".join(sentences)
    return " ".join(sentences[:-1]) + "\n\n" + sentences[-1]
