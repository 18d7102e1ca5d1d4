#!/bin/sh
# The report on the tasks of a range of commits, for any CI: report.sh BASE HEAD [FOLDER]
#
# It writes report.md, report.json and checks.xml (JUnit) to FOLDER, and ends as the check does:
# 0 if all is well, 5 if something is not. It needs git, gittask, and all of the history between
# the two commits. GITTASK_BRANCH and GITTASK_REMOTE name another branch or remote. See docs/ci.md.
set -eu
base=$1
head=$2
folder=${3:-gittask-report}
branch=${GITTASK_BRANCH:-gittask}
remote=${GITTASK_REMOTE:-origin}

git fetch --quiet --no-tags "$remote" "+refs/heads/$branch:refs/heads/$branch"
git config gittask.branch "$branch"
mkdir -p "$folder"
gittask pr render --base "$base" --head "$head" --format md --mode comment > "$folder/report.md"
gittask pr render --base "$base" --head "$head" --format json > "$folder/report.json"
code=0
gittask pr check --base "$base" --head "$head" --format junit > "$folder/checks.xml" || code=$?
gittask pr check --base "$base" --head "$head" --format text || true
exit "$code"
