import { textOf } from '../engine/bytes.ts';
import type { Check } from './check.ts';
import { isFried, isKernelThread, isPresent, processSubject } from './subjects.ts';

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
    if (known === null) {
      if (snapshot.counts.identities > 0)
        report.blind(
          'nothing has been learned yet, so no program is known good',
          'desk secure learn once',
          snapshot.counts.identities,
        );
      return;
    }
    const judged = new Set<bigint>();
    for (let row = 0; row < table.count; row++) {
      if (!isPresent(table, row) || isKernelThread(table, row) || isFried(table, row)) continue;
      const identity = table.columns.identity[row] ?? 0n;
      if (judged.has(identity)) continue;
      judged.add(identity);
      if (known.identities.has(identity)) report.pass();
      else {
        const subject = processSubject(table, row);
        report.fail({
          subject,
          summary: `${textOf(table.exe(row)) || textOf(table.comm(row))} runs and was never learned`,
          evidence: {
            executable: textOf(table.exe(row)),
            comm: textOf(table.comm(row)),
            uid: table.columns.uid[row] ?? 0,
          },
        });
      }
    }
  },
};
