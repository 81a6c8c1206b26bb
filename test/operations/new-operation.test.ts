/** What adding an operation with its command takes: one file and one line, and everything else follows. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectRoot } from '../support/require.ts';

test('an operation with its command is one file and one line', () => {
  const copy = mkdtempSync(join(tmpdir(), 'desk-operation-'));
  try {
    for (const name of [
      'src',
      'test/support',
      'test/http/service.ts',
      'test/proofs.ts',
      'test/tree',
      'package.json',
    ])
      cpSync(join(projectRoot, name), join(copy, name), { recursive: true });
    mkdirSync(join(copy, 'docs'));
    cpSync(join(projectRoot, 'docs'), join(copy, 'docs'), {
      recursive: true,
      filter: (path) => !/\/docs\/(?:pages|schemas|benchmarks|decisions)$/.test(path),
    });
    for (const name of ['node_modules', 'build', 'dist', 'bench', 'native', 'tsconfig.json'])
      symlinkSync(join(projectRoot, name), join(copy, name));

    const own = (name: string) => join(projectRoot, 'test/operations', name);
    cpSync(own('greeting.ts.txt'), join(copy, 'src/operations/greeting.ts'));
    appendFileSync(join(copy, 'src/operations/index.ts'), "export * from './greeting.ts';\n");

    cpSync(own('script.ts.txt'), join(copy, 'script.ts'));
    const run = spawnSync(process.execPath, ['--import', 'tsx', 'script.ts'], {
      cwd: copy,
      encoding: 'utf8',
      timeout: 120_000,
      maxBuffer: 64 << 20,
      env: { PATH: process.env.PATH ?? '' },
    });
    assert.is(run.status, 0, run.stderr);
    const found = JSON.parse(run.stdout);

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
    for (const [at, told] of ['small letters', '--times often', 'warm, formal'].entries()) {
      assert.is(found.refused[at].code, 2);
      assert.match(found.refused[at].err, told);
    }

    assert.match(found.help, /greet .*Greets somebody by name/);
    for (const told of ['who is greeted', '--times', 'how often', '--local', 'desk greet ada --times 2'])
      assert.match(found.ownHelp, told);
    assert.match(
      found.table,
      '| `GET /greet/{name}` | control, office | control, when the moon is full | `desk greet` | yes | Greets somebody by name |',
    );
    assert.match(found.known, 'desk greet <name> [--times <n>]');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test.run();
