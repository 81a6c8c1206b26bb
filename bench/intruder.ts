/** Listeners that may be shut down, each a separate process: see native/intruder.cc. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compiled } from './compiled.ts';

export interface Intrusion {
  readonly pid: number;
  /** Just before it listened, CLOCK_MONOTONIC in ns. */
  readonly listenedNs: bigint;
  /** When it has ended. */
  readonly gone: Promise<{
    /** 0 if no signal ended it. */
    readonly signal: number;
    /** When its parent was notified. */
    readonly atNs: bigint;
    /** Whether the port could be bound right afterwards. */
    readonly free: boolean;
  }>;
}

export interface Intruder extends Disposable {
  /** A new process that listens at this age. One at a time: the previous one is gone. */
  listen(port: number, ageMs: number): Promise<Intrusion>;
}

export function startIntruder(): Intruder {
  const child = spawn(compiled('native/intruder.cc'), { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const words = async (): Promise<string[]> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the intruder could not listen');
    return (value as string).split(' ');
  };
  return {
    listen: async (port, ageMs) => {
      child.stdin.write(`${port} ${ageMs}\n`);
      const [pid, listened] = (await words()) as [string, string];
      const gone = words().then(([signal, at, state]) => ({
        signal: Number(signal),
        atNs: BigInt(at as string),
        free: state === 'free',
      }));
      // A caller that has given up no longer waits for it.
      gone.catch(() => undefined);
      return { pid: Number(pid), listenedNs: BigInt(listened), gone };
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}
