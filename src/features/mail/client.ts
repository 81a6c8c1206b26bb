/** Whether the configured mail client runs. */
import { textOf } from '../../engine/bytes.ts';
import type { Snapshot } from '../../engine/snapshot.ts';

/** Where programs are installed by root for all users: a program named without path is below one of these. */
const INSTALLED = /^\/(?:usr|bin|sbin|opt|snap|app|nix\/store|gnu\/store)\//;

/** Whether a process runs that executable, not one that merely bears its name: a path is compared whole. */
export const runs = (
  { programs, processes }: Pick<Snapshot, 'programs' | 'processes'>,
  name: string,
): boolean =>
  programs
    .filter((program) => program.name === name)
    .flatMap(({ pids }) => pids.map((pid) => processes.rowOf(pid)))
    .some((row) => {
      const executable = row < 0 ? '' : textOf(processes.exe(row));
      return name.startsWith('/')
        ? executable === name
        : INSTALLED.test(executable) && executable.endsWith(`/${name}`);
    });
