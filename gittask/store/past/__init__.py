"""The index of history: which commits touched what, so that asking for it costs its own history.

It says nothing that git would not say, is disposable like the index of the records, and until it
knows all of a commit's past git answers instead (docs/decisions/0025).
"""
