/**
 * P9: a process listens on a banned port beside the running service: how soon the finding is in the event stream, and how soon
 * the port is free again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../../test/real/running.ts';
import { freePorts } from '../../test/support/free-ports.ts';
import { startIntruder } from '../intruder.ts';
import { type LiveEvent, openLive } from '../live.ts';
import { startBuilt } from '../service.ts';
import { atMost, CannotRun, type Case, type Comparison, type Options } from './case.ts';

/** With the tracepoint. */
const EVENT_WITHIN_MS = 10;
/** The default. */
const LISTEN_POLL_MS = 10;
const PERIOD_MS = 100;
const WARM_UP = 2;
/** An intrusion takes a fraction of a second: more of them cost little. */
const LEAST_PASSES = 20;
/** Pause between two intrusions, so that the desk becomes idle. */
const REST_MS = 250;
/** Longer than any plausible delay. */
const NEVER_MS = 10_000;

interface Taken {
  readonly found: number[];
  readonly down: number[];
}

interface Kind {
  /** Put before the names of its comparisons. */
  readonly name: string;
  /** The `[loop]` section. */
  readonly loop: string;
  /** Age of the process when it starts to listen, ms. */
  readonly ageMs: number;
  /** The time to find a listener, as text, and the limit in ms, with listeners `polled` or by events. */
  limit(polled: boolean): readonly [how: string, ms: number];
}

const DEFAULT = {
  loop: `mode = "event"\nlisten_poll_ms = ${LISTEN_POLL_MS}`,
  limit: (polled) =>
    polled
      ? [`listeners polled every ${LISTEN_POLL_MS} ms`, 2 * LISTEN_POLL_MS]
      : ['listeners told by the tracepoint', EVENT_WITHIN_MS],
} satisfies Partial<Kind>;
const KINDS: readonly Kind[] = [
  { ...DEFAULT, name: 'default loop', ageMs: REST_MS },
  // The loop pauses after the turn in which it saw the process.
  { ...DEFAULT, name: 'default loop, process just born', ageMs: 0 },
  {
    name: 'loop without events',
    loop: `mode = "poll"\nperiod_ms = ${PERIOD_MS}`,
    ageMs: 0,
    limit: () => [`everything read every ${PERIOD_MS} ms`, 2 * PERIOD_MS],
  },
];

/** Intrusions beside one fresh service; whether it polls for listeners. */
async function intrude({ loop, ageMs }: Kind, passes: number, taken: Taken): Promise<boolean> {
  const [port = 0] = await freePorts(1);
  await using service = await startBuilt(`[loop]\n${loop}\n[banned]\nalso = [${port}]\n`);
  const { control } = service.home.ports;
  using live = await openLive(control);
  using intruder = startIntruder();
  const isIt = ({ event, data }: LiveEvent, of: 'open' | 'closed'): boolean =>
    event === 'finding' &&
    data.event === of &&
    data.finding.check === 'banned-listener' &&
    data.finding.subject.port === port;
  const [found, down]: [number[], number[]] = [[], []];
  for (let pass = 0; pass < WARM_UP + passes; pass += 1) {
    await delay(REST_MS);
    // Both before it listens: the service may react before our notification arrives.
    const opened = live.next((event) => isIt(event, 'open'), 'the finding', NEVER_MS);
    const closed = live.next((event) => isIt(event, 'closed'), 'its end', NEVER_MS);
    const both = Promise.all([opened, closed]);
    both.catch(() => undefined);
    const { pid, listenedNs, gone } = await intruder.listen(port, ageMs);
    const [toldNs] = await both;
    const { signal, atNs, free } = await gone;
    if (signal !== 15 || !free)
      throw new Error(`pid ${pid} ended by signal ${signal}, its port is ${free ? 'free' : 'taken'}`);
    if (pass < WARM_UP) continue;
    found.push(Number(toldNs - listenedNs) / 1e6);
    down.push(Number(atNs - listenedNs) / 1e6);
  }
  taken.found.push(...found);
  taken.down.push(...down);
  const { events } = (await ask(control, '/version')).json as {
    events: readonly { id: string; works: boolean }[];
  };
  return events.find(({ id }) => id === 'socket tracepoint')?.works !== true;
}

async function measure(kind: Kind, { rounds, passes }: Options): Promise<Comparison[]> {
  const raw: Taken[] = [];
  let polled = true;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const taken: Taken = { found: [], down: [] };
      polled = await intrude(kind, Math.max(passes, LEAST_PASSES), taken);
      raw.push(taken);
    }
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    const goals = [atMost('value', kind.limit(polled)[1])];
    return [{ name: `${kind.name}: found`, goals, unit: 'ms', notRun: error.message }];
  }
  const [how, limit] = kind.limit(polled);
  const shown = { unit: 'ms', warmUp: WARM_UP };
  return [
    {
      ...shown,
      name: `${kind.name}: found`,
      goals: [atMost('value', limit)],
      a: `from listen(2) to the finding in the event stream, ${how}`,
      rawA: raw.map(({ found }) => found),
    },
    {
      ...shown,
      name: `${kind.name}: shut down`,
      goals: [],
      a: 'from listen(2) to the end of the process, its port free',
      rawA: raw.map(({ down }) => down),
    },
  ];
}

const banned: Case = {
  id: 'banned',
  target: 'P9',
  title: 'A banned listener beside the service: from listen(2) to the finding, and to a free port',
  place: 'host',
  grows: [],
  unprivileged: 'always',
  async run(options) {
    const comparisons: Comparison[] = [];
    for (const kind of KINDS) comparisons.push(...(await measure(kind, options)));
    return { facts: {}, comparisons };
  },
};

export default banned;
