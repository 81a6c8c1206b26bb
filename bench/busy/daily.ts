/**
 * The default service in its daily life: quiet (B4), one change after another (B1), and a busy machine (B2, B3) beside peers, which
 * get the same load in the same round.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Load, startChurn, startRenamer } from '../churn.ts';
import { settled } from '../group.ts';
import { btop } from '../peers/btop.ts';
import { forkstat } from '../peers/forkstat.ts';
import { netdata } from '../peers/netdata.ts';
import { aboutOf, startResident, whyNot } from '../peers/resident.ts';
import { startBuilt } from '../service.ts';
import { type Bench, goalAt, isOnce } from './plan.ts';
import { type Span, spanOf } from './span.ts';

const PEERS = [netdata, btop, forkstat];

/** What a machine at work does, per second. */
export const BUSY = { forks: 200, starts: 20, connections: 500 };
export const BUSY_TEXT = '200 forks, 20 starts and 500 loopback connections per second';

const EVERY_MS = 200;
const THREADS = [1, 10, 100];

interface Change {
  readonly name: string;
  readonly does: string;
  /** What its load calls it. */
  readonly made: string;
  readonly limits: Readonly<Record<number, number>>;
  load(): Promise<Load>;
}

const RENAME: Change = {
  name: 'B1 one change',
  does: 'one process renames itself every 200 ms',
  made: 'changes',
  limits: { 1000: 0.4, 5000: 0.5 },
  load: () => startRenamer(EVERY_MS),
};
const START: Change = {
  name: 'B1 one start',
  does: 'one program starts and ends every 200 ms',
  made: 'starts',
  limits: {},
  load: () => startChurn({ starts: 1000 / EVERY_MS }),
};
const threaded = (threads: number): Change => ({
  name: `threads: one change, process with ${threads} threads`,
  does: `one process with ${threads} threads renames itself every 200 ms`,
  made: 'changes',
  limits: {},
  load: () => startRenamer(EVERY_MS, threads),
});

/** Kernel events per second of other programs: beyond this the difference of two spans says nothing about a change. */
const MOST_NOISE = 20;

/** What a change costs: CPU beyond that of the quiet service, and rechecks, for each. */
function putChange({ sheet, options }: Bench, change: Change, quiet: Span, span: Span): void {
  const { name, does, made, limits } = change;
  const more = `${does}: CPU of the group beyond that of the quiet service`;
  const cost = { name, a: `${more}, per change`, unit: 'ms', goals: goalAt(options.processes, limits) };
  const count = { name: `${name}: rechecks`, a: `${does}: partial and full rechecks per change`, unit: '' };
  const each = { name: `${name}: per recheck`, a: `${more}, per recheck`, unit: 'ms' };
  const noise = Math.round(quiet.rates.events);
  if (noise > MOST_NOISE && !options.smoke) {
    const reason = `the machine is not quiet: ${noise} events per second of other programs, more than ${MOST_NOISE}`;
    for (const about of [cost, count, each]) sheet.absent(about, reason);
    return;
  }
  const rate = span.made[made] ?? 0;
  const ms = (10 * (span.percent - quiet.percent)) / rate;
  const rechecks = (span.rates.worked - quiet.rates.worked) / rate;
  sheet.put(cost, ms);
  sheet.put(count, rechecks);
  if (rechecks > 0) sheet.put(each, ms / rechecks);
  else sheet.absent(each, 'no recheck beyond those of the quiet service');
}

/** Two quiet spans, one before and one after: their mean, and the events of the noisier one. */
function between(one: Span, other: Span): Span {
  const worked = (one.rates.worked + other.rates.worked) / 2;
  const events = Math.max(one.rates.events, other.rates.events);
  return { ...one, percent: (one.percent + other.percent) / 2, rates: { ...one.rates, worked, events } };
}

interface Cost {
  readonly percent: number;
  readonly pss: number;
}

async function ours(bench: Bench): Promise<Cost> {
  const { groups, spans, sheet, facts, options } = bench;
  await using service = await startBuilt('');
  const rest = await settled(groups, service.pid, spans.settle);
  facts['settled after s'] = rest.seconds;
  if (!rest.done) facts['settled at % of a core, still falling'] = Math.round(rest.percent * 100) / 100;
  const quiet = await spanOf(bench, service, spans.quiet);
  sheet.put(
    {
      name: 'B4 quiet',
      a: `CPU of the group over ${spans.quiet} s, after the start-up scans`,
      unit: '% of a core',
      goals: goalAt(options.processes, { 1000: 0.15 }),
    },
    quiet.percent,
  );
  const threads = isOnce(options) ? THREADS.slice(1).map(threaded) : [];
  const changes = [RENAME, START, ...threads];
  const found: Span[] = [];
  for (const { load } of changes) found.push(await spanOf(bench, service, spans.change, load));
  const base = between(quiet, await spanOf(bench, service, spans.change));
  facts['events per second while quiet'] = Math.round(base.rates.events * 10) / 10;
  for (const [index, change] of changes.entries()) putChange(bench, change, base, found[index] as Span);
  const busy = await spanOf(bench, service, spans.load, () => startChurn(BUSY));
  for (const [what, rate] of Object.entries(busy.made))
    if (rate > 0) facts[`${what} per second`] = Math.round(rate);
  facts['rechecks per second while busy'] = Math.round(busy.rates.worked * 10) / 10;
  facts['resyncs while busy'] = busy.to.resyncs - busy.from.resyncs;
  return { percent: busy.percent, pss: await groups.pssMb(service.pid) };
}

/** A peer under the same load. */
async function theirs({ groups, spans, options }: Bench, peer: (typeof PEERS)[number]): Promise<Cost> {
  await using running = await startResident(peer);
  await using _load = await startChurn(BUSY);
  await delay(options.smoke ? 1000 : peer.settleSec * 1000);
  const percent = await groups.percent(running.pid, spans.load);
  return { percent, pss: await groups.pssMb(running.pid) };
}

export async function daily(bench: Bench): Promise<void> {
  const { sheet, options, rounds, spans } = bench;
  const target = options.processes >= 5000 ? 'B3' : 'B2';
  const name = `${target} busy`;
  const does = `${BUSY_TEXT} for ${spans.load} s: CPU of the group`;
  const cpu = { name, a: does, unit: '% of a core' };
  const memory = { name: `${name}: memory`, a: 'PSS of the group at the end of it', unit: 'MB' };
  const peers = PEERS.map((peer) => {
    // None is started for a test of the bench itself.
    const reason = options.smoke ? 'no peers in the smoke form' : whyNot(peer);
    return { peer, reason, b: reason === null ? aboutOf(peer) : '' };
  });
  for (let round = 0; round < rounds; round += 1) {
    const own = await ours(bench);
    sheet.put({ ...cpu, goals: goalAt(options.processes, { 1000: 4, 5000: 6 }) }, own.percent);
    sheet.put(memory, own.pss);
    for (const { peer, reason, b } of peers) {
      const beside = { ...cpu, name: `${name} beside ${peer.id}` };
      if (reason !== null) {
        sheet.absent(beside, reason);
        continue;
      }
      const other = await theirs(bench, peer);
      sheet.put({ ...beside, b }, own.percent, other.percent);
      sheet.put({ ...memory, name: `${memory.name} beside ${peer.id}`, b }, own.pss, other.pss);
    }
  }
}
