#!/bin/sh
# Installs, uses, upgrades, removes and purges the Debian package in a root file system without systemd and without a compiler:
# deb-inside.sh OLD.deb NEW.deb. packaging/deb-systems.ts runs it. Prints one line of what was seen.
set -eu
old=$1 new=$2
work=$(mktemp -d)
export DESK_STATE="$work/state" HOME="$work" NO_COLOR=1 DEBIAN_FRONTEND=noninteractive
fail() { echo "deb: $1" >&2; exit 1; }

# All files, with the digests of those in /etc. Left out: the journals, caches and old copies of dpkg, apt and the account tools.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /opt/desk-try -o -path /var/cache \
    -o -path /var/lib/apt -o -path '/var/lib/dpkg/*-old' -o -path /var/lib/dpkg/updates -o -path /var/log \
    -o -path '/etc/*-' -o -path /etc/.pwd.lock \) -prune -o -print | sort
  find /etc -type f ! -name '*-' ! -name .pwd.lock ! -name passwd ! -name group ! -name shadow ! -name gshadow -exec md5sum {} + | sort -k 2
}
accounts() { cut -d: -f1 /etc/passwd /etc/group | sort; }

if ! command -v adduser >/dev/null && ! command -v systemd-sysusers >/dev/null; then
  # dpkg alone refuses, and names what is missing; apt brings it.
  if dpkg -i "$old" >"$work/refused" 2>&1; then fail 'installed without what it depends on'; fi
  grep -q 'adduser' "$work/refused" || fail "$(cat "$work/refused")"
  dpkg --purge hostess-desk >/dev/null 2>&1
  apt-get update -qq >/dev/null
  apt-get install -y -qq --no-install-recommends adduser >/dev/null 2>&1
fi
# An account of a person is not taken for the service.
useradd --uid 1000 desk
if dpkg -i "$old" >"$work/refused" 2>&1; then fail 'the account of a person was taken'; fi
grep -q 'not a system account' "$work/refused" || fail "$(cat "$work/refused")"
dpkg --purge hostess-desk >/dev/null 2>&1
userdel desk
files >"$work/before"
accounts >"$work/accounts-before"

dpkg -i "$old" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
first=$(desk --version | cut -d' ' -f1)
desk status --local >"$work/status" || [ $? = 1 ] || fail "$(cat "$work/status")"
# A program whose file is gone while it runs is a finding everywhere.
cp /bin/sleep "$work/planted"
"$work/planted" 300 &
planted=$!
rm "$work/planted"
desk findings --local >"$work/findings" 2>&1 || true
kill "$planted"
grep -q deleted-executable "$work/findings" || fail "the planted process is not found: $(cat "$work/findings")"
[ "$(stat -c '%a %U' /etc/desk/desk.toml)" = '644 root' ] || fail 'desk.toml has another owner or mode'
desk config check >/dev/null || fail 'desk.toml is refused'
[ -e /etc/systemd/system/multi-user.target.wants/desk.service ] || fail 'the service is not enabled'
for file in man/man1/desk.1.gz bash-completion/completions/desk zsh/vendor-completions/_desk fish/vendor_completions.d/desk.fish; do
  [ -s "/usr/share/$file" ] || fail "/usr/share/$file is missing"
done
dpkg --verify hostess-desk || fail 'files differ from the package'
bash -n /usr/share/bash-completion/completions/desk

echo '# mine' >>/etc/desk/desk.toml
install -d -m 700 -o desk -g desk /var/lib/desk
touch /var/lib/desk/kept
dpkg -i "$new" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
second=$(desk --version | cut -d' ' -f1)
[ "$first" != "$second" ] || fail 'the version did not change'
grep -q '# mine' /etc/desk/desk.toml || fail 'the upgrade replaced a changed desk.toml'
dpkg --remove hostess-desk >"$work/log" 2>&1 || fail "$(cat "$work/log")"
[ -e /var/lib/desk/kept ] || fail 'remove deleted the state'
grep -q '# mine' /etc/desk/desk.toml || fail 'remove deleted desk.toml'
# Purge follows no link, in the state folder or in its place.
mkdir "$work/elsewhere"
touch "$work/elsewhere/kept"
ln -s "$work/elsewhere" /var/lib/desk/link
dpkg --purge hostess-desk >"$work/log" 2>&1 || fail "$(cat "$work/log")"
[ -e "$work/elsewhere/kept" ] || fail 'purge followed a link'
files >"$work/after"
diff "$work/before" "$work/after" >"$work/left" || fail "left or lost: $(head -n 20 "$work/left")"
accounts >"$work/accounts-after"
[ "$(comm -13 "$work/accounts-before" "$work/accounts-after" | uniq)" = desk ] || fail 'other accounts than desk were made'

# Again over what was left, then purged at once, with a link in place of the state folder.
dpkg -i "$new" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
ln -s "$work/elsewhere" /var/lib/desk
dpkg --purge hostess-desk >"$work/log" 2>&1 || fail "$(cat "$work/log")"
[ -e "$work/elsewhere/kept" ] && [ ! -L /var/lib/desk ] || fail 'purge followed a link in place of the state folder'
rm -rf "$work"
echo "installed $first, found the planted process, upgraded to $second, removed, purged: nothing is left but the account"
