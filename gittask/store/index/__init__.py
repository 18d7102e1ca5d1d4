"""The index: every record of one commit as JSON in SQLite, so that a question costs its answer.

It is disposable. It may be deleted at any time, is made again by itself, and whatever cannot use
it (a file system without locks, a folder that may not be written) goes on without.
"""
