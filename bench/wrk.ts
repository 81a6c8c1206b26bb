/** wrk, one thread, keep-alive, as fast as responses arrive (closed loop). */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { project } from './compiled.ts';
import { cpuUsOf } from './service.ts';

export const CONNECTIONS = 16;

export interface Load {
  readonly perSecond: number;
  readonly p99Us: number;
  /** Processor time of all threads of the server, per request. */
  readonly cpuUs: number;
}

/** Loads a server of this pid; `words` are passed to the script of bench/native. */
export function load(
  pid: number,
  url: string,
  seconds: number,
  script = 'load.lua',
  words: readonly string[] = [],
): Load {
  const from = cpuUsOf(pid);
  const output = execFileSync(
    'wrk',
    [
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${seconds}s`,
      '--latency',
      '-s',
      join(project, 'bench/native', script),
      url,
      '--',
      ...words,
    ],
    { encoding: 'utf8' },
  );
  const result = JSON.parse(output.trim().split('\n').at(-1) as string) as Record<string, number>;
  if (result.failed !== 0) throw new Error(`${result.failed} requests of ${url} failed`);
  return {
    perSecond: Math.round(((result.requests as number) * 1e6) / (result.us as number)),
    p99Us: result.p99 as number,
    cpuUs: (cpuUsOf(pid) - from) / (result.requests as number),
  };
}
