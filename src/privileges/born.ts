/**
 * The children that this process started, by pid, start time and executable. A child keeps its pid until it is reaped and is removed
 * then, so no other process can have it; a child that runs another program than the one it was started for is not known. Besides them the
 * helper of desk-namespaces, which systemd starts.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { textOf } from '../base/read-or-empty.ts';
import { START_PROGRAM } from './programs.ts';
import { inUnitBeside } from './unit-group.ts';

interface Known {
  readonly start: string;
  /** Its program, and those between fork and exec. */
  readonly programs: ReadonlySet<string>;
}

const children = new Map<number, Known>();
/** Programs of children whose pid is not known yet. */
const expected = new Map<symbol, ReadonlySet<string>>();

/** Clock ticks after boot, as text (proc_pid_stat(5)); null when it cannot be read. */
export function startOf(pid: number | 'self'): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Paths as /proc/PID/exe shows them. */
function realPaths(programs: readonly string[]): ReadonlySet<string> {
  return new Set(
    programs.map((program) => {
      try {
        return realpathSync(program);
      } catch {
        return program;
      }
    }),
  );
}

const self: Known = { start: startOf('self') ?? '', programs: realPaths([process.execPath]) };

/** Called before a child with these programs is started; the returned function ends the expectation. */
export function expectChild(programs: readonly string[]): () => void {
  const key = Symbol('expected');
  expected.set(key, realPaths(programs));
  return () => void expected.delete(key);
}

/** Registers a child; the returned function removes it when it is reaped. */
export function registerChild(pid: number, programs: readonly string[]): () => void {
  const start = startOf(pid);
  if (start === null) return () => undefined;
  const child = { start, programs: realPaths(programs) };
  children.set(pid, child);
  return () => {
    if (children.get(pid) === child) children.delete(pid);
  };
}

let startProgram: ReadonlySet<string> | undefined;

/** The helper that desk-namespaces.service runs: no child of ours, but desk-start in a unit beside ours, where only root puts a process. */
function isNamespacesHelper(pid: number, start: string, executable: string): boolean {
  startProgram ??= realPaths([START_PROGRAM]);
  return (
    startProgram.has(executable) &&
    inUnitBeside(textOf('/proc/self/cgroup'), textOf(`/proc/${pid}/cgroup`), 'desk-namespaces.service') &&
    startOf(pid) === start
  );
}

/** Whether a process is this one, a child that runs its program, or the helper of desk-namespaces. `inTree`: of our own process tree. */
export function isOurs(
  { pid, start, executable }: { readonly pid: number; readonly start: string; readonly executable: string },
  inTree = true,
): boolean {
  if (!inTree) return isNamespacesHelper(pid, start, executable);
  const known = pid === process.pid ? self : children.get(pid);
  if (known !== undefined) return known.start === start && known.programs.has(executable);
  return [...expected.values()].some((programs) => programs.has(executable));
}
