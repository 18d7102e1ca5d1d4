"""The words by which people say what they mean, each beside its meaning: data, and no rules.

All is folded text. A phrase is words; ``*`` stands for up to a dozen words between. Phrases are
separated by commas. Words of another language stand beside those of the same meaning.
"""

from __future__ import annotations

from itertools import product

Phrases = dict[str, tuple[tuple[str, ...], ...]]
"""For each meaning its phrases, each as a tuple of words."""


def _phrases(said: dict[str, str]) -> Phrases:
    return {
        meaning: tuple(tuple(each.split()) for each in text.split(","))
        for meaning, text in said.items()
    }


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# -- what is wanted ---------------------------------------------------------------------------

INTENTS = _phrases(
    {
        "continue": (
            "continue, continue with, continuing, carry on, carry on with, go on, go on with, "
            "keep going, keep working, keep on, pick up, pick * up, resume, resume work on, "
            "proceed, proceed with, work on, working on, get back to, go back to, back to, "
            "return to, get on with, get going, move on with, push on with, start, start on, "
            "begin, begin with, wrap up, finish, fix, solve, implement"
        ),
        "retry": (
            "retry, retrying, try again, try * again, try * once more, redo, do again, "
            "do * again, rerun, re run, run again, run * again, start over, start * over, repeat, "
            "once more, one more time, give * another try, give * another go, "
            "give * another shot, give * another chance, another try, another attempt, "
            "another go, have another go"
        ),
        "status": (
            "status, status of, the status, the status of, state of, the state of, update on, "
            "news, progress, progress of, progress on, summary of, show, show me, tell me "
            "about, find, summarize, check on, check the status, check the status of, check "
            "how, check whether, check if, see how, see whether, see if, describe, explain, "
            "history of, the history of"
        ),
        "review": (
            "review, reviewing, look over, look * over, look at, have a look at, look through, "
            "second look, double check, cross check, check, proofread, audit, verify, inspect, "
            "another look, second pair of eyes, another pair of eyes, reviewer, add * reviewer, "
            "for a review, for review"
        ),
        "advice": (
            "second opinion, for a second opinion, advise, advise on, advice, advice on, for "
            "advice, consult, consult on, opinion on, advisor, add * advisor"
        ),
    }
)
"""What may be wanted. ``advice`` is a review in another role."""

ROLES = {"review": "reviewer", "advice": "advisor"}
"""The role of the second execution that these ask for."""

OTHERS = _phrases(
    {
        "cancel": "cancel, abort, delete, give up on, forget about",
        "close": "close, mark",
        "release": "stop, pause, halt, release, let go of",
        "reopen": "reopen, re open",
        "takeover": "take over, takeover",
        "handoff": "hand off, handoff, hand over, hand * over, hand * off",
        "note": "note for, note on, note to, note about, note that, add * note, leave * note",
        "approve": "approve, grant, deny",
        "set": "rename, assign, reassign, prioritize, prioritise",
        "dep": "block, unblock",
        "": "don't, dont, do not, never, undo, revert",
    }
)
"""What may be wanted as well, by the command for it; the last takes a wish back."""

TAKES_TEXT = ("note",)
"""Of these what follows the clause is the text that is to be written."""

ORDERS = frozenset(
    phrase[0]
    for table in (INTENTS, OTHERS)
    for phrases in table.values()
    for phrase in phrases
    if len(phrase) == 1
)
"""The words that say alone what is wanted."""

_KINDS = _phrases(
    {
        "task": "task, todo, to do, ticket, issue, item, card",
        "bug": "bug, bug report, defect",
        "feature": "feature, feature request",
        "chore": "chore",
        "story": "story",
    }
)
_MAKING = _phrases({"": "create, add, make, open, file, log, write, start, track, need, want"})[""]
_ONE = _phrases({"": "a, an, another, a new, new"})[""]

