/** Drives `stage.cc`: processes that listen, idle, connect and pass on their sockets; all end with the stage. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readSync, writeSync } from 'node:fs';
import { compiled } from './compile.ts';

export interface Stage extends AsyncDisposable {
  /** Pid of the stage itself, the parent of all its members. */
  readonly pid: number;
  /** One command of `stage.cc`; its answer line. */
  ask(line: string): Promise<string>;
  /** The pids that a command answers. */
  pids(line: string): Promise<number[]>;
  stop(): Promise<void>;
}

export const stageProgram = (): string => compiled('stage.cc');

/** The same program under another path, so that it is another executable. */
export function stageCopy(path: string): string {
  copyFileSync(stageProgram(), path);
  return path;
}

export function startStage(): Stage {
  const child = spawn(stageProgram(), [], { stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  let errors = '';
  let pending = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) waiting.shift()?.resolve(line);
  });
  void closed.then(() => {
    for (const { reject } of waiting) reject(new Error(`the stage ended: ${errors.trim()}`));
  });
  const ask = (line: string): Promise<string> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      child.stdin.write(`${line}\n`);
    });
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await closed;
  };
  return {
    pid: child.pid as number,
    ask,
    pids: async (line) => (await ask(line)).split(' ').map(Number),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const ANSWERS = 3;
const COMMANDS = 4;

/** For a program that the stage started itself (`stage -- PROGRAM`): answers at once, so that it can be asked within a call. */
export function askStage(line: string): string {
  writeSync(COMMANDS, `${line}\n`);
  let answer = '';
  const room = Buffer.alloc(4096);
  while (!answer.endsWith('\n')) {
    const got = readSync(ANSWERS, room);
    if (got === 0) throw new Error(`the stage ended over "${line}"`);
    answer += room.toString('utf8', 0, got);
  }
  return answer.trimEnd();
}
