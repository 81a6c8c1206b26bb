/** Starts `actor.cc`: processes with a chosen confinement that all end when the actor is stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from './compile.ts';

export interface Actors extends AsyncDisposable {
  /** Pids per subject, in the order asked for. */
  readonly pids: readonly (readonly number[])[];
  /** Pid of the actor itself, the parent of them all. */
  readonly parent: number;
  /** First pid of a subject. */
  pid(subject: number): number;
  /** Ends them all; resolves when the actor has exited. */
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
 * Starts one process per subject (words of `actor.cc`, e.g. `'nnp,filter'`) and waits until all are ready.
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
