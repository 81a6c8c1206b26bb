/**
 * What this process started itself, known from birth by pid, start time and executable. A child keeps its pid until it is reaped,
 * and is forgotten then, so the pid cannot be another's; one that runs anything else than it was started for is not known.
 */
import { readFileSync, realpathSync } from 'node:fs';

interface Born {
  /** Clock ticks after boot, as text (proc_pid_stat(5)). */
  readonly start: string;
  /** What it may run: the program, and what runs before it is executed. */
  readonly programs: ReadonlySet<string>;
}

const children = new Map<number, Born>();
/** Programs of children whose pid is still to come. */
const coming = new Map<symbol, ReadonlySet<string>>();

function startOf(pid: number | 'self'): string | null {
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

const self: Born = { start: startOf('self') ?? '', programs: realPaths([process.execPath]) };

/** A child of these programs is being started; the function ends that. */
export function bearing(programs: readonly string[]): () => void {
  const key = Symbol('coming');
  coming.set(key, realPaths(programs));
  return () => void coming.delete(key);
}

/** A child that is not reaped yet; the function forgets it. */
export function born(pid: number, programs: readonly string[]): () => void {
  const start = startOf(pid);
  if (start === null) return () => undefined;
  const child = { start, programs: realPaths(programs) };
  children.set(pid, child);
  return () => {
    if (children.get(pid) === child) children.delete(pid);
  };
}

/** Asked of a process of our own tree: whether it is this one, or a child that runs what it was started for. */
export function isOurs({
  pid,
  start,
  executable,
}: {
  readonly pid: number;
  readonly start: string;
  readonly executable: string;
}): boolean {
  const known = pid === process.pid ? self : children.get(pid);
  if (known !== undefined) return known.start === start && known.programs.has(executable);
  return [...coming.values()].some((programs) => programs.has(executable));
}
