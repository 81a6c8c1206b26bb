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
  text: {
    about: 'Another program controls this one through ptrace.',
    benign: 'gdb, strace, a crash handler.',
    remedy: 'end the tracer if you did not start it',
  },
  rule: () => ({
    subjects: 'processes',
    needs: FACT.stat | FACT.status,
    applies: userSpace,
    fails: not(equals('tracer', 0n)),
  }),
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const tracer = table.columns.tracer[row] ?? 0;
    const tracerRow = table.rowOf(tracer);
    const name = tracerRow >= 0 ? textOf(table.comm(tracerRow)) : 'unseen';
    return {
      subject: processSubject(table, row),
      summary: `process ${table.columns.pid[row]} (${textOf(table.comm(row))}) is traced by ${name}, process ${tracer}`,
      evidence: { tracer, tracer_comm: name },
      remedy: `end process ${tracer} (${name}) if you did not start it`,
    };
  },
};
