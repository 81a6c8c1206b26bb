/** `desk diff` as it is printed: groups, one line each, within 80 columns. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Terminal } from '../../src/base/terminal.ts';
import { diffOf } from '../../src/features/diff/groups.ts';
import { showDiff } from '../../src/features/diff/show.ts';
import { diff } from '../../src/records/diff.ts';
import { diffRows, eventfulDay, factChange } from '../support/diff.ts';

const test = suite('desk diff');

function printed(facts: ReturnType<typeof eventfulDay>): readonly string[] {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  showDiff(new Terminal({ isTTY: false, write }, { COLUMNS: '80' }), diff.assemble({ ts: '', ...facts }));
  return text.split('\n');
}

test('what happened is grouped, one line for each thing, and what is not known is named', () => {
  const lines = printed(eventfulDay());
  for (const line of lines) assert.ok(line.length <= 80, line);
  const text = lines.join('\n');
  for (const said of [
    '2026-01-02 08:00 to 2026-01-03 08:00',
    'The machine started at 2026-01-03 06:00.',
    'Findings  1 opened, 1 came and went',
    /01-03 07:00 {2}opened +high +A deleted program runs/,
    'Startup places  1 added, 1 changed by packages',
    'Listeners  1 opened, 12 short-lived',
    /new version +nginx +1\.0-1 → 1\.0-2/,
    /did not run +the desk, or\S* .*since 01-02 09:00/,
    'what came and went while the desk did not run was not seen',
  ])
    assert.match(text, said);
  assert.not.match(text, 'Nothing has changed');
});

test('"nothing has changed" is printed of what is known alone', () => {
  assert.match(printed(diffOf(diffRows())).join('\n'), /^Nothing has changed\.$/m);
  const some = printed(diffOf(diffRows({ troubles: new Map([['startup', 'EACCES']]) }))).join('\n');
  assert.not.match(some, /^Nothing has changed\.$/m);
  assert.match(some, 'Startup places  none seen\n  ! EACCES');
  assert.match(some, /Nothing has changed of: findings, accounts and groups, listeners/);
});

test('many changes are folded, with how to see the others', () => {
  const changes = Array.from({ length: 30 }, (_, at) =>
    factChange({ kind: 'package', key: `p${at}`, name: `p${at}` }),
  );
  const lines = printed(diffOf(diffRows({ changes })));
  assert.is(lines.filter((line) => line.includes('installed  ')).length, 20);
  assert.ok(lines.includes('  and 10 more: desk diff --json'));
});

test.run();
