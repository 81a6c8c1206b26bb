/**
 * What a target gets while it, or the service, fails: every change once. Short: a slow target; `DESK_LONG=1`: the table of faults,
 * with a target that is down for ten minutes.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLong, tellFigure } from '../support/long-form.ts';
import type { Mood } from '../support/ntfy.ts';
import { patientMs } from '../support/time-limit.ts';
import { DOWN, failing, inScene, pause, type Scene, SETTLED_MS, UP } from './alert-scene.ts';
import { type Service, until } from './running.ts';

const test = suite('faults of alerts');

/** The longest pause between attempts is ten minutes. `until` waits longer where tests may. */
const ARRIVES_MS = (11 * 60_000) / patientMs(1);
const MINUTE_MS = 60_000;

interface Fault {
  readonly name: string;
  /** In the long form. */
  readonly rounds: number;
  /** Also in the short form, once. */
  readonly short?: true;
  /** How long it lasts after the first attempt in it. */
  readonly lastsMs?: number;
  begin(scene: Scene): Promise<void> | void;
  end(scene: Scene): Promise<void> | void;
}

const mooded = (name: string, mood: Mood, parts: Partial<Fault> = {}): Fault => ({
  ...{ name, rounds: 5 },
  begin: ({ ntfy }) => {
    ntfy.mood = mood;
  },
  end: ({ ntfy }) => {
    ntfy.mood = 'well';
  },
  ...parts,
});

const down: Fault = {
  ...{ name: 'down', rounds: 5 },
  begin: ({ ntfy }) => ntfy.stop(),
  end: async ({ ntfy }) => {
    await ntfy.start();
  },
};

const FAULTS: readonly Fault[] = [
  down,
  { ...down, name: 'down for ten minutes', rounds: 1, lastsMs: 10 * MINUTE_MS },
  mooded('answers after 4 s', 'slow', { short: true, begin: slowBy(4_000) }),
  mooded('answers after a minute', 'slow', { begin: slowBy(MINUTE_MS), rounds: 2 }),
  mooded('never answers', 'hang', { rounds: 2 }),
  mooded('500', 500),
  mooded('redirecting', 302),
  mooded('its answers are lost', 'lose'),
];

function slowBy(ms: number): Fault['begin'] {
  return ({ ntfy }) => {
    ntfy.slowMs = ms;
    ntfy.mood = 'slow';
  };
}

const countOf = (pattern: RegExp, titles: readonly string[]): number =>
  titles.filter((title) => pattern.test(title)).length;

/** What went wrong of `rounds` times down and up, by the messages that arrived. */
function tell(name: string, rounds: number, titles: readonly string[]): void {
  const counts = [DOWN, UP].map((pattern) => countOf(pattern, titles));
  const sum = (of: (count: number) => number) =>
    counts.reduce((all, count) => all + Math.max(0, of(count)), 0);
  const lost = sum((count) => rounds - count);
  const doubled = sum((count) => count - rounds);
  tellFigure(`${name}: changes`, 2 * rounds);
  tellFigure(`${name}: messages`, titles.length);
  tellFigure(`${name}: lost`, lost);
  tellFigure(`${name}: doubled`, doubled);
}

/** Each change is one message, in turn. */
const ensure = (rounds: number, titles: readonly string[]) =>
  assert.equal(
    titles.map((title) => (DOWN.test(title) ? 'down' : UP.test(title) ? 'up' : title)),
    Array.from({ length: rounds }, () => ['down', 'up']).flat(),
  );

for (const fault of FAULTS.filter(({ short }) => isLong || short === true))
  test(`a target that is or does: ${fault.name}`, () =>
    inScene(async (scene) => {
      const { watched, boot, titles } = scene;
      const rounds = isLong ? fault.rounds : 1;
      await using service = await boot();
      try {
        for (let round = 0; round < rounds; round += 1) {
          await fault.begin(scene);
          await watched.down();
          await attempted(scene, service);
          await pause(fault.lastsMs ?? 0);
          await fault.end(scene);
          await until(() => countOf(DOWN, titles()) > round, 'the alert', ARRIVES_MS);
          await watched.up();
          await until(() => countOf(UP, titles()) > round, 'what was resolved', ARRIVES_MS);
        }
        await pause(SETTLED_MS);
      } finally {
        tell(fault.name, rounds, titles());
      }
      ensure(rounds, titles());
    }));

/** Waits for a failed attempt; of a target that is slow within the time limit, for the end of the attempt. */
async function attempted({ ntfy }: Scene, service: Service): Promise<void> {
  if (ntfy.mood !== 'slow' || ntfy.slowMs >= MINUTE_MS) return void (await failing(service));
  const { length } = ntfy.messages;
  await until(() => ntfy.messages.length > length, 'the message', ARRIVES_MS);
  await pause(ntfy.slowMs + SETTLED_MS);
}

if (isLong)
  test('the service is killed between sending and noting', () =>
    inScene(async ({ ntfy, watched, boot, titles }) => {
      const rounds = 10;
      for (let round = 0; round < rounds; round += 1) {
        await using service = await boot();
        ntfy.kept = () => service.child.kill('SIGKILL');
        await (round % 2 === 0 ? watched.down() : watched.up());
        await until(() => service.child.signalCode === 'SIGKILL', 'the end of the service');
        ntfy.kept = null;
      }
      await using _last = await boot();
      await pause(10 * SETTLED_MS);
      tell('killed between sending and noting', rounds / 2, titles());
      ensure(rounds / 2, titles());
    }));

test.run();
