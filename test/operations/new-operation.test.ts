/** What adding an operation with its command takes: one file and one line, and everything else follows. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectRoot } from '../support/require.ts';

const FILE = `
import { z } from 'zod';
import { strong } from '../cli/terminal.ts';
import { count, wordsFor } from '../records/define.ts';
import { DESK, operation } from './operation.ts';

const { field, record } = wordsFor<{ readonly text: string; readonly generation: number }>();
const greeting = record('Greeting', 'A greeting', {
  text: field(z.string(), 'its words', ({ text }) => text),
  generation: field(count, 'of the snapshot', ({ generation }) => generation),
});

export const greet = operation({
  id: 'greet',
  method: 'GET',
  path: '/greet/{name}',
  roles: DESK,
  summary: 'Greets somebody by name',
  input: z.strictObject({
    name: z.string().regex(/^[a-z]+$/, 'expected small letters').describe('who is greeted'),
    times: z.coerce.number().int().min(1).max(3).default(1).describe('how often'),
    tone: z.enum(['warm', 'formal']).default('warm').describe('in which tone'),
  }),
  answer: greeting.schema,
  token: { grant: 'control', when: 'the moon is full', needed: () => false },
  handle: async ({ desk }, { name, times, tone }) =>
    greeting.assemble({
      text: \`\${tone} \${'hello '.repeat(times)}\${name}\`,
      generation: (await desk.moment()).snapshot.generation,
    }),
  command: {
    name: 'greet',
    arguments: [{ name: 'name', field: 'name' }],
    options: [{ flags: '--times <n>', field: 'times' }, { flags: '--tone <tone>', field: 'tone' }],
    examples: [['desk greet ada --times 2', 'greets her twice']],
    print: (out, { text }) => out.line(strong('Greeting: '), text),
    isWell: ({ text }) => !text.includes('nobody'),
  },
});
`;

const SCRIPT = `
import { writeFileSync } from 'node:fs';
import { DOCUMENTS } from './docs/generate.ts';
import { startService } from './test/http/service.ts';
import { cli } from './test/support/cli.ts';

const service = await startService();
writeFileSync('desk.toml', \`[listen.control]\\nport = \${service.port()}\\n\`);
const env = { DESK_CONFIG: \`\${process.cwd()}/desk.toml\`, DESK_STATE: \`\${process.cwd()}/state\`, HOME: process.cwd() };
const http = async (path, role) => {
  const { status, text } = await service.ask(path, { role });
  return { status, text };
};
const found = {
  http: await http('/greet/ada?times=2'),
  office: (await http('/greet/ada', 'office')).status,
  themed: (await http('/greet/ada', 'themed')).status,
  public: (await http('/greet/ada', 'public')).status,
  wrong: await http('/greet/Ada?times=9'),
  openapi: JSON.parse((await http('/openapi.json')).text).paths['/greet/{name}'],
  docs: (await http('/docs')).text,
  plain: await cli(['greet', 'ada', '--times', '2', '--tone', 'formal'], env),
  nobody: await cli(['greet', 'nobody'], env),
  json: await cli(['greet', 'ada', '--json'], env),
  refused: [
    await cli(['greet', 'ADA'], env),
    await cli(['greet', 'ada', '--times', 'often'], env),
    await cli(['greet', 'ada', '--tone', 'rude'], env),
  ],
  help: (await cli(['--help'], env)).out,
  ownHelp: (await cli(['greet', '--help'], env)).out,
  table: DOCUMENTS.find(({ path }) => path === 'docs/operations.md')?.render(),
  known: DOCUMENTS.find(({ path }) => path === 'docs/knowledge.json')?.render(),
};
await service.stop();
const local = await cli(['greet', 'ada', '--local', '--json'], env);
process.stdout.write(JSON.stringify({ ...found, local }), () => process.exit(0));
`;

test('an operation with its command is one file and one line', () => {
  const copy = mkdtempSync(join(tmpdir(), 'desk-operation-'));
  try {
    for (const name of ['src', 'test/support', 'test/http/service.ts', 'test/proofs.ts', 'package.json'])
      cpSync(join(projectRoot, name), join(copy, name), { recursive: true });
    mkdirSync(join(copy, 'docs'));
    cpSync(join(projectRoot, 'docs'), join(copy, 'docs'), {
      recursive: true,
      filter: (path) => !/\/docs\/(?:pages|schemas|benchmarks|decisions)$/.test(path),
    });
    for (const name of ['node_modules', 'build', 'dist', 'bench', 'native', 'tsconfig.json'])
      symlinkSync(join(projectRoot, name), join(copy, name));

    writeFileSync(join(copy, 'src/operations/greeting.ts'), FILE);
    appendFileSync(join(copy, 'src/operations/index.ts'), "export * from './greeting.ts';\n");

    writeFileSync(join(copy, 'script.ts'), SCRIPT);
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
