import { textOf } from '../engine/bytes.ts';
import { FACT } from '../native/types.ts';
import type { Check } from './check.ts';
import { eachProcess } from './looks.ts';
import { isUserSpace, processSubject } from './subjects.ts';

/** A running identity (executable, container flag, comm of interpreters) that the baseline does not hold. */
export const unlearnedProcess: Check = {
  id: 'unlearned-process',
  avenue: 'new_comm',
  severity: 'low',
  tier: 1,
  text: {
    about: 'A program runs that the baseline does not know.',
    benign: 'A program you started or installed since the baseline was learned.',
    remedy: 'stop it or learn it',
  },
  judge({ snapshot, known }, report) {
    const table = snapshot.processes;
    const judged = new Set<bigint>();
    eachProcess(snapshot, report, FACT.stat, (row) => {
      const identity = table.columns.identity[row] ?? 0n;
      if (!isUserSpace(table, row) || judged.has(identity)) return;
      judged.add(identity);
      if (known === null) return;
      if (known.identities.has(identity)) return report.pass();
      const executable = textOf(table.exe(row));
      const comm = textOf(table.comm(row));
      report.fail({
        subject: processSubject(table, row),
        summary: `${executable || comm} runs and was never learned`,
        evidence: { executable, comm, uid: table.columns.uid[row] ?? 0 },
      });
    });
    if (known === null && judged.size > 0)
      report.blind({
        reason:
          'nothing has been learned yet (learning comes in a later version), so no program is known good',
        cure: '',
        subjects: judged.size,
      });
  },
};
