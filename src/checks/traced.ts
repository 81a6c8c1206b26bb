import { textOf } from '../engine/bytes.ts';
import { FACT } from '../engine/native/types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Check } from './check.ts';
import { USER_SPACE } from './conditions.ts';
import { names } from './executables.ts';
import { UNKNOWN } from './peek-facts.ts';
import { equals, not } from './rule.ts';
import { processSubject, processText } from './subjects.ts';

const DEBUGGERS = names('gdb gdbserver lldb lldb-server ltrace perf strace');
/** Begins the evidence class of a tracer that a person runs on a terminal. */
const BY_ITS_USER = 'by its user ';

/**
 * Whether a person traces a process of their own: the tracer is on a terminal, its user has a session that systemd-logind keeps,
 * which no daemon can make for itself, and the process has the same user, who is not root. What could not be read does not count.
 * Which of a user's processes the person started is not known: a daemon of that very user may make itself a terminal.
 */
function byItsUser({ processes: table, host }: Snapshot, row: number, tracerRow: number): boolean {
  const { uid, euid, tty, seen } = table.columns;
  const needed = FACT.stat | FACT.status;
  if (tracerRow < 0 || [row, tracerRow].some((one) => ((seen[one] ?? 0) & needed) !== needed)) return false;
  const user = uid[tracerRow] ?? 0;
  const ids = [euid[tracerRow], uid[row], euid[row]];
  return user !== 0 && ids.every((id) => id === user) && tty[tracerRow] !== 0 && host.sessionUids.has(user);
}

/** A process under ptrace (TracerPid of proc_pid_status(5)). */
export const traced: Check = {
  id: 'traced',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 1,
  techniques: ['T1055.008'],
  key: ['tracer_comm', 'tracer_executable'],
  text: {
    about: 'Another program controls this one through ptrace.',
    benign: 'gdb or strace that you started on a process of your own, a crash handler.',
    remedy: 'end the tracer if you did not start it',
  },
  causes: [
    {
      name: 'debuggers',
      why: 'a logged-in user debugs a process of their own',
      evidenceClass: DEBUGGERS.map((name) => `${BY_ITS_USER}/usr/bin/${name}`),
    },
    {
      name: 'crash-handlers',
      why: 'a crash handler writes down how the process died',
      evidenceClass: names(`/usr/lib/systemd/systemd-coredump /lib/systemd/systemd-coredump
        /usr/share/apport/apport /usr/libexec/drkonqi /usr/lib/chromium/chrome_crashpad_handler
        /opt/google/chrome/chrome_crashpad_handler /usr/lib/firefox/crashhelper`),
    },
  ],
  rule: () => ({ ...USER_SPACE, needs: FACT.stat | FACT.status, fails: not(equals('tracer', 0n)) }),
  given({ snapshot }, row) {
    const { comm, executable, person } = tracerOf(snapshot, row);
    return `${comm} ${executable} ${person}`;
  },
  explain({ snapshot }, row) {
    const subject = processSubject(snapshot.processes, row);
    const { tracer, comm, executable, person } = tracerOf(snapshot, row);
    const name = comm === UNKNOWN ? 'an unseen program' : comm;
    return {
      subject,
      summary: `${processText(subject)} is traced by ${name}, process ${tracer}`,
      evidence: { tracer, tracer_comm: comm, tracer_executable: executable },
      // A debugger is benign only where tracer and traced are known.
      evidenceClass: person ? `${BY_ITS_USER}${executable}` : executable,
      remedy: `end process ${tracer} (${name}) if you did not start it`,
    };
  },
};

/** The tracer of the process of a row, as far as it can be seen; `person`: a person traces a process of their own. */
function tracerOf(snapshot: Snapshot, row: number) {
  const table = snapshot.processes;
  const tracer = table.columns.tracer[row] ?? 0;
  const at = table.rowOf(tracer);
  const seen = at < 0 ? 0 : (table.columns.seen[at] ?? 0);
  const comm = (seen & FACT.stat) === 0 ? UNKNOWN : textOf(table.comm(at));
  const executable = (seen & FACT.exe) === 0 ? UNKNOWN : textOf(table.exe(at)) || UNKNOWN;
  return { tracer, comm, executable, person: executable !== UNKNOWN && byItsUser(snapshot, row, at) };
}
