/** `desk consult` against a whole service: answers are printed as they arrive, labelled and escaped. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { consult, consultPrompt } from '../../src/records/talk.ts';
import { type Service, startService, TOKEN } from '../http/service.ts';
import { cli, FakeService } from '../support/cli.ts';
import { FakeAssistant, type Manner } from '../support/fake-assistant.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';

const test = suite('desk consult');
const folder = mkdtempSync(join(tmpdir(), 'desk-consult-'));
const assistant = new FakeAssistant();
let service: Service;
const env = { DESK_CONFIG: join(folder, 'desk.toml'), DESK_STATE: join(folder, 'state'), HOME: folder };

test.before(async () => {
  await assistant.start();
  service = await startService(new FakeDesk(loopbackConfig(assistant.config())));
  writeFileSync(env.DESK_CONFIG, `[listen.control]\nport = ${service.port()}\n`);
  mkdirSync(env.DESK_STATE, { mode: 0o700 });
  writeFileSync(join(env.DESK_STATE, 'control.token'), TOKEN, { mode: 0o600 });
});
test.after(async () => {
  await service.stop();
  await assistant.stop();
  rmSync(folder, { recursive: true, force: true });
});

const said = (manner: Manner, words: readonly string[] = ['consult', 'is', 'it', 'well']) => {
  assistant.manner = manner;
  return cli(words, env);
};

test('the hostess is printed first, then what the assistant asked, then its opinion with the cells it refers to', async () => {
  const { code, out, err } = await said('good');
  assert.equal([code, err], [0, '']);
  const places = [
    'The desk is well.',
    '  query   ports order by port limit 1',
    '  answer  ',
    '  opinion of fake-1: The desk is well: the first port is ',
    'ports[port=',
    'nothing acts on it',
  ].map((text) => out.indexOf(text));
  assert.ok(
    places.every((place, at) => place > (places[at - 1] ?? -1)),
    `${places} ${out}`,
  );
});

test('--show prints the messages, and asks nothing', async () => {
  const before = assistant.asked.length;
  const { code, out } = await said('good', ['consult', 'who', 'listens', '--show']);
  assert.is(code, 0);
  assert.match(out, `To http://localhost:${assistant.port}/v1, model "fake":`);
  assert.match(out, 'QUERY 1: a query');
  assert.match(out, '{"question":"who listens"}');
  assert.is(assistant.asked.length, before);
  const { out: json } = await said('good', ['consult', 'who', 'listens', '--show', '--json']);
  assert.equal(consultPrompt.schema.parse(JSON.parse(json)).messages.length, 2);
});

test('a hostile answer is printed as plain text, with its warnings', async () => {
  const { code, out } = await said('evil');
  assert.is(code, 0);
  assert.not.match(out, /(?!\n)[\p{Cc}\p{Cf}]|<script/u);
  assert.match(out, '  doubt  "4711": removed: the number refers to no row');
  assert.match(out, /doubt {2}"sudo rm .*a command that the hostess did not suggest/);
});

test('a missing answer is printed with the reason; without the assistant only the hostess answers; --json prints the record', async () => {
  assert.match((await said('500')).out, '  note  The assistant answered 500: it failed, check its log.');
  const asked = assistant.asked.length;
  const alone = await said('good', ['consult', 'x', '--without-assistant']);
  assert.match(alone.out, 'The assistant was not asked.');
  assert.is(assistant.asked.length, asked);
  const { out } = await said('good', ['consult', 'x', '--json']);
  assert.is(consult.schema.parse(JSON.parse(out)).assistant?.model, 'fake-1');
});

test('an incomplete answer is a failure, and so is a refusal', async () => {
  const broken = new FakeService();
  await broken.start();
  try {
    broken.answer = () => ({
      status: 429,
      body: { title: 'Too many requests', detail: 'Ask again in 5 s.' },
    });
    const { code, err } = await cli(['consult', 'x'], broken.env);
    assert.is(code, 4);
    assert.match(err, 'Ask again in 5 s.');
    broken.answer = () => 'no JSON at all';
    assert.is((await cli(['consult', 'x'], broken.env)).code, 3);
  } finally {
    await broken.stop();
  }
});

test.run();
