import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type CookOff, onlyThese, type PipelineMode, runPipeline } from '../../src/findings/pipeline.ts';
import { expect } from '../support/expect.ts';
import { leftToYou } from '../support/learner.ts';
import { findingFrom, stateFrom } from '../support/state.ts';

const clean = stateFrom();
const scarred = (count: number) =>
  stateFrom({
    findings: Array.from({ length: count }, (_, at) =>
      findingFrom({ id: String(at), subject: { kind: 'desk' } }),
    ),
  });

const run = (
  mode: PipelineMode,
  observations: readonly ReturnType<typeof stateFrom>[],
  god = 1,
  cookOff: CookOff = leftToYou,
) => {
  let index = 0;
  let clock = 0;
  return runPipeline(mode, {
    observe: async () => observations[Math.min(index++, observations.length - 1)] ?? clean,
    god: () => god,
    clockMs: () => (clock += 0.4),
    cookOff,
  });
};

const namesOf = ({ steps }: Awaited<ReturnType<typeof run>>) => steps.map(({ step }) => step);

test('the clean path is cook, scar check, gate, and the gate passes', async () => {
  for (const mode of ['scar', 'check', 'cook'] as const) {
    const result = await run(mode, [clean]);
    assert.equal(namesOf(result), ['cook', 'scar-check', 'gate']);
    assert.ok(result.passed && result.steps.every(({ ok }) => ok));
    assert.equal(result.remedies, []);
  }
});

test('the dirty path continues with cook-off and observes again, in every mode', async () => {
  const whole = ['cook', 'scar-check', 'gate', 'cook-off', 'scar-recheck'];
  for (const mode of ['scar', 'check', 'cook'] as const) {
    const result = await run(mode, [scarred(2), scarred(1)]);
    assert.equal(namesOf(result), whole, mode);
    assert.is(result.remedies.length, 2);
    assert.not.ok(result.passed);
    assert.is(result.state.judgement.scars.length, 1);
  }
});

test('cook-off reports what it did: doing nothing is not ok, and a dry run is labelled', async () => {
  const outcomes = [
    { left: false, done: true },
    { left: false, done: false },
    { left: true, done: false },
    { left: true, done: true },
  ];
  const summaryOf = async (mode: PipelineMode, ...which: readonly number[]) => {
    const cookOff: CookOff = {
      subjects: ({ judgement }) => judgement.scars,
      apply: async ({ id }) => ({
        finding: id,
        remedy: 'r',
        result: 's',
        ...(outcomes[which[Number(id)] ?? 0] as { left: boolean; done: boolean }),
      }),
    };
    const { steps } = await run(mode, [scarred(which.length)], which.length === 0 ? 0 : 1, cookOff);
    const step = steps.find((one) => one.step === 'cook-off');
    return [step?.ok, step?.detail];
  };
  assert.equal(await summaryOf('cook', 0, 0), [true, '2 done']);
  assert.equal(await summaryOf('cook', 3), [true, '1 done']);
  assert.equal(await summaryOf('cook', 2), [false, 'nothing done, 1 left']);
  assert.equal(await summaryOf('cook', 1), [false, '1 tried without success']);
  assert.equal(await summaryOf('cook', 0, 1, 2), [false, '1 done, 1 tried without success, 1 left']);
  assert.equal(await summaryOf('scar', 2, 2), [false, 'dry run: nothing would be done, 2 left']);
  assert.equal(await summaryOf('check', 0, 2), [false, 'dry run: 1 would be done, 1 left']);
  assert.equal(await summaryOf('cook'), [false, 'nothing to work on']);
});

test('cook-off applies the remedy of each subject, one after another', async () => {
  const asked: string[] = [];
  const cookOff: CookOff = {
    subjects: ({ judgement }) => judgement.scars,
    apply: async ({ id }, mode) => {
      asked.push(`${mode} ${id}`);
      await Promise.resolve();
      asked.push(`done ${id}`);
      return { finding: id, remedy: 'stop it', result: mode, left: false, done: true };
    },
  };
  await run('check', [scarred(1)], 1, cookOff);
  const { remedies } = await run('cook', [scarred(2)], 1, cookOff);
  assert.equal(asked, ['check 0', 'done 0', 'cook 0', 'done 0', 'cook 1', 'done 1']);
  expect(remedies.map(({ result }) => result)).equals(['cook', 'cook']);
});

test('residue that is gone in the second observation lets the gate pass', async () => {
  assert.ok((await run('cook', [scarred(1), clean])).passed);
});

test('a store with none or two authoritative generations fails the gate even without scars', async () => {
  for (const god of [0, 2]) assert.not.ok((await run('scar', [clean], god)).passed);
});

test('over any observations the steps are in order, and passed means no scar in the last observation', async () => {
  const observations = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 });
  const order = ['cook', 'scar-check', 'gate', 'cook-off', 'scar-recheck'];
  await fc.assert(
    fc.asyncProperty(
      observations,
      fc.constantFrom<PipelineMode>('scar', 'check', 'cook'),
      async (counts, mode) => {
        const result = await run(mode, counts.map(scarred));
        assert.equal(namesOf(result), order.slice(0, result.steps.length));
        assert.is(result.passed, result.state.judgement.scars.length === 0);
      },
    ),
  );
});

test('remedies confirmed for some findings are applied to these only', async () => {
  const asked: string[] = [];
  const all: CookOff = {
    subjects: ({ judgement }) => judgement.scars,
    apply: async ({ id }) => {
      asked.push(id);
      return { finding: id, remedy: 'stop it', result: 'stopped', left: false, done: true };
    },
  };
  const { remedies, steps } = await run('cook', [scarred(3)], 1, onlyThese(all, new Set(['1', 'gone'])));
  assert.equal(asked, ['1']);
  expect(remedies.map(({ finding, summary }) => [finding, summary])).equals([
    ['1', scarred(3).judgement.scars[1]?.summary],
  ]);
  assert.match(steps.find(({ step }) => step === 'cook-off')?.detail ?? '', '1 done');
  await run('cook', [scarred(3)], 1, onlyThese(all, new Set()));
  assert.equal(asked, ['1']);
});

test.run();
