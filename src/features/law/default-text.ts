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

function benign(): string {
  const rows = CAUSES.map(({ name, why, checks }): [string, string] => [
    `${name} = true`,
    `${checks.join(', ')}: ${why}`,
  ]);
  return lines(rows);
}

const wrapped = (text: string): string => {
  const rows = [''];
  for (const word of text.split(' ')) {
    const last = rows.at(-1) as string;
    if (last.length + word.length > 110) rows.push(word);
    else rows[rows.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return rows.map((row) => `# ${row}\n`).join('');
};

export const defaultLawText =
  (): string => `# The law: what the checks of the desk judge by. Every value here is the default, so this file changes nothing.
# Copy it to law.toml beside your configuration, keep the keys you change, try "desk law check". A running service
# takes it within two seconds, or at once on SIGHUP; a broken one is told and the law before it stays.

[thresholds]
${thresholds()}
[learning]
auto = "off"  # "system": programs that root owns and nobody else can write are learned once clean for 24 h

# Named causes that make a fail harmless. false: such a fail is a finding.
[benign]
${benign()}
# Listeners that need not be learned; at most ${MOST_ENTRIES} such entries. port or ports, why: needed. Ports of [banned] and
# 8766 cannot be allowed.
# [[listen]]
# port = 22                      # or ports = [80, 443]
# protocol = "tcp"               # tcp (default) or udp
# scope = "public"               # loopback (default), public or any
# executable = "/usr/sbin/sshd"  # its holder; left out: any program
# why = "remote administration"
# expires = 2027-01-31T08:00:00+01:00

# Exceptions: a fail that matches counts as passed until expires; at most ${MOST_ENTRIES} such entries. check and why: needed.
# Every condition given must match. A text may be a list of texts (any of them); what ends in "*" matches what starts
# like it. executable is that of a process or of a listener's holder.
# [[except]]
# check = "traced"               # a check, a list of checks, or "*" beside another condition
# executable = "/opt/build/*"
# comm = "cc1plus"
# identity = "/usr/bin/python3:build"  # as "desk findings ID" shows it
# uid = 1000                     # or user = "build"
# evidence = "preload"           # the class that "desk findings ID" shows, of checks that fail in several ways
# shown = { LD_PRELOAD = "/opt/p.so" }  # the evidence itself, all of it, as "desk findings ID" says under "accepting covers"
# severity = "medium"            # this severe at most
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
# check = "banned-listener"      # nothing excuses such a finding: this only keeps the listener from being shut down
# port = 8766
# why = "under investigation"
# [[except]]
# check = "traced"
# finding = "3f9c1a2b4d5e6f70"   # one finding by its id, as "desk findings" shows it
# why = "looked at, harmless"

${wrapped(`The checks: ${CHECKS.map(({ id }) => id).join(', ')}.`)}`;
