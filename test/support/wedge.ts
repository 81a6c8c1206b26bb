/** Starts `wedge.cc`: processes that block every reader of their memory files, until they are released. Needs FUSE. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { compiled } from './compile.ts';
import { tempFolder } from './temp-folder.ts';

export interface HungProcesses extends AsyncDisposable {
  readonly pids: readonly number[];
  /** A file of the server, seen through its mount namespace. */
  readonly file: string;
  free(): Promise<void>;
}

/** A file whose reader waits until `free`, and then gets an error. */
export const silentFile = (): Promise<HungProcesses> => wedge(0);

/** This many processes that hold their memory lock until `free`. */
export async function wedge(count: number): Promise<HungProcesses> {
  const folder = tempFolder('desk-wedge-');
  const child: ChildProcess = spawn(compiled('wedge.cc'), [String(count), folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const free = async () => {
    child.stdin?.end();
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  let line = '';
  try {
    for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
      line += text;
      if (line.includes('\n')) break;
    }
    if (!line.includes('\n')) throw new Error(`no process is hung: ${errors}`);
  } catch (error) {
    await free();
    throw error;
  }
  const file = `/proc/${child.pid}/root${folder}/2`;
  return { pids: JSON.parse(line), file, free, [Symbol.asyncDispose]: free };
}
