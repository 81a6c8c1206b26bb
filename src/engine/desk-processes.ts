import type { Snapshot } from './snapshot.ts';

interface Desk {
  readonly programs: Snapshot['programs'];
  readonly pids: ReadonlySet<number>;
}

/** Found once while both are the same objects. */
const found = new WeakMap<object, Desk>();

/** Pids of the desk processes: the service's own tree, and those that run the programs that the engine was asked for. */
export function deskProcesses({
  engine,
  programs,
}: Pick<Snapshot, 'programs'> & {
  readonly engine: Pick<Snapshot['engine'], 'deskPids'>;
}): ReadonlySet<number> {
  const known = found.get(engine);
  if (known?.programs === programs) return known.pids;
  const pids = new Set([...engine.deskPids, ...programs.flatMap((program) => program.pids)]);
  found.set(engine, { programs, pids });
  return pids;
}
