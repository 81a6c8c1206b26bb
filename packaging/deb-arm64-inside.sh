#!/bin/sh
# Installs, uses and purges the Debian package in an emulated system: deb-arm64-inside.sh FILE. packaging/deb-arm64.ts runs it. Prints one
# line of what was seen.
set -eu
work=$(mktemp -d)
export DESK_STATE="$work/state"
fail() { echo "deb: $1" >&2; exit 1; }
now() { echo $(($(date +%s%N) / 1000000)); }

began=$(now)
dpkg --install "$1" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
installed=$(($(now) - began))
version=$(desk --version)
began=$(now)
desk status --local >"$work/status" || [ $? = 1 ] || fail "$(cat "$work/status")"
verdict=$(($(now) - began))
grep -q 'checks' "$work/status" || fail "$(cat "$work/status")"
# Of an emulated process the emulator is the program, so another check than deleted-executable finds it.
cp /bin/sleep "$work/planted"
"$work/planted" 600 &
planted=$!
desk findings --local --json >"$work/findings" || [ $? = 1 ] || fail "$(cat "$work/findings")"
kill "$planted"
tr -d " \n" <"$work/findings" | grep -Eq "\"pids\":\[([0-9]+,)*$planted[],]" || fail "the planted process is not found: $(cat "$work/findings")"
dpkg --verify hostess-desk || fail 'files differ from the package'
getent passwd desk >/dev/null || fail 'the account was not made'
dpkg --purge hostess-desk >"$work/log" 2>&1 || fail "$(cat "$work/log")"
for path in /usr/bin/desk /usr/lib/hostess-desk /etc/desk; do [ ! -e "$path" ] || fail "purge left $path"; done
rm -rf "$work"
echo "desk $version: installed in $installed ms, verdict in $verdict ms, found the planted process, purged"
