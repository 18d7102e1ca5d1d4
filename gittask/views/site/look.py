"""How pages look: one style sheet for all of them. Nothing in it moves."""

from __future__ import annotations

from gittask.views.palette import PALETTE

STYLE = (
    PALETTE
    + """\
* { box-sizing: border-box; } [hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, sans-serif; }
body > header { border-bottom: 1px solid var(--line); background: var(--tint);
  padding: .5rem max(1rem, 50% - 35rem); display: flex; flex-wrap: wrap; gap: .25rem 2rem;
  align-items: baseline; }
.site { margin: 0; font-weight: 700; }
nav ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1rem; }
nav li { margin: 0; } nav a { display: inline-block; padding: .35rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration-thickness: .15em; }
:focus-visible { outline: .15rem solid var(--link); outline-offset: .15rem; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--paper); padding: .5rem; }
.skip:focus { top: .5rem; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 1rem 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .4rem 0; } ul { margin: .25rem 0; padding-left: 1.25rem; } li { margin: .3rem 0; }
.task > * { max-width: 50rem; } .task > nav { margin: 1rem 0; }
.soft, time, caption, dt, .of { color: var(--soft); }
code { background: var(--tint); border-radius: .25rem; padding: .1em .3em;
  font: .875em/1.4 ui-monospace, monospace; } a code { color: inherit; }
pre { background: var(--tint); padding: .5rem .75rem; border-radius: .25rem;
  font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; }
blockquote { margin: .3rem 0; padding-left: .75rem; border-left: .2rem solid var(--line);
  white-space: pre-wrap; }
.bad { color: var(--bad); } .good { color: var(--good); }
.chip { display: inline-block; border: 1px solid currentcolor; border-radius: 1rem;
  padding: 0 .6em; font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.chip.done, .chip.ready, .chip.green { color: var(--good); }
.chip.blocked, .chip.waiting { color: var(--bad); }
.chip.active, .chip.review { color: var(--link); }
.chip.cancelled { color: var(--soft); }
.status { font-size: 1.05rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
  gap: .25rem 1.5rem; margin: 1rem 0; }
dl div { display: flex; gap: .5rem; } dt { flex: none; } dt::after { content: ":"; }
dd { margin: 0; min-width: 0; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
caption { text-align: left; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; font-weight: 400;
  border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; white-space: nowrap; } tbody th { min-width: 12rem; }
td code { white-space: nowrap; }
.board { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: 1rem; }
.board h2 { margin-top: .5rem; } .board ul { list-style: none; padding: 0; }
.card { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .6rem; }
.card p { margin: .15rem 0; } .card .of { font-size: .875rem; }
.box { border: 1px solid var(--line); border-radius: .4rem; padding: .25rem 1rem .75rem;
  margin: .75rem 0; }
.thread { list-style: none; padding: 0; } .thread li { margin: .75rem 0; }
.in-1 { margin-left: 1rem !important; } .in-2 { margin-left: 2rem !important; }
.in-3 { margin-left: 3rem !important; }
.log { list-style: none; padding: 0; } .log > li { padding: .35rem 0;
  border-bottom: 1px solid var(--line); }
summary { cursor: pointer; font-weight: 600; padding: .5rem 0; }
form { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .75rem;
  margin: 1rem 0; } label { display: block; font-weight: 600; }
.words { grid-column: 1 / -1; }
input, select { font: inherit; color: inherit; background: var(--paper); width: 100%;
  border: 1px solid var(--soft); border-radius: .25rem; padding: .4rem; }
.pages { margin: 1rem 0; }
@media (max-width: 60rem) {
  .board { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 44rem) {
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr, tbody th, td { display: block; padding: .1rem 0; border: 0; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td:empty { display: none; }
  td[data-head]::before { content: attr(data-head) ": "; color: var(--soft); }
}
@media print {
  body > header nav, .skip, form, .task > nav, .pages { display: none; }
  a { color: inherit; } main { max-width: none; padding: 0; }
  .card, li, tr { break-inside: avoid; } h1, h2, h3 { break-after: avoid; }
  details::details-content { content-visibility: visible; }
}
"""
)
