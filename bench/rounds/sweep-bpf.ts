/**
 * `PASSES WARM-UP [listed] [seq_file]`: the sweep by the BPF task iterator as it runs again and again, one call per pass; `listed`
 * compares with the list of /proc each time, `seq_file` uses the iterator of kernels before 6.7.
 */
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { printRound, timed } from './round.ts';

await printRound(async () => {
  const [passes, warmUp] = process.argv.slice(2, 4).map(Number) as [number, number];
  const listed = process.argv.includes('listed');
  const { addon, columns, root } = parts();
  const { available, reason, code } = addon.bpfState();
  if (!available) throw new CannotRun(`no BPF here: ${reason} (${code})`);
  const iterator = addon.forceSeqFile(process.argv.includes('seq_file'));
  const sweep = (compare: boolean): number => {
    const result = addon.sweepTasks(root, columns.bytes, columns.capacity, compare);
    if ('errno' in result) throw new CannotRun(`the sweep is refused: ${result.code}`);
    if (result.overflow || result.count > columns.capacity.processes)
      throw new Error('the columns are too small');
    return result.count;
  };
  // The first sweep reads what does not change from /proc; the steady form follows.
  let rows = sweep(true);
  const us = await timed(passes, warmUp, () => {
    rows = sweep(listed);
  });
  return { us, facts: { backend: 'bpf', iterator, mark: addon.mark, rows } };
});
