import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type CookOff, onlyThese, type PipelineMode, runPipeline } from '../../src/gate/pipeline.ts';
import { findingFrom, momentFrom } from '../support/moment.ts';

const clean = momentFrom();
const scarred = (count: number) =>
  momentFrom({
    findings: Array.from({ length: count }, (_, at) =>
      findingFrom({ id: String(at), subject: { kind: 'desk' } }),
    ),
  });

const run = (
  mode: PipelineMode,
  looks: readonly ReturnType<typeof momentFrom>[],
  god = 1,
  cookOff?: CookOff,
) => {
  let look = 0;
  let clock = 0;
  return runPipeline(mode, {
    look: async () => looks[Math.min(look++, looks.length - 1)] ?? clean,
    god: () => god,
    clockMs: () => (clock += 0.4),
    ...(cookOff && { cookOff }),
  });
};

const namesOf = ({ steps }: Awaited<ReturnType<typeof run>>) => steps.map(({ step }) => step);

test('the clean path: cook, scar check, gate, and the gate passes', async () => {
  for (const mode of ['scar', 'check', 'cook'] as const) {
    const result = await run(mode, [clean]);
    assert.equal(namesOf(result), ['cook', 'scar-check', 'gate']);
    assert.ok(result.passed && result.steps.every(({ ok }) => ok));
    assert.equal(result.remedies, []);
  }
});

test('the dirty path goes on to cook-off and looks again, but a scar check stops at the gate', async () => {
  assert.equal(namesOf(await run('scar', [scarred(2)])), ['cook', 'scar-check', 'gate']);
  const cooked = await run('cook', [scarred(2), scarred(1)]);
  assert.equal(namesOf(cooked), ['cook', 'scar-check', 'gate', 'cook-off', 'scar-recheck']);
  assert.is(cooked.remedies.length, 2);
  assert.not.ok(cooked.passed);
  assert.is(cooked.moment.judgement.scars.length, 1);
});

test('cook-off asks for the remedy of each subject, one after another', async () => {
  const asked: string[] = [];
  const cookOff: CookOff = {
    subjects: ({ judgement }) => judgement.scars,
    apply: async ({ id }, mode) => {
      asked.push(`${mode} ${id}`);
      await Promise.resolve();
      asked.push(`done ${id}`);
      return { finding: id, remedy: 'stop it', result: mode, left: false };
    },
  };
  await run('scar', [scarred(2)], 1, cookOff);
  assert.equal(asked, []);
  await run('check', [scarred(1)], 1, cookOff);
  const { remedies } = await run('cook', [scarred(2)], 1, cookOff);
  assert.equal(asked, ['check 0', 'done 0', 'cook 0', 'done 0', 'cook 1', 'done 1']);
  assert.equal(
    remedies.map(({ result }) => result),
    ['cook', 'cook'],
  );
});

test('residue that is gone at the second look passes', async () => {
  assert.ok((await run('cook', [scarred(1), clean])).passed);
});

test('a store with none or two authoritative generations fails the gate even without scars', async () => {
  for (const god of [0, 2]) assert.not.ok((await run('scar', [clean], god)).passed);
});

test('over any observations: the order holds, and passed means no scar at the last look', async () => {
  const looks = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 });
  const order = ['cook', 'scar-check', 'gate', 'cook-off', 'scar-recheck'];
  await fc.assert(
    fc.asyncProperty(looks, fc.constantFrom<PipelineMode>('scar', 'check', 'cook'), async (counts, mode) => {
      const result = await run(mode, counts.map(scarred));
      assert.equal(namesOf(result), order.slice(0, result.steps.length));
      assert.is(result.passed, result.moment.judgement.scars.length === 0);
    }),
  );
});

test('what is confirmed for some findings is done about these alone', async () => {
  const asked: string[] = [];
  const all: CookOff = {
    subjects: ({ judgement }) => judgement.scars,
    apply: async ({ id }) => {
      asked.push(id);
      return { finding: id, remedy: 'stop it', result: 'stopped', left: false };
    },
  };
  const { remedies, steps } = await run('cook', [scarred(3)], 1, onlyThese(all, new Set(['1', 'gone'])));
  assert.equal(asked, ['1']);
  assert.equal(
    remedies.map(({ finding, summary }) => [finding, summary]),
    [['1', scarred(3).judgement.scars[1]?.summary]],
  );
  assert.match(steps.find(({ step }) => step === 'cook-off')?.detail ?? '', '1 tried');
  await run('cook', [scarred(3)], 1, onlyThese(all, new Set()));
  assert.equal(asked, ['1']);
});

test.run();
