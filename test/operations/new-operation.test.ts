/** Adding an operation with its command takes one file and one line; everything else is derived. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inCopy } from '../support/copied-tree.ts';

test('a new operation with its command needs one file and one line', () =>
  inCopy((tree) => {
    tree.add('test/operations/greeting.ts.txt', 'src/operations/greeting.ts');
    tree.append('src/operations/index.ts', "export * from './greeting.ts';");
    const found = tree.answer('test/operations/script.ts.txt');

    assert.is(found.http.status, 200);
    assert.is(JSON.parse(found.http.text).text, 'warm hello hello ada');
    assert.equal([found.office, found.themed, found.public], [200, 404, 404]);
    assert.is(found.wrong.status, 422);
    assert.match(found.wrong.text, '/name: expected small letters');

    const { get } = found.openapi;
    assert.equal(
      get.parameters.map((one: { name: string; in: string }) => `${one.in} ${one.name}`),
      ['path name', 'query times', 'query tone'],
    );
    assert.is(get.responses['200'].content['application/json'].schema.$ref, '#/components/schemas/Greeting');
    assert.match(found.docs, 'Greets somebody by name');
    assert.match(found.docs, 'the moon is full');

    assert.equal(found.plain, { code: 0, out: 'Greeting: formal hello hello ada\n', err: '' });
    assert.is(found.nobody.code, 1);
    assert.is(JSON.parse(found.json.out).text, 'warm hello ada');
    assert.is(found.local.err, '');
    assert.is(JSON.parse(found.local.out).text, 'warm hello ada');
    for (const [at, expected] of ['small letters', '--times often', 'warm, formal'].entries()) {
      assert.is(found.refused[at].code, 2);
      assert.match(found.refused[at].err, expected);
    }

    assert.match(found.help, /greet .*Greets somebody by name/);
    for (const expected of ['who is greeted', '--times', 'how often', '--local', 'desk greet ada --times 2'])
      assert.match(found.ownHelp, expected);
    assert.match(
      found.table,
      '| `GET /greet/{name}` | control, office | control, when the moon is full | `desk greet` | yes | Greets somebody by name |',
    );
    assert.match(found.known, 'desk greet <name> [--times <n>]');
  }));

test.run();
