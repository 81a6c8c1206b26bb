/** B10: storms of forks and of listeners: what they cost, what is missed, and how soon the service is quiet again. */
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../test/support/free-ports.ts';
import { atMost } from '../cases/case.ts';
import { type Rates, startChurn } from '../churn.ts';
import { counters } from '../counters.ts';
import { percentBetween, settled } from '../group.ts';
import { startBuilt } from '../service.ts';
import { LIVES_MS, marksDuring } from './marks.ts';
import type { Bench } from './plan.ts';

const STORMS: readonly (Rates & { readonly what: 'forks' | 'listeners' })[] = [
  { what: 'forks', forks: 5000 },
  { what: 'listeners', listeners: 1000 },
];
const MARKS = 20;
/** One of each kind on the quiet machine: otherwise the instrument would not see them at all. */
const CONTROLS = 1;
const WINDOW_SEC = 1;

type Service = Awaited<ReturnType<typeof startBuilt>>;

/** CPU of one second after another. */
async function windows({ groups }: Bench, { pid }: Service, seconds: number): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < seconds; at += WINDOW_SEC) found.push(await groups.percent(pid, WINDOW_SEC));
  return found;
}

async function storm(bench: Bench, index: number): Promise<void> {
  const { groups, spans, sheet, options, facts } = bench;
  const { what, forks = 0, listeners = 0 } = STORMS[index] as (typeof STORMS)[number];
  const asked = (forks + listeners) * spans.stormScale;
  const marks = options.smoke ? 2 : MARKS;
  const ports = await freePorts(CONTROLS + marks);
  await using service = await startBuilt(`[banned]\nalso = [${ports.join(', ')}]\n`);
  const { control } = service.home.ports;
  await settled(groups, service.pid, spans.settle);
  const name = `B10 storm of ${what}`;
  const goal = (limit: number) => (options.processes === 1000 ? [atMost('value', limit)] : []);
  const missed = (kind: string) => ({
    name: `${name}: missed ${kind}`,
    a: `of ${marks} that live ${LIVES_MS} ms, those in no published state or event`,
    unit: '',
    goals: goal(0),
  });
  const checked = await marksDuring(control, ports.slice(0, CONTROLS), 1);
  // Their follow-up reads are over before the quiet level is taken.
  await delay(options.smoke ? 0 : 5000);
  const level = Math.max(...(await windows(bench, service, spans.calm)));
  const before = await counters(control);
  const started = await startChurn({ [what]: asked });
  const from = await groups.cpu(service.pid);
  const marking = marksDuring(control, ports.slice(CONTROLS), spans.storm);
  await delay(spans.storm * 1000);
  const to = await groups.cpu(service.pid);
  const made = await started.end();
  const after = await windows(bench, service, spans.calm);
  const marked = await marking;
  const counts = await counters(control);
  facts[`${what} per second in the storm`] = Math.round(made[what] ?? 0);
  sheet.put(
    {
      name,
      a: `${asked} ${what} per second for ${spans.storm} s: CPU of the group`,
      unit: '% of a core',
      goals: goal(40),
    },
    percentBetween(from, to),
  );
  for (const kind of ['processes', 'listeners'] as const) {
    const { made: all, seen } = marked[kind];
    if (checked[kind].seen < CONTROLS)
      sheet.absent(
        missed(kind),
        'one was not seen on the quiet machine either: the figure would mean nothing',
      );
    else sheet.put(missed(kind), all - seen);
  }
  sheet.put({ name: `${name}: resyncs`, a: 'desk_resyncs_total', unit: '' }, counts.resyncs - before.resyncs);
  const calm = {
    name: `${name}: quiet again`,
    a: `until a second costs at most what the dearest of ${spans.calm} before did`,
    unit: 's',
  };
  const quiet = after.findIndex((percent) => percent <= level);
  if (quiet < 0) sheet.put({ ...calm, goals: goal(5) }, spans.calm + WINDOW_SEC);
  else sheet.put({ ...calm, goals: goal(5) }, (quiet + 1) * WINDOW_SEC);
}

export async function storms(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.rounds; round += 1)
    for (const index of STORMS.keys()) await storm(bench, index);
}
