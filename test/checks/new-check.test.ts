/** Adding a check takes one file and its entry in the list; everything else is derived. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inCopy } from '../support/copied-tree.ts';

test('a new check needs one file and its entry in the list', () =>
  inCopy((tree) => {
    tree.add('test/checks/overflow-user.ts.txt', 'src/checks/overflow-user.ts');
    tree.replace('src/checks/index.ts', /^/, "import { overflowUser } from './overflow-user.ts';\n");
    tree.replace('src/checks/index.ts', 'traced,\n', 'traced,\n  overflowUser,\n');
    const found = tree.answer('test/checks/script.ts.txt');

    assert.is(found.fails.length, 1);
    assert.is(found.fails[0][0], 7);
    assert.match(found.fails[0][1], 'runs as the overflow user');
    assert.ok(found.timed.includes('overflow-user'));
    assert.match(found.catalogue, /\| `?overflow-user`?.*A process runs as the overflow user/);
    assert.match(found.law, /overflow-user/);
    assert.match(found.knowledge, '"id":"overflow-user"');
  }));

test.run();
