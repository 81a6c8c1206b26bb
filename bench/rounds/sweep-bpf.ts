/** `PASSES WARM-UP`: the sweep by the BPF task iterator as it runs again and again, one call per pass. */
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { numbers, tell, timed } from './round.ts';

await tell(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const { addon, columns, root, newer } = parts();
  const sweepTasks = newer('sweepTasks');
  const state = newer('bpfState')();
  if (!state.available) throw new CannotRun(`no BPF here: ${state.reason}`);
  const sweep = (listed: boolean): number => {
    const result = sweepTasks(root, columns.bytes, columns.capacity, listed);
    if ('errno' in result) throw new CannotRun(`the sweep is refused: ${result.code}`);
    if (result.overflow || result.count > columns.capacity.processes)
      throw new Error('the columns are too small');
    return result.count;
  };
  // The first sweep compares with the list of /proc and reads what does not change; the steady form follows.
  let rows = sweep(true);
  const us = await timed(passes, warmUp, () => {
    rows = sweep(false);
  });
  return { us, facts: { backend: 'bpf', mark: addon.mark, rows } };
});
