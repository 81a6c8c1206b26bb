/** A program that sleeps until the test releases it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Sleeper extends AsyncDisposable {
  readonly pid: number;
}

/** Starts `program`, a copy of sleep(1); it runs that file once this resolves. */
export async function startSleeper(program: string): Promise<Sleeper> {
  const child = spawn(program, ['600'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  return {
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
