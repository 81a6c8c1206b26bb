import type { Snapshot } from './snapshot.ts';

/** Pids of the desk processes: the service's own tree, and whoever runs the programs that the engine was told to look for. */
export const deskProcesses = ({
  engine,
  programs,
}: Pick<Snapshot, 'programs'> & {
  readonly engine: Pick<Snapshot['engine'], 'deskPids'>;
}): ReadonlySet<number> => new Set([...engine.deskPids, ...programs.flatMap(({ pids }) => pids)]);
