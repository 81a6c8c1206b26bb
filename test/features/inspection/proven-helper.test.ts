/** Whether a failed inspection counts against the process or against the helper. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type Asked, Helper } from '../../../src/features/inspection/helper.ts';
import { proven } from '../../../src/features/inspection/proven-helper.ts';
import { factsFrom } from '../../support/peek.ts';

const test = suite<{ folder: string }>('proven helper', { folder: '' });

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-proven-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

const facts: Answer = { kind: 'facts', facts: factsFrom() };
const gone: Answer = { kind: 'gone' };
const hung: Answer = { kind: 'hung' };
const broken: Answer = { kind: 'broken', reason: 'exit code 1' };
const killed: Answer = { kind: 'broken', reason: 'SIGKILL' };
const unavailable: Answer = { kind: 'unavailable', reason: 'ENOENT' };

/** Asks about pid 7; about the desk itself the helper gives these answers in order. */
async function answerOf(of7: Answer, ofSelf: readonly Answer[]) {
  const left = [...ofSelf];
  const helper: Asked = {
    start: () => undefined,
    close: async () => undefined,
    ask: async (pid, start) => {
      if (pid === 7) return of7;
      assert.equal([pid, start], [process.pid, '42']);
      const answer = left.shift();
      assert.ok(answer);
      return answer as Answer;
    },
  };
  const answer = await proven(helper, () => '42').ask(7, '1');
  assert.equal(left, []);
  return answer;
}

test('answers are passed on without a test of the helper', async () => {
  for (const answer of [facts, gone, unavailable]) assert.is(await answerOf(answer, []), answer);
});

test('a failed inspection counts against the process when the desk itself can be inspected', async () => {
  for (const answer of [hung, broken, killed]) {
    assert.is(await answerOf(answer, [facts]), answer);
    assert.is(await answerOf(answer, [gone]), answer);
    assert.is(await answerOf(answer, [broken, facts]), answer);
    // Something keeps killing the helpers.
    assert.is(await answerOf(answer, [killed]), answer);
  }
});

test('a failed inspection counts against the helper when the desk itself cannot be inspected', async () => {
  for (const answer of [hung, broken, killed]) {
    const why = 'it cannot inspect the desk itself: ';
    assert.equal(await answerOf(answer, [hung, hung]), { kind: 'unavailable', reason: `${why}no answer` });
    assert.equal(await answerOf(answer, [hung, broken]), {
      kind: 'unavailable',
      reason: `${why}exit code 1`,
    });
    assert.is((await answerOf(answer, [unavailable])).kind, 'unavailable');
  }
});

const impostors: Readonly<Record<string, string>> = {
  'prints nothing': 'exec sleep 60',
  'echoes its requests': 'exec cat',
  'exits at once': 'exit 0',
  'returns empty facts': `while read -r pid start; do echo "{\\"pid\\":$pid,\\"start\\":\\"$start\\",\\"facts\\":{}}"; done`,
  'returns facts in the format of another version': `while read -r pid start; do
     echo "{\\"pid\\":$pid,\\"start\\":\\"$start\\",\\"facts\\":{\\"ageSec\\":1,\\"unit\\":\\"\\",\\"executable\\":\\"\\",\\"environment\\":{},\\"maps\\":{},\\"descriptors\\":{},\\"emptyCommandLine\\":false}}"
   done`,
};
for (const [does, script] of Object.entries(impostors))
  test(`a program that ${does} is not accepted as the helper`, async ({ folder }) => {
    const program = join(folder, 'impostor');
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const helper = proven(new Helper({ program, deadlineMs: 300 }));
    const answer = await helper.ask(7, '1');
    await helper.close();
    assert.is(answer.kind, 'unavailable', JSON.stringify(answer));
  });

test('an empty file is not accepted as the helper', async ({ folder }) => {
  const program = join(folder, 'empty');
  writeFileSync(program, '', { mode: 0o755 });
  const helper = proven(new Helper({ program }));
  assert.is((await helper.ask(7, '1')).kind, 'unavailable');
  await helper.close();
});

test('the real helper reports a process with another start time as gone', async () => {
  const helper = proven(new Helper());
  assert.equal(await helper.ask(process.pid, '1'), { kind: 'gone' });
  await helper.close();
});

test.run();
