/** Whom a failed look counts against: the process, or the program that should have told of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type Asked, Helper } from '../../../src/features/inspection/helper.ts';
import { ProvenHelper } from '../../../src/features/inspection/proven-helper.ts';
import { factsFrom } from '../../support/peek.ts';

const test = suite<{ folder: string }>('proven helper', { folder: '' });

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-proven-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

const facts: Answer = { kind: 'facts', facts: factsFrom() };
const gone: Answer = { kind: 'gone' };
const wedged: Answer = { kind: 'wedged' };
const broken: Answer = { kind: 'broken', reason: 'exit code 1' };
const killed: Answer = { kind: 'broken', reason: 'SIGKILL' };
const unavailable: Answer = { kind: 'unavailable', reason: 'ENOENT' };

/** Asks about pid 7; about the desk itself the helper says these, one after the other. */
async function proven(of7: Answer, ofSelf: readonly Answer[]) {
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
  const answer = await new ProvenHelper(helper, () => '42').ask(7, '1');
  assert.equal(left, []);
  return answer;
}

test('what is told is told, and nothing is proven', async () => {
  for (const answer of [facts, gone, unavailable]) assert.is(await proven(answer, []), answer);
});

test('a failed look counts against the process when the desk itself can be told of', async () => {
  for (const answer of [wedged, broken, killed]) {
    assert.is(await proven(answer, [facts]), answer);
    assert.is(await proven(answer, [gone]), answer);
    assert.is(await proven(answer, [broken, facts]), answer);
    // Somebody keeps ending the helpers.
    assert.is(await proven(answer, [killed]), answer);
  }
});

test('it counts against the helper when it cannot', async () => {
  for (const answer of [wedged, broken, killed]) {
    const why = 'it cannot tell about the desk itself: ';
    assert.equal(await proven(answer, [wedged, wedged]), { kind: 'unavailable', reason: `${why}no answer` });
    assert.equal(await proven(answer, [wedged, broken]), {
      kind: 'unavailable',
      reason: `${why}exit code 1`,
    });
    assert.is((await proven(answer, [unavailable])).kind, 'unavailable');
  }
});

const impostors: Readonly<Record<string, string>> = {
  'says nothing': 'exec sleep 60',
  'echoes what it is asked': 'exec cat',
  'ends at once': 'exit 0',
  'tells no part of the facts': `while read -r pid start; do echo "{\\"pid\\":$pid,\\"start\\":\\"$start\\",\\"facts\\":{}}"; done`,
  'tells them as a helper of another version would': `while read -r pid start; do
     echo "{\\"pid\\":$pid,\\"start\\":\\"$start\\",\\"facts\\":{\\"ageSec\\":1,\\"unit\\":\\"\\",\\"executable\\":\\"\\",\\"environment\\":{},\\"maps\\":{},\\"descriptors\\":{},\\"emptyCommandLine\\":false}}"
   done`,
};
for (const [does, script] of Object.entries(impostors))
  test(`a program in its place that ${does} is no helper`, async ({ folder }) => {
    const program = join(folder, 'impostor');
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const helper = new ProvenHelper(new Helper({ program, deadlineMs: 300 }));
    const answer = await helper.ask(7, '1');
    await helper.close();
    assert.is(answer.kind, 'unavailable', JSON.stringify(answer));
  });

test('an empty file in its place is no helper', async ({ folder }) => {
  const program = join(folder, 'empty');
  writeFileSync(program, '', { mode: 0o755 });
  const helper = new ProvenHelper(new Helper({ program }));
  assert.is((await helper.ask(7, '1')).kind, 'unavailable');
  await helper.close();
});

test('the real one tells who blocks it from who is told of', async () => {
  const helper = new ProvenHelper(new Helper());
  assert.equal(await helper.ask(process.pid, '1'), { kind: 'gone' });
  await helper.close();
});

test.run();
