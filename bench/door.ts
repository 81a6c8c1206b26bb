/** A listener that opens and closes on command, in a separate process: see native/door.cc. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compiled } from './compiled.ts';

export interface Door extends Disposable {
  /** When it listened, or closed: ms since the epoch, just before the call. */
  open(port: number): Promise<number>;
  close(): Promise<number>;
}

export function startDoor(): Door {
  const child = spawn(compiled('native/door.cc'), { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = async (words: string): Promise<number> => {
    child.stdin.write(`${words}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`the door did not ${words}`);
    return Number(BigInt(value as string) / 1000n) / 1000;
  };
  return {
    open: (port) => say(`open ${port}`),
    close: () => say('close'),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}
