/** P3: a recheck of a machine where nothing changes, how soon a change is in a snapshot, and the cost of waiting. */
import { ask } from '../../test/real/running.ts';
import { compiled } from '../compiled.ts';
import { foreignRound, ownRound } from '../rounds.ts';
import { cpuPercent, startBuilt } from '../service.ts';
import { against, ownSide, type Side } from './against.ts';
import { atMost, CannotRun, type Case, type Comparison, type Options } from './case.ts';

/** A change that has an event, in µs. */
const WITHIN_US = 5_000;
/** Two polls of the default listen_poll_ms. */
const POLLED_WITHIN_US = 20_000;
/** Percent of a core: with events for everything, and the addition allowed for the listener poll. */
const [IDLE, POLL] = [0.1, 0.6];
const POLL_MS = 10;
const NEVER_MS = 60_000;
/** Each span contains one periodic full scan; the median of four tolerates a burst of other work. */
const [IDLE_SPANS, SPAN_SEC] = [4, 5];
const IDLE_SEC = IDLE_SPANS * SPAN_SEC;

interface Idle {
  readonly name: string;
  readonly limit: number;
  readonly ordinary: boolean;
  /** The longest period removes the listener poll from the figure. */
  readonly listenPollMs: number;
}

/** The minimum cost of any poll on this machine. */
const bareWake: Side = {
  does: 'a thread that wakes every 10 ms and does nothing',
  warmUp: 0,
  round: (passes) => foreignRound(compiled('native/wake.cc'), [passes, POLL_MS]),
};

/** Processor time of the whole service while nothing happens, with the default loop; all at once, since none disturbs another. */
async function idle(
  kinds: readonly Idle[],
  { full, rounds }: Options,
): Promise<{ comparisons: Comparison[]; eventsPerSec: number }> {
  let events = 0;
  const raw = new Map(kinds.map(({ name }) => [name, [] as number[][]]));
  const reasons = new Map<string, string>();
  for (let round = 0; round < (full ? Math.min(rounds, 3) : 1); round += 1) {
    await Promise.all(
      kinds.map(async ({ name, ordinary, listenPollMs }) => {
        try {
          const loop = `[loop]\nmode = "event"\nlisten_poll_ms = ${listenPollMs}\n`;
          await using service = await startBuilt(loop, { ordinary });
          const { mode } = (await ask(service.home.ports.control, '/h7/charge')).json.forever;
          if (mode !== 'event') throw new CannotRun(`the loop has no events here: its mode is ${mode}`);
          const before = await service.events();
          const spans: number[] = [];
          for (let span = 0; span < IDLE_SPANS; span += 1) spans.push(await cpuPercent(service, SPAN_SEC));
          raw.get(name)?.push(spans);
          // Every service gets the same events: the maximum is what the machine did.
          events = Math.max(events, (await service.events()) - before);
        } catch (error) {
          if (!(error instanceof CannotRun)) throw error;
          reasons.set(name, error.message);
        }
      }),
    );
  }
  const comparisons = kinds.map(({ name, limit }) => {
    const named = { name, goals: [atMost('value', limit)], unit: '% of a core' };
    const notRun = reasons.get(name);
    if (notRun !== undefined) return { ...named, notRun };
    const a = `processor time of the service over ${IDLE_SPANS} times ${SPAN_SEC} s, idle machine`;
    return { ...named, a, rawA: raw.get(name) ?? [], warmUp: 0 };
  });
  return { comparisons, eventsPerSec: Math.round((10 * events) / IDLE_SEC) / 10 };
}

const recheck: Case = {
  id: 'recheck',
  target: 'P3',
  title: 'Recheck when nothing changed; from a change to the snapshot that shows it; what waiting costs',
  place: 'host',
  grows: ['processes'],
  unprivileged: 'always',
  async run(options) {
    const { full, rounds } = options;
    const root = process.geteuid?.() === 0;
    const own = (does: string, warmUp: number, name: string, ...words: string[]) =>
      ownSide(does, warmUp, (passes) => ownRound(name, [passes, warmUp, ...words]));
    const whole = own('a turn of the running loop, with its JavaScript', 50, 'recheck');
    const gate = own('watchTake with nothing to take', 5, 'gate');
    const poll = own('the watching thread with the listeners polled every 10 ms', 0, 'poll-price');
    const change = (kind: string) =>
      own(`a new ${kind} to the moment that shows it, default loop`, 1, 'reaction', kind);
    const fifty = [atMost('value', 50)];
    const few = { ...options, rounds: full ? Math.min(rounds, 5) : Math.min(rounds, 2) };
    const turns = await against({ name: 'whole recheck', goals: fifty }, whole, null, {
      ...few,
      passes: Math.max(options.passes, 500),
    });
    const alone = await against({ name: 'gate alone', goals: fifty }, gate, null, few);
    const soon = (kind: string, limit: number) =>
      against({ name: `${kind} to snapshot`, goals: [atMost('value', limit)] }, change(kind), null, few);
    const polled = String(gate.facts.listeners).startsWith('polled');
    const everyEvent = !polled && gate.facts['udp binds'] === 'by event';
    const comparisons = [
      turns,
      alone,
      await soon('process', WITHIN_US),
      await soon('listener', polled ? POLLED_WITHIN_US : WITHIN_US),
    ];
    if (root || full)
      comparisons.push(
        await against(
          { name: 'listener poll', goals: [atMost('value', POLL)], unit: '% of a core' },
          poll,
          bareWake,
          {
            ...few,
            passes: 3,
          },
        ),
      );
    const asked = full
      ? [
          await against(
            { name: 'recheck of everything' },
            own('moment({ maxAgeMs: 0 })', 5, 'full-recheck'),
            null,
            few,
          ),
        ]
      : [];
    const kind = (name: string, limit: number, how: Partial<Idle> = {}): Idle => ({
      name,
      limit,
      ordinary: false,
      listenPollMs: POLL_MS,
      ...how,
    });
    const other = kind('idle loop of an ordinary user, listeners polled', IDLE + POLL, { ordinary: true });
    const asRoot = [
      kind('idle loop', everyEvent ? IDLE : IDLE + POLL),
      kind('idle loop without the listener poll', IDLE, { listenPollMs: NEVER_MS }),
      other,
    ];
    // Root's case has measured the ordinary user's beside its own.
    const kinds = root
      ? asRoot
      : process.env.DESK_BENCH_SECOND === '1'
        ? []
        : [{ ...other, ordinary: false }];
    const waiting = await idle(kinds, options);
    const idleEvents = kinds.length === 0 ? {} : { 'events per second while idle': waiting.eventsPerSec };
    return {
      facts: { ...whole.facts, ...gate.facts, ...idleEvents },
      comparisons: [...comparisons, ...asked, ...waiting.comparisons],
    };
  },
};

export default recheck;
