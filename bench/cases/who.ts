/** M2: one person of 50,000 looked up over HTTP, against a bare prepared SELECT of the same ledger through Koa and its router. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '../../src/features/mail/ledger/ledger.ts';
import { messagesAlone } from '../../test/support/ledger.ts';
import { startBare } from '../bare.ts';
import { programPath } from '../peers/peer.ts';
import { startBuilt } from '../service.ts';
import { CONNECTIONS, type Load, load } from '../wrk.ts';
import { atMost, CannotRun, type Case, type Outcome } from './case.ts';

const PEOPLE = 50_000;
const BATCH = 1000;
const PATH = '/email/api/who';
const WARM_UP_SEC = 1;
const GOALS = [atMost('ratio', 3)] as const;

/** A ledger of this many people, some of them recipients; returns its folder. */
function makeLedger(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-people-'));
  const ledger = openLedger(folder, { own: ['me@example.net'], maxPeople: 2 * PEOPLE });
  const me = { address: 'me@example.net', name: 'Me' };
  for (let first = 1; first <= PEOPLE; first += BATCH) {
    const messages = Array.from({ length: BATCH }, (_, at) => {
      const number = first + at;
      const key = new Uint8Array(16);
      new DataView(key.buffer).setUint32(0, number);
      const person = { address: `person${number}@example.org`, name: `Person Number ${number}` };
      const sent = number % 7 === 0;
      return {
        key,
        atMs: Date.UTC(2020, 0, 1) + number * 60_000,
        copied: [],
        list: false,
        automated: false,
        from: [sent ? me : person],
        to: [sent ? person : me],
      };
    });
    ledger.commit(messagesAlone(messages));
  }
  ledger.finish();
  ledger.close();
  return folder;
}

async function deskLoad(ledger: string, seconds: number): Promise<Load> {
  await using run = await startBuilt('[loop]\nmode = "event"\nperiod_ms = 600000\n', {
    prepare: ({ state }) => {
      mkdirSync(state, { mode: 0o700 });
      copyFileSync(join(ledger, 'people.db'), join(state, 'people.db'));
    },
  });
  const token = readFileSync(join(run.home.state, 'mail.token'), 'utf8').trim();
  const ask = (forSec: number): Load =>
    load(run.pid, `http://127.0.0.1:${run.home.ports.control}`, forSec, 'who.lua', [
      PATH,
      token,
      String(PEOPLE),
    ]);
  ask(WARM_UP_SEC);
  return ask(seconds);
}

async function bareLoad(ledger: string, seconds: number): Promise<Load> {
  const words = [join(ledger, 'people.db')];
  await using server = await startBare('bare-select.ts', words, `${PATH}?email=person1%40example.org`);
  const ask = (forSec: number): Load =>
    load(server.pid, `http://127.0.0.1:${server.port}`, forSec, 'who.lua', [PATH, 'none', String(PEOPLE)]);
  ask(WARM_UP_SEC);
  return ask(seconds);
}

const who: Case = {
  id: 'who',
  target: 'M2',
  title: 'One person of 50,000 looked up over HTTP',
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ rounds, full }): Promise<Outcome> {
    const seconds = full ? 4 : 1;
    const refuse = (notRun: string): Outcome => ({
      facts: {},
      comparisons: [{ name: 'time per look-up', goals: GOALS, notRun }],
    });
    if (programPath('wrk') === undefined) return refuse('wrk is not installed (Debian package wrk)');
    const ledger = makeLedger();
    const ours: Load[] = [];
    const bare: Load[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await deskLoad(ledger, seconds));
        bare.push(await bareLoad(ledger, seconds));
      }
    } catch (error) {
      if (error instanceof CannotRun) return refuse(error.message);
      throw error;
    } finally {
      rmSync(ledger, { recursive: true, force: true });
    }
    const shared = {
      a: `GET ${PATH} of the service, with its guard and token`,
      b: 'one prepared SELECT of the same row through Koa and @koa/router, its columns as JSON',
      warmUp: 1,
    };
    const raw = (loads: readonly Load[], of: (load: Load) => number) => loads.map((one) => [of(one)]);
    const perRequest = ({ perSecond }: Load): number => 1e6 / perSecond;
    return {
      facts: { people: PEOPLE, connections: CONNECTIONS, measuredSec: seconds, generator: 'wrk' },
      comparisons: [
        {
          ...shared,
          name: 'time per look-up',
          goals: GOALS,
          unit: 'µs',
          rawA: raw(ours, perRequest),
          rawB: raw(bare, perRequest),
        },
        {
          ...shared,
          name: 'p99 of a look-up',
          goals: [],
          unit: 'µs',
          rawA: raw(ours, ({ p99Us }) => p99Us),
          rawB: raw(bare, ({ p99Us }) => p99Us),
        },
        {
          ...shared,
          name: 'processor time per look-up',
          goals: [],
          unit: 'µs',
          rawA: raw(ours, ({ cpuUs }) => cpuUs),
          rawB: raw(bare, ({ cpuUs }) => cpuUs),
        },
      ],
    };
  },
};

export default who;
