/**
 * Subjects that live for 100 ms and must not be missed, one after another while something else happens.
 *
 * A process: the service counts each process of an unlearned program that a sample has shown and that ended before it was reported
 * (`short_lived` of /detection, by program). The mark is such a program, and nothing else runs it, so the count is the number of
 * marks that were in a published state.
 * A listener: it takes a banned port, each mark its own, and is seen when the event stream has the finding of that port. (The stream's
 * `port` events are made every 100 ms at most, so they could lack a listener that a state had.) The service ends it then.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../../test/real/running.ts';
import { compiled } from '../compiled.ts';
import { type LiveEvent, openLive } from '../live.ts';

export const LIVES_MS = 100;
/** After its end, until it counts as missed: longer than any pause of the loop. */
export const SEEN_WITHIN_MS = 10_000;

const program = (): string => compiled('native/mark.cc');

/** How long it lived, ms; null when a signal ended it. */
async function mark(port?: number): Promise<number | null> {
  const words = port === undefined ? [String(LIVES_MS)] : [String(LIVES_MS), String(port)];
  const child = spawn(program(), words, { stdio: ['ignore', 'pipe', 'inherit'] });
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
    event === 'finding' &&
    data.event === 'open' &&
    data.finding.check === 'banned-listener' &&
    data.finding.subject.port === port;

/** Makes a process and a listener for each port, evenly over `seconds`, and waits until they are seen or given up. */
export async function marksDuring(
  control: number,
  ports: readonly number[],
  seconds: number,
): Promise<Marked> {
  const before = await counted(control);
  using live = await openLive(control);
  const listeners: Promise<boolean>[] = [];
  const processes: Promise<number | null>[] = [];
  for (const port of ports) {
    const found = live.next(isFound(port), 'the finding', SEEN_WITHIN_MS).then(
      () => true,
      () => false,
    );
    // One that was ended by the service has been seen; one that ended by itself must have an event.
    listeners.push(Promise.all([found, mark(port)]).then(([event, lived]) => event || lived === null));
    await delay((seconds * 500) / ports.length);
    processes.push(mark());
    await delay((seconds * 500) / ports.length);
  }
  const made = (await Promise.all(processes)).filter((lived) => lived !== null).length;
  const seen = (await Promise.all(listeners)).filter(Boolean).length;
  const until = performance.now() + SEEN_WITHIN_MS;
  let now = await counted(control);
  while (now - before < made && performance.now() < until) {
    await delay(250);
    now = await counted(control);
  }
  return { processes: { made, seen: Math.min(made, now - before) }, listeners: { made: ports.length, seen } };
}
