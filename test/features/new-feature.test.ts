/** Adding or removing a feature takes its folder and one line. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inCopy } from '../support/copied-tree.ts';

test('a folder and one line add a feature', () =>
  inCopy((tree) => {
    for (const name of ['feature.ts', 'operations.ts'])
      tree.add(`test/features/tally/${name}.txt`, `src/features/tally/${name}`);
    tree.append('src/features/index.ts', "export * as tally from './tally/feature.ts';");
    const found = tree.answer('test/features/script.ts.txt');

    assert.ok(found.ids.includes('tally'));
    assert.match(found.help, /tally .*Counts states/);
    assert.match(found.documented, '| `GET /tally` |');
    assert.is(found.tally.err, '');
    const { started, states, stored } = JSON.parse(found.tally.out);
    assert.is(started, true);
    assert.ok(states > 0, 'the feature observes states');
    assert.is(stored, 0, 'the feature has its table');
  }));

test('removing the folder and the line removes the feature, and nothing else', () =>
  inCopy((tree) => {
    for (const name of ['site', 'mail']) {
      tree.remove(`src/features/${name}`);
      tree.replace('src/features/index.ts', `export * as ${name} from './${name}/feature.ts';\n`, '');
    }
    // The public listener has its own list.
    tree.replace('src/features/public.ts', "export * from './mail/public-operations.ts';\n", '');
    const found = tree.answer('test/features/removed.ts.txt');

    const gone = ['site', 'mail', 'mail-check', 'people', 'who'];
    assert.equal(
      found.ids.filter((id: string) => gone.includes(id)),
      [],
    );
    assert.ok(found.ids.includes('think'));
    assert.match(found.help, /^ {2}think/m);
    for (const name of ['mail', 'people', 'public'])
      assert.not.match(found.help, new RegExp(`^ {2}${name} `, 'm'));
    assert.is(found.status.err, '');
    const { hostess_charge } = JSON.parse(found.status.out);
    assert.is(hostess_charge.mail.finite, true);
  }));

test.run();
