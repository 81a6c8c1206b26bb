import { textOf } from '../engine/bytes.ts';
import { FACT } from '../native/types.ts';
import type { Check } from './check.ts';
import { isFried, isKernelThread, isPresent, processSubject } from './subjects.ts';

/** A process under ptrace (TracerPid of proc_pid_status(5)). */
export const traced: Check = {
  id: 'traced',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 1,
  text: {
    about: 'Another program controls this one through ptrace.',
    benign: 'gdb, strace, a crash handler.',
    remedy: 'end the tracer if you did not start it',
  },
  judge({ snapshot }, report) {
    const table = snapshot.processes;
    let unread = 0;
    for (let row = 0; row < table.count; row++) {
      if (!isPresent(table, row) || isKernelThread(table, row) || isFried(table, row)) continue;
      const tracer = table.columns.tracer[row] ?? 0;
      if (((table.columns.seen[row] ?? 0) & FACT.status) === 0) unread++;
      else if (tracer === 0) report.pass();
      else {
        const tracerRow = table.rowOf(tracer);
        const name = tracerRow >= 0 ? textOf(table.comm(tracerRow)) : 'unseen';
        report.fail({
          subject: processSubject(table, row),
          summary: `process ${table.columns.pid[row]} (${textOf(table.comm(row))}) is traced by ${name}, process ${tracer}`,
          evidence: { tracer, tracer_comm: name },
          remedy: `end process ${tracer} (${name.replaceAll(';', ' ')}) if you did not start it`,
        });
      }
    }
    if (unread > 0) report.blind('the status of some processes could not be read', 'run as root', unread);
  },
};
