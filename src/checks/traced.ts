import { textOf } from '../engine/bytes.ts';
import { FACT } from '../native/types.ts';
import type { Check } from './check.ts';
import { userSpace } from './conditions.ts';
import { equals, not } from './rule.ts';
import { processSubject } from './subjects.ts';

/** A process under ptrace (TracerPid of proc_pid_status(5)). */
export const traced: Check = {
  id: 'traced',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 1,
  key: ['tracer_comm', 'tracer_executable'],
  text: {
    about: 'Another program controls this one through ptrace.',
    benign: 'gdb, strace, a crash handler.',
    remedy: 'end the tracer if you did not start it',
  },
  causes: [
    {
      name: 'debuggers',
      why: 'a debugger looks into the process',
      evidenceClass: ['gdb', 'gdbserver', 'lldb', 'lldb-server', 'ltrace', 'perf', 'strace'].map(
        (name) => `/usr/bin/${name}`,
      ),
    },
    {
      name: 'crash-handlers',
      why: 'a crash handler writes down how the process died',
      evidenceClass: [
        ...['/usr/lib/systemd/systemd-coredump', '/lib/systemd/systemd-coredump'],
        ...['/usr/share/apport/apport', '/usr/libexec/drkonqi', '/usr/lib/chromium/chrome_crashpad_handler'],
        ...['/opt/google/chrome/chrome_crashpad_handler', '/usr/lib/firefox/crashhelper'],
      ],
    },
  ],
  rule: () => ({
    subjects: 'processes',
    needs: FACT.stat | FACT.status,
    applies: userSpace,
    fails: not(equals('tracer', 0n)),
  }),
  given({ snapshot: { processes } }, row) {
    const tracer = processes.rowOf(processes.columns.tracer[row] ?? 0);
    return tracer < 0 ? '' : `${textOf(processes.comm(tracer))} ${textOf(processes.exe(tracer))}`;
  },
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const tracer = table.columns.tracer[row] ?? 0;
    const tracerRow = table.rowOf(tracer);
    const name = tracerRow >= 0 ? textOf(table.comm(tracerRow)) : 'unseen';
    const executable = tracerRow >= 0 ? textOf(table.exe(tracerRow)) : '';
    return {
      subject: processSubject(table, row),
      summary: `process ${table.columns.pid[row]} (${textOf(table.comm(row))}) is traced by ${name}, process ${tracer}`,
      evidence: { tracer, tracer_comm: name, tracer_executable: executable },
      evidenceClass: executable,
      remedy: `end process ${tracer} (${name}) if you did not start it`,
    };
  },
};
