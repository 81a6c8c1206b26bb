/** The default law as a commented file: what `docs/law.toml` holds and `desk law show --default` prints. */
import { CHECKS } from '../../checks/index.ts';
import { CAUSES } from './causes.ts';
import { MOST_ENTRIES, THRESHOLDS } from './schema.ts';

/** `key = value` lines with their remarks behind them, in one column. */
function lines(rows: readonly (readonly [assignment: string, remark: string])[]): string {
  const widest = Math.max(0, ...rows.map(([assignment]) => assignment.length));
  return rows.map(([assignment, remark]) => `${assignment.padEnd(widest)}  # ${remark}\n`).join('');
}

const thresholds = (): string =>
  lines(Object.entries(THRESHOLDS).map(([name, { value, meaning }]) => [`${name} = ${value}`, meaning]));

const benign = (): string =>
  lines(CAUSES.map(({ name, why, checks }) => [`${name} = true`, `${checks.join(', ')}: ${why}`]));

const wrapped = (text: string): string => {
  const rows = text.match(/\S.{0,110}(?= |$)/g) ?? [];
  return rows.map((row) => `# ${row}\n`).join('');
};

export const defaultLawText =
  (): string => `# The law: the policy of the checks. Every value here is the default, so this file changes nothing.
# Copy it to law.toml next to your configuration, keep the keys you change, and run "desk law check". A running service
# loads it within some seconds, or at once on SIGHUP; an invalid file is reported and the previous version stays active.

[thresholds]
${thresholds()}
[learning]
auto = "off"  # "system": programs that root owns and only root can write are learned once clean for 24 h

# Named benign causes: a fail with one of them is harmless. false: it is a finding.
[benign]
${benign()}
# Listeners that need not be learned; at most ${MOST_ENTRIES} entries. Required: port or ports, why. Ports of [banned] and
# 8766 cannot be allowed.
# [[listen]]
# port = 22                      # or ports = [80, 443]
# protocol = "tcp"               # tcp (default) or udp
# scope = "public"               # loopback (default), public or any
# executable = "/usr/sbin/sshd"  # its holder; left out: any program
# why = "remote administration"
# expires = 2027-01-31T08:00:00+01:00

# Exceptions: a fail that matches counts as passed until expires; at most ${MOST_ENTRIES} entries. Required: check, why.
# All conditions must match. A text may be a list (any of them); a text that ends in "*" is a prefix.
# executable is that of a process or of a listener's holder.
# [[except]]
# check = "traced"               # a check, a list of checks, or "*" with another condition
# executable = "/opt/build/*"
# comm = "cc1plus"
# identity = "/usr/bin/python3:build"  # as "desk findings ID" shows it
# uid = 1000                     # or user = "build"
# evidence = "preload"           # the evidence class that "desk findings ID" shows, for checks with several classes
# shown = { LD_PRELOAD = "/opt/p.so" }  # the complete evidence, as "desk findings ID" shows under "accepting covers"
# severity = "medium"            # highest severity it covers
# why = "the build server debugs its own programs"
# expires = 2027-01-31T08:00:00+01:00
# [[except]]
# check = ["ownerless-socket"]
# protocol = "udp"
# port = 51820
# why = "WireGuard listens in the kernel"
# [[except]]
# check = "*"
# path = "/dev/shm/build/*"      # of findings about files
# why = "scratch files of the build server"
# [[except]]
# check = "banned-listener"      # the finding stays open: this only prevents the shutdown
# port = 8766
# why = "under investigation"
# [[except]]
# check = "traced"
# finding = "3f9c1a2b4d5e6f70"   # one finding by its id, as "desk findings" shows it
# why = "checked, harmless"

${wrapped(`The checks: ${CHECKS.map(({ id }) => id).join(', ')}.`)}`;
