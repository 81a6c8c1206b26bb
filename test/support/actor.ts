/** Starts `actor.cc`: processes with a chosen confinement that all end when the actor is stopped. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from './require.ts';

/** A folder for compiled helpers: in the build tree, or of our own under the temporary folder when that is read-only. */
function buildFolder(): string {
  const inTree = join(projectRoot, 'build/test');
  const own = join(tmpdir(), `desk-test-${process.geteuid?.()}`);
  for (const folder of [inTree, own]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      if (lstatSync(folder).uid === process.geteuid?.()) return folder;
    } catch {}
  }
  throw new Error(`neither ${inTree} nor ${own} can be written`);
}

/** Compiles a C++ file beside this one, once per content; the path of the program. */
export function compiled(source: string, ...flags: readonly string[]): string {
  const path = fileURLToPath(new URL(source, import.meta.url));
  const hash = createHash('sha256').update(readFileSync(path)).update(flags.join(' ')).digest('hex');
  const program = join(buildFolder(), `${source.replace(/\.\w+$/, '')}-${hash.slice(0, 12)}`);
  if (!existsSync(program)) {
    const fresh = `${program}.${process.pid}`;
    execFileSync('g++', ['-std=c++20', '-O1', '-Wall', '-Wextra', '-pthread', path, '-o', fresh, ...flags]);
    chmodSync(fresh, 0o755);
    renameSync(fresh, program);
  }
  return program;
}

export interface Actors extends AsyncDisposable {
  /** Pids per subject, in the order asked for. */
  readonly pids: readonly (readonly number[])[];
  /** Pid of the actor itself, the parent of them all. */
  readonly parent: number;
  /** First pid of a subject. */
  pid(subject: number): number;
  /** Ends them all; resolves when the actor is gone. */
  stop(): Promise<void>;
}

async function readyLine(child: ChildProcess, what: string): Promise<string> {
  let output = '';
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${what} ended before it was ready: ${errors.trim()}`);
  });
  ended.catch(() => {});
  const line = (async () => {
    for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
      output += text;
      if (output.includes('\n')) return output.slice(0, output.indexOf('\n'));
    }
    return ended;
  })();
  return Promise.race([line, ended]);
}

/**
 * Starts one process per subject (words of `actor.cc`, e.g. `'nnp,filter'`) and waits until all are as asked.
 * Throws when the kernel refuses one of them. `program` is a copy of the actor at another place.
 */
export async function startActors(
  subjects: readonly string[],
  program = compiled('actor.cc'),
): Promise<Actors> {
  const child = spawn(program, subjects, { stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let pids: number[][];
  try {
    pids = JSON.parse(await readyLine(child, 'the actor')) as number[][];
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  return {
    pids,
    parent: child.pid as number,
    pid: (subject) => pids[subject]?.[0] ?? -1,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
