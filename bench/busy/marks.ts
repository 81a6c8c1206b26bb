/**
 * Subjects that live for 100 ms and must not be missed, one after another while something else happens.
 *
 * A process: the service counts each process of an unlearned program that a sample has shown and that ended before it was reported
 * (`short_lived` of /detection, by program). The mark is such a program, and nothing else runs it, so the count is the number of
 * marks that were in a published state.
 * A listener: it takes a banned port, each mark its own. It is seen when the event stream has that port, as a `port` event or in a
 * finding, or when the service has ended it. Neither event alone would do: a `port` event compares states that are 100 ms apart, and a
 * finding takes two samples.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../../test/real/running.ts';
import { compiled, workshop } from '../compiled.ts';
import { type LiveEvent, openLive } from '../live.ts';

export const LIVES_MS = 100;

const program = (): string => compiled('native/mark.cc');

/** How long it lived, ms; null when a signal ended it. */
async function mark(file: string, ...port: readonly number[]): Promise<number | null> {
  const child = spawn(file, [LIVES_MS, ...port].map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const said = await readText(child.stdout);
  const [code] = await closed;
  if (code !== null && code !== 0) throw new Error(`a mark ended with ${code}`);
  return code === null ? null : Number(said);
}

interface Seen {
  readonly made: number;
  readonly seen: number;
}

export interface Marked {
  readonly processes: Seen;
  readonly listeners: Seen;
}

/** Marks that the service has counted. */
async function counted(control: number): Promise<number> {
  const { short_lived } = (await ask(control, '/detection')).json as {
    short_lived: { programs: readonly { program: string; count: number }[] };
  };
  return short_lived.programs.find(({ program: of }) => of === program())?.count ?? 0;
}

const isFound =
  (port: number) =>
  ({ event, data }: LiveEvent): boolean =>
    event === 'port'
      ? data.event === 'open' && data.listener === `tcp 127.0.0.1:${port}`
      : event === 'finding' &&
        data.event === 'open' &&
        data.finding.check === 'banned-listener' &&
        data.finding.subject.port === port;

/** Makes a process and a listener for each port, evenly over `seconds`, and waits until they are seen or given up. */
export async function marksDuring(
  control: number,
  ports: readonly number[],
  seconds: number,
  seenWithinSec: number,
): Promise<Marked> {
  const before = await counted(control);
  using live = await openLive(control);
  // Another program, so that the processes of the listeners are not counted among the marks.
  const holder = join(workshop, `holder-${process.pid}`);
  copyFileSync(program(), holder);
  try {
    const listeners: Promise<boolean>[] = [];
    const processes: Promise<number | null>[] = [];
    for (const port of ports) {
      const found = live.next(isFound(port), 'the listener', LIVES_MS + seenWithinSec * 1000).then(
        () => true,
        () => false,
      );
      // One that the service has ended was seen.
      listeners.push(
        Promise.all([found, mark(holder, port)]).then(([event, lived]) => event || lived === null),
      );
      await delay((seconds * 500) / ports.length);
      processes.push(mark(program()));
      await delay((seconds * 500) / ports.length);
    }
    const made = (await Promise.all(processes)).filter((lived) => lived !== null).length;
    const seen = (await Promise.all(listeners)).filter(Boolean).length;
    const until = performance.now() + seenWithinSec * 1000;
    let now = await counted(control);
    while (now - before < made && performance.now() < until) {
      await delay(250);
      now = await counted(control);
    }
    const counts = { made, seen: Math.min(made, now - before) };
    return { processes: counts, listeners: { made: ports.length, seen } };
  } finally {
    rmSync(holder);
  }
}
