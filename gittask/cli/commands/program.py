"""Commands about the program itself: schemas, shell completion, the demonstration."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import get_completion_class

from gittask.cli import demo
from gittask.cli.command import COMPLETE, command
from gittask.cli.context import context
from gittask.cli.output import as_json
from gittask.core.meaning import meant
from gittask.errors import NotFound
from gittask.store import packaged


@command("schema")
@click.argument("kind", required=False)
def schema_command(kind: str | None) -> None:
    """Print the JSON Schema of a kind of record, or name the kinds.

    \b
    gittask schema
    gittask schema handoff
    """
    here = context()
    schemas = packaged.schemas()
    if kind is None:
        lines = [f"{name:<10} {schemas.document(name)['description']}" for name in schemas.kinds]
        here.output.result({"kinds": list(schemas.kinds), "total": len(lines)}, lines)
        return
    if kind not in schemas.kinds:
        raise NotFound(f"no kind {kind!r}", hint="kinds: " + ", ".join(schemas.kinds))
    document = schemas.document(kind)
    here.output.result({"schema": document}, meant(as_json(document), "verbatim"))


@command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND ...]")
@click.pass_context
def help_command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show the help of a command, as COMMAND --help does.

    \b
    gittask help
    gittask help approve check
    """
    found = ctx.find_root()
    for word in words:
        group = found.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{found.command_path} has no commands", found)
        _, inner, _ = group.resolve_command(found, [word])
        assert inner is not None
        found = click.Context(inner, found, word, **inner.context_settings)
    text = found.get_help()
    context().output.result({"help": text}, meant(text, "verbatim"))


@command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the script that makes a shell complete commands, options and tasks.

    \b
    eval "$(gittask completion bash)"                     in ~/.bashrc
    eval "$(gittask completion zsh)"                      in ~/.zshrc
    gittask completion fish > ~/.config/fish/completions/gittask.fish
    """
    here = context()
    found = get_completion_class(shell)
    assert found is not None
    program = click.get_current_context().find_root().command
    script = found(program, {}, "gittask", COMPLETE).source()
    here.output.result({"script": script}, meant(script, "verbatim"))


@command("demo")
@click.option("--keep", metavar="DIR", help="Play it in this new folder, and leave it there.")
def demo_command(keep: str | None) -> None:
    """See it work: two actors, two clones and a remote in a throwaway folder.

    They work on one task at once, merge, hand off, and one is refused. All commands are real and
    shown with what they print. Nothing outside that folder is touched.

    \b
    gittask demo
    gittask demo --keep /tmp/gittask-demo
    """
    here = context()
    folder = Path(keep) if keep is not None else None
    stage = demo.run(folder, (lambda _: None) if here.output.json else here.output.text)
    left = f"it is all in {stage.root}" if folder else "the folder is gone"
    document = {**stage.as_json(), "folder": str(stage.root) if folder else None}
    here.output.result(
        document,
        f"\nThose were {len(stage.steps)} commands; {left}. In a repository of your own:\n\n"
        '  gittask init\n  gittask new "..." --why "..."\n  gittask start TASK\n\n'
        "Then: gittask help",
    )
