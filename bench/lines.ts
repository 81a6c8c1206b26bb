/** A small program of the bench that answers a line with a line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface LineProgram extends AsyncDisposable {
  readonly pid: number;
  /** Sends a line; resolves with the next line that it prints. */
  ask(line: string): Promise<string>;
  /** The next line that it prints. */
  next(): Promise<string>;
  /** Closes its input; resolves with its last line. */
  end(): Promise<string>;
}

/** Starts a program that ends with its input or its parent. @throws Error with its name when it ends without an answer. */
export function startLines(program: string, words: readonly (string | number)[] = []): LineProgram {
  const child = spawn(program, words.map(String), { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} has ended`);
    return value as string;
  };
  return {
    pid: child.pid as number,
    ask: (line) => {
      child.stdin.write(`${line}\n`);
      return next();
    },
    next,
    end: async () => {
      child.stdin.end();
      const last = await next();
      await exited;
      return last;
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
