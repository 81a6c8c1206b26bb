import type { Snapshot } from './snapshot.ts';

/** Pids of the desk processes: the service's own tree, and those that run the programs that the engine was asked for. */
export const deskProcesses = ({
  engine,
  programs,
}: Pick<Snapshot, 'programs'> & {
  readonly engine: Pick<Snapshot['engine'], 'deskPids'>;
}): ReadonlySet<number> => new Set([...engine.deskPids, ...programs.flatMap(({ pids }) => pids)]);
