#!/bin/sh
# The report on the tasks of a range of commits, for any CI: report.sh BASE HEAD FOLDER [OPTION ...]
#
# It writes report.md, report.json and checks.xml (JUnit) to FOLDER, and ends as the check does:
# 0 if all is well, 4 if something is not. It needs git, gittask, and all of the history between
# the two commits. Further options go to gittask: --branch NAME of the change, --text FILE with the
# text of its request. GITTASK_BRANCH and GITTASK_REMOTE name another data branch or remote.
set -eu
base=$1
head=$2
folder=$3
shift 3
branch=${GITTASK_BRANCH:-gittask}
remote=${GITTASK_REMOTE:-origin}

git fetch --quiet --no-tags "$remote" "+refs/heads/$branch:refs/heads/$branch"
git config gittask.branch "$branch"
set -- --base "$base" --head "$head" "$@"
mkdir -p "$folder"
gittask pr render "$@" --format md --mode comment > "$folder/report.md"
gittask pr render "$@" --format json > "$folder/report.json"
code=0
gittask pr check "$@" --format junit > "$folder/checks.xml" || code=$?
gittask pr check "$@" --format text || true
exit "$code"
