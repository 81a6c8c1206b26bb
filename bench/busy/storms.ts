/** B10: storms of forks and of listeners: what they cost, what is missed, and how soon the service is quiet again. */
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../test/support/free-ports.ts';
import { atMost } from '../cases/case.ts';
import { type Rates, startChurn } from '../churn.ts';
import { counters } from '../counters.ts';
import { settled } from '../group.ts';
import { startBuilt } from '../service.ts';
import { LIVES_MS, marksDuring } from './marks.ts';
import type { Bench } from './plan.ts';

const STORMS: readonly (Rates & { readonly what: 'forks' | 'listeners' })[] = [
  { what: 'forks', forks: 5000 },
  { what: 'listeners', listeners: 1000 },
];
const MARKS = 20;
/** On the quiet machine: if none of them is seen, the instrument is blind. */
const CONTROLS = 5;
const WINDOW_SEC = 1;

type Service = Awaited<ReturnType<typeof startBuilt>>;

/** CPU of one second after another. */
async function windows({ groups }: Bench, { pid }: Service, seconds: number): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < seconds; at += WINDOW_SEC) found.push(await groups.percent(pid, WINDOW_SEC));
  return found;
}

async function storm(bench: Bench, index: number): Promise<void> {
  const { spans, sheet, options, facts, groups } = bench;
  const { what, forks = 0, listeners = 0 } = STORMS[index] as (typeof STORMS)[number];
  const asked = (forks + listeners) * spans.stormScale;
  const [controls, marks] = options.smoke ? [1, 1] : [CONTROLS, MARKS];
  const ports = await freePorts(controls + marks);
  await using service = await startBuilt(`[banned]\nalso = [${ports.join(', ')}]\n`);
  const { control } = service.home.ports;
  await settled(groups, service.pid, spans.settle);
  const name = `B10 storm of ${what}`;
  const goal = (limit: number) => (options.processes === 1000 ? [atMost('value', limit)] : []);

  // Once without any reader, for the cost.
  const level = Math.max(...(await windows(bench, service, spans.calm)));
  const before = await counters(control);
  await using first = await startChurn({ [what]: asked });
  const percent = await groups.percent(service.pid, spans.storm);
  const made = await first.end();
  const after = await windows(bench, service, spans.calm);
  const { resyncs } = await counters(control);
  facts[`${what} per second in the storm`] = Math.round(made[what] ?? 0);
  const does = `${asked} ${what} per second for ${spans.storm} s: CPU of the group`;
  sheet.put({ name, a: does, unit: '% of a core', goals: goal(40) }, percent);
  sheet.put({ name: `${name}: resyncs`, a: 'desk_resyncs_total', unit: '' }, resyncs - before.resyncs);
  const quiet = after.findIndex((one) => one <= level);
  sheet.put(
    {
      name: `${name}: quiet again`,
      a: `until a second costs no more than the most expensive of ${spans.calm} before did; ${spans.calm + 1}: not within ${spans.calm} s`,
      unit: 's',
      goals: goal(5),
    },
    ((quiet < 0 ? after.length : quiet) + 1) * WINDOW_SEC,
  );

  // Once more with marks and a reader of the event stream, for what is missed.
  const alone = await marksDuring(control, ports.slice(0, controls), controls / 2, spans.seen);
  await using second = await startChurn({ [what]: asked });
  const marking = marksDuring(control, ports.slice(controls), spans.storm, spans.seen);
  await delay(spans.storm * 1000);
  await second.end();
  const marked = await marking;
  for (const kind of ['processes', 'listeners'] as const) {
    const missed = {
      name: `${name}: missed ${kind}`,
      a: `of ${marks} that live ${LIVES_MS} ms, those in no published state or event`,
      unit: '',
      goals: goal(0),
    };
    facts[`${kind} seen without a storm`] = `${alone[kind].seen} of ${alone[kind].made}`;
    if (alone[kind].seen === 0)
      sheet.absent(missed, 'none was seen on the quiet machine either: the figure would mean nothing');
    else sheet.put(missed, marked[kind].made - marked[kind].seen);
  }
}

export async function storms(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.rounds; round += 1)
    for (const index of STORMS.keys()) await storm(bench, index);
}
