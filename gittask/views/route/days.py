"""Days as people say them (yesterday, last friday, two weeks ago), in the zone of who speaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from gittask.core.dataclass import dataclass
from gittask.core.moment import written


@dataclass(frozen=True)
class Days:
    """A stretch of time that words stand for, in times as records write them.

    ``first`` is in it, ``last`` is not. ``words`` are those that were said.
    """

    words: str
    first: str
    last: str

    def hold(self, at: str) -> bool:
        """Whether a record's time is within."""
        return self.first <= at < self.last


PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}
"""The parts of a day, in hours from its beginning; a night goes on into the next day."""

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MONTHS = "january february march april may june july august september october november december"
_MONTHS = {name: place for place, name in enumerate(MONTHS.split(), 1)}
_MONTHS |= {name[:3]: place for name, place in _MONTHS.items()} | {"sept": 9}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "four": 4}
_NUMBERS |= {"five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_UNITS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "month": 30, "months": 30}
LONGEST = 3660
"""How many days back a phrase may lie."""


def spoken(words: Sequence[str], now: datetime, zone: tzinfo) -> Iterator[tuple[range, Days]]:
    """The times that words name, each with the places of its words.

    ``now`` has a zone. Days are those of ``zone``, so that one may have 23 or 25 hours.
    """
    calendar = Calendar(now, zone)
    place = 0
    while place < len(words):
        found = _at(words[place : place + LONGEST_PHRASE], calendar)
        if found:
            count, first, last = found
            said = " ".join(words[place : place + count])
            yield range(place, place + count), Days(said, first, last)
            place += count
        else:
            place += 1


class Calendar:
    """The days around a moment, in a zone."""

    def __init__(self, now: datetime, zone: tzinfo) -> None:
        self.zone = zone
        self.moment = now.astimezone(UTC)
        self.day = now.astimezone(zone).date()

    def back(self, days: int) -> date:
        """The day so many days before today."""
        return self.day - timedelta(days=min(days, LONGEST))

    def hour(self, day: date, hour: int = 0) -> str:
        """The moment at which an hour (0 to 47) of a day begins."""
        day, hour = day + timedelta(days=hour // 24), hour % 24
        return written(datetime.combine(day, time(hour), self.zone).astimezone(UTC))

    def stretch(self, first: date, days: int = 1) -> tuple[str, str]:
        """So many whole days."""
        return self.hour(first), self.hour(first + timedelta(days=days))


Reading = tuple[int, str, str]
"""How many words it takes, and the two times."""

LONGEST_PHRASE = 6


def _at(words: Sequence[str], calendar: Calendar) -> Reading | None:
    """The longest phrase with which these words begin."""
    found = [each for rule in _RULES if (each := rule(words, calendar))]
    return max(found, default=None)


def _named_day(words: Sequence[str], calendar: Calendar) -> Reading | None:
    """today, yesterday evening, last friday, on monday morning, the day before yesterday"""
    taken, day = 1, None
    first = words[0]
    if first in ("today", "yesterday", "tonight"):
        day = calendar.back(first == "yesterday")
    elif list(words[:3]) == ["day", "before", "yesterday"]:
        taken, day = 3, calendar.back(2)
    elif first in WEEKDAYS:
        day = calendar.back((calendar.day.weekday() - WEEKDAYS.index(first) - 1) % 7 + 1)
    elif first in ("on", "last", "this", "since") and len(words) > 1 and words[1] in WEEKDAYS:
        found = _named_day(words[1:], calendar)
        assert found
        return found[0] + 1, found[1], _just_after(calendar) if first == "since" else found[2]
    if day is None:
        return None
    part = words[taken] if len(words) > taken else ""
    if first == "tonight" or part in PARTS:
        begins, ends = PARTS["night" if first == "tonight" else part]
        return taken + (part in PARTS), calendar.hour(day, begins), calendar.hour(day, ends)
    return taken, *calendar.stretch(day)


def _part_of_day(words: Sequence[str], calendar: Calendar) -> Reading | None:
    """this morning, last night"""
    if len(words) < 2 or words[0] not in ("this", "last") or words[1] not in PARTS:
        return None
    begins, ends = PARTS[words[1]]
    day = calendar.back(words[0] == "last")
    return 2, calendar.hour(day, begins), calendar.hour(day, ends)


def _calendar_stretch(words: Sequence[str], calendar: Calendar) -> Reading | None:
    """this week, last month, the weekend"""
    if "weekend" in words[:2] and words[0] in ("weekend", "last", "this", "the"):
        saturday = calendar.back((calendar.day.weekday() - 5) % 7)
        return words.index("weekend") + 1, *calendar.stretch(saturday, 2)
    if len(words) < 2 or words[0] not in ("this", "last") or words[1] not in ("week", "month"):
        return None
    week = words[1] == "week"
    first = calendar.back(calendar.day.weekday()) if week else calendar.day.replace(day=1)
    if words[0] == "this":
        return 2, calendar.hour(first), _just_after(calendar)
    before = first - timedelta(days=7) if week else (first - timedelta(days=1)).replace(day=1)
    return 2, calendar.hour(before), calendar.hour(first)


def _ago(words: Sequence[str], calendar: Calendar) -> Reading | None:
    """two days ago, a week ago, 3 hours ago, a couple of days ago"""
    counted = _count(words)
    if counted is None:
        return None
    taken, number, unit = counted
    if list(words[taken : taken + 1]) != ["ago"]:
        return None
    if unit.startswith("hour"):
        back = calendar.moment - timedelta(hours=min(number, LONGEST))
        hour = timedelta(hours=1)
        return taken + 1, written(back - hour), written(min(back + hour, calendar.moment))
    day = calendar.back(number * _UNITS[unit])
    around = {1: 0, 7: 3, 30: 7}[_UNITS[unit]]
    first = day - timedelta(days=around)
    return taken + 1, *calendar.stretch(first, 2 * around + 1)


def _lately(words: Sequence[str], calendar: Calendar) -> Reading | None:
    """the last three days, past two weeks, last few hours"""
    counted = _count(words[1:]) if words[0] in ("last", "past") else None
    if counted is None:
        return None
    taken, number, unit = counted
    if unit.startswith("hour"):
        first = written(calendar.moment - timedelta(hours=min(number, LONGEST)))
    else:
        first = calendar.hour(calendar.back(number * _UNITS[unit]))
    return taken + 1, first, _just_after(calendar)


def _count(words: Sequence[str]) -> tuple[int, int, str] | None:
    """A number and a unit of time: how many words they take, and both."""
    taken = 2 if list(words[:2]) == ["a", "couple"] or list(words[:2]) == ["a", "few"] else 1
    word = words[taken - 1] if len(words) >= taken else ""
    number = int(word) if word.isdecimal() and len(word) < 5 else _NUMBERS.get(word)
    taken += list(words[taken : taken + 1]) == ["of"]
    unit = words[taken] if len(words) > taken else ""
    if number is None or not (unit in _UNITS or unit in ("hour", "hours")):
        return None
    return taken + 1, number, unit


def _date(words: Sequence[str], calendar: Calendar) -> Reading | None:
    """2026-11-28 (as three words), 28 november, november 28th"""
    first, second, third = (*words[:3], "", "", "")[:3]
    count, day = 2, None
    if len(first) == 4 and first.isdecimal():
        count, day = 3, _day(int(first), _ordinal(second), _ordinal(third))
    elif first in _MONTHS:
        day = _past(calendar.day, _MONTHS[first], _ordinal(second))
    elif second in _MONTHS:
        day = _past(calendar.day, _MONTHS[second], _ordinal(first))
    return (count, *calendar.stretch(day)) if day else None


def _ordinal(word: str) -> int:
    """The number of a day or a month; 0 for another word."""
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word
    return int(digits) if digits.isdecimal() and len(digits) < 5 else 0


def _past(today: date, month: int, day: int) -> date | None:
    """The last such day that is not after today."""
    found = _day(today.year, month, day)
    return found if found is None or found <= today else _day(today.year - 1, month, day)


def _day(year: int, month: int, day: int) -> date | None:
    """The day of these numbers, if the calendar has it, and room for days around it."""
    try:
        return date(year, month, day) if date.min.year < year < date.max.year else None
    except ValueError:
        return None


def _just_after(calendar: Calendar) -> str:
    """Just after this moment, so that a stretch up to it holds what happens now."""
    return written(calendar.moment + timedelta(seconds=1))


_RULES: tuple[Callable[[Sequence[str], Calendar], Reading | None], ...] = (
    _named_day,
    _part_of_day,
    _calendar_stretch,
    _ago,
    _lately,
    _date,
)