NEW: Phrases = {
    kind: tuple((*making, *one, *noun) for making, one, noun in product(_MAKING, _ONE, nouns))
    + tuple((*one, *noun) for one, noun in product((("new",), ("a", "new")), nouns))
    + tuple((*making, *noun) for making, noun in product(_MAKING, nouns))
    for kind, nouns in _KINDS.items()
}
"""The phrases that ask for a new task, by its type. What follows is the title."""

BEFORE_TITLE = _words("to for about that called named titled saying which is with title")
"""Words between such a phrase and the title."""

# -- around it --------------------------------------------------------------------------------

LEAD = _words(
    "please kindly can could would will shall should must may might you we i us me they someone"
    " somebody anybody let lets let's ok okay hey hi so well then and or but also just now go ahead"
    " want wants wanted to need needs i'd i'll i'm we'd we'll we're like have has use using get ask"
    " tell make with via by through a an it that this another agent else think maybe perhaps time"
    " be try give do take quickly first @"
)
"""Words that may stand before the phrase that says what is wanted."""

SUGGESTING = (("how", "about"), ("why", "not"), ("why", "don't"), ("why", "dont"))
"""What begins like a question, and is a wish."""

QUESTION = _words(
    "what whats how hows where wheres who whos whose when why which is are was were did does has"
    " had any anything"
)
"""Words that begin a question about how things stand."""

OBJECTS = _words("it them")
"""Words after an order that is none of these."""

QUESTION_WITH = {"do": _words("we you they i"), "have": _words("we you they i")}
"""Words that begin a question only where one of these follows."""

CHARGING = _words("use using with via let have ask get tell make through to @")
"""Words before a name that give it the work."""

OF_IT = _words("from by")
"""Words before a name that give it the work where they follow the work: a review by codex."""

# -- what names a task, and what does not -----------------------------------------------------

STOP = (
    LEAD
    | QUESTION
    | _words(
        "the of in on at from for into onto up out off over as if than not no its it's that's"
        " there there's here he she his her their our my mine your yours them been being am"
        " don't doing did done again too already yet still since until about around after before"
        " during ago anyone everyone nobody thanks thank cheers hello yes yeah sure right really"
        " some all's happened"
        " happening happen became become came come comes turn turned turns went stand stands"
        " look looks looking left lately recently soon today's far along bring given take taken put"
    )
)
"""Words that name nothing."""

TELLING_APART = _words(
    "old older new newer big bigger small smaller little long short previous next different good"
    " better first second third after before"
)
"""Words that choose among several things, and so name nothing alone."""

FILLER = TELLING_APART | _words(
    "task tasks thing things stuff work works job jobs issue issues ticket item card one"
    " ones problem bug fix feature story effort attempt attempts piece part bit topic matter"
    " case business whole last latest recent current same finished ready working failed"
    " failing fails broken stuck blocked waiting merged run ran running going pending open"
    " closed add make made build implement implementing write solve finish complete"
    " completed start started begin begun continue continued resume retry retried review"
    " reviewed reviewing check checked status state news progress update opinion report"
    " reported hand handed"
)
"""Words that name something only where it is in a title; else they say nothing."""

NAMELESS = STOP | FILLER | ORDERS
"""Words of which no title is made that could be told from what is wanted."""

REFERENCE = _words("it that this thing one same last latest")
"""Words for what was spoken of, or worked on, before."""

AGAIN = _words("again anew")
"""Words for what was done before."""

DID = _words("did made was started began worked touched left")
"""Words that follow an "I" which says whose it was."""

HAPPENED = {
    **dict.fromkeys(("fail", "fails", "failed", "failing"), ("failed",)),
    **dict.fromkeys(("finished", "done", "completed"), ("done",)),
    **dict.fromkeys(("started", "begun", "began"), ("started",)),
}
"""Words for what happened to a task, as ``standing`` names it."""

SEVERAL = _words(
    "both all everything every each them those these they either other others several something"
    " anything nothing things ones tasks"
)
"""Words for more than one thing, or for any."""
