/** The commands of README.md that `npm run packages -- walk` runs, and how its output is compared with what is shown there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blocksOf, inlineOf, missingIn } from '../support/readme.ts';
import { projectRoot } from '../support/require.ts';

const test = suite('README');
const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');

const TEXT = `# x

## First

### 1. One

\`\`\`sh
# where you build
make it
\`\`\`

### 2. Two

\`\`\`sh
tee file <<END
# not a comment
END
look \\
  twice
\`\`\`

\`\`\`text
found 12 of 1,024  at 2026-11-29T13:43:24
…
  the end
\`\`\`

## Second

Run \`sudo desk status\`.
`;

test('commands, their place and what is shown for them', () => {
  assert.equal(blocksOf(TEXT, 'First'), [
    { step: '1. One', place: 'build', commands: [{ text: 'make it', shown: [] }] },
    {
      step: '2. Two',
      place: 'machine',
      commands: [
        { text: 'tee file <<END\n# not a comment\nEND', shown: [] },
        {
          text: 'look \\\n  twice',
          shown: ['found 12 of 1,024  at 2026-11-29T13:43:24', '…', '  the end'],
        },
      ],
    },
  ]);
  assert.equal(inlineOf(TEXT, 'Second'), [{ text: 'sudo desk status', shown: [] }]);
  assert.throws(() => blocksOf(TEXT, 'Third'), /no section/);
});

test('numbers, times and ids may differ, words and order may not', () => {
  const shown = ['found 12 of 1,024  at 2026-11-29T13:43:24', '…', '  the end'];
  assert.is(missingIn('found 7 of 8 at 2027-01-01T00:00:00\nmore\nthe end', shown), undefined);
  assert.is(missingIn('lost 7 of 8 at 2027-01-01T00:00:00\nthe end', shown), shown[0]);
  assert.is(missingIn('the end\nfound 7 of 8 at 2027-01-01T00:00:00', shown), shown[2]);
  assert.is(missingIn('id 0123456789abcdef', ['id 13953ed5c8a13570']), undefined);
  assert.is(missingIn('id 0123', ['id 13953ed5c8a13570']), 'id 13953ed5c8a13570');
  assert.is(missingIn('sum AB:CD', ['sum DC:5D:43:D8:EA:69:33:06']), undefined);
  assert.is(missingIn('a.b', ['a+b']), 'a+b');
});

test('README.md has the steps that are walked, on both machines', () => {
  const blocks = blocksOf(readme, 'The first ten minutes');
  assert.equal([...new Set(blocks.map(({ place }) => place))], ['build', 'machine', 'other']);
  assert.ok(blocks.flatMap(({ commands }) => commands).some(({ shown }) => shown.length > 0));
  assert.ok(inlineOf(readme, 'Every day').length > 5);
});

test.run();
