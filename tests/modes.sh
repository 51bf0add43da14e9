#!/usr/bin/env bash
# Runs make targets, by default `test`, under the hardest conditions that they have to pass under,
# all at once: in the background with SIGINT ignored, without a terminal, in a C locale, in a clone
# whose path has blanks, with 2 GB for temporary files, and no file of more than 2 GB.
#
#   bash tests/modes.sh                # make test
#   bash tests/modes.sh models test    # with the tests of optional libraries
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
place=$(mktemp -d)
parent="$place/a folder with blanks"
temporary="$place/temporary files"
mkdir "$parent" "$temporary"

running=
finish() {
  # All of it, if this ends before it does; setsid made it a group of its own.
  [ -z "$running" ] || kill -- "-$running" 2>/dev/null || true
  ! mountpoint -q "$temporary" || umount --lazy "$temporary"
  rm -rf "$place"
}
trap finish EXIT

mount -t tmpfs -o size=2g tmpfs "$temporary" 2>/dev/null ||
  echo "modes.sh: no file system of 2 GB can be mounted; temporary files have all the disk" >&2
git -c safe.directory='*' clone --quiet "$root" "$parent/hopcheck"
[ ! -d "$root/../shared" ] || ln -s "$(cd "$root/../shared" && pwd)" "$parent/shared"

[ $# -gt 0 ] || set -- test
(
  trap '' INT
  cd "$parent/hopcheck"
  ulimit -f $((2 * 1024 * 1024))
  LC_ALL=C TMPDIR="$temporary" exec setsid --wait make "$@" </dev/null
) >"$place/log" 2>&1 &
running=$!
status=0
wait "$running" || status=$?
running=
cat "$place/log"
exit "$status"
