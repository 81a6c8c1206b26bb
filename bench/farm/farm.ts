/** Starts the load: see farm.cc. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Point } from '../cases/case.ts';
import { compiled } from '../compiled.ts';

export interface Farm extends AsyncDisposable {
  readonly point: Point;
  readonly pid: number;
  /** Arguments before a command that make it run beside the farm's sockets; empty when these are the host's. */
  readonly inside: readonly string[];
}

interface FarmOptions {
  /** Threads of each process. */
  readonly threads?: number;
  /** The compiled farm, or a copy of it elsewhere: what it is called and where it lies is for the checks. */
  readonly program?: string;
}

/** Only root may create a network namespace without losing its rights outside it. */
export const mayOwnNetwork = (): boolean => process.geteuid?.() === 0;

/**
 * Starts the processes, listeners and connections of `point`; resolves when all are ready. Without root there are no connections
 * and the listeners are the host's own on loopback. @throws Error with the program's own words when something is refused.
 */
export async function startFarm(
  point: Point,
  { threads = 1, program = compiled('farm/farm.cc') }: FarmOptions = {},
): Promise<Farm> {
  const own = mayOwnNetwork();
  if (!own && point.established > 0) throw new Error('connections are only made in a namespace, as root');
  const words = [point.processes, point.listeners, point.established, threads].map(String);
  const child = spawn(program, own ? [...words, 'own-net'] : words, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let line = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    line += text;
    if (line.includes('\n')) break;
  }
  if (!line.startsWith('{')) throw new Error(`the farm did not start: ${line.trim() || 'it ended'}`);
  const { pid, ...started } = JSON.parse(line) as Point & { pid: number };
  return {
    point: started,
    pid,
    inside: own ? ['nsenter', `--net=/proc/${pid}/ns/net`, '--'] : [],
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
