/** `/h7/consult` over the real HTTP layer and the real guard, against a fake endpoint with every kind of behaviour. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventStream, type StreamEvent } from '../../src/base/event-stream.ts';
import { ConsultTurns } from '../../src/http/consult-turns.ts';
import { queryAnswer } from '../../src/records/query.ts';
import { type Consult, consult, consultPrompt, think } from '../../src/records/talk.ts';
import { FakeAssistant, type Manner, streamWords } from '../support/fake-assistant.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { sceneOf } from '../support/scenes.ts';
import { until } from '../support/until.ts';
import { type Service, startService } from './service.ts';

const test = suite('consult');
const folder = mkdtempSync(join(tmpdir(), 'desk-assistant-'));
const assistant = new FakeAssistant();
const opened: Service[] = [];

test.before(async () => {
  await assistant.start();
});
test.before.each(() => {
  assistant.manner = 'good';
  assistant.asked.length = 0;
});
test.after.each(async () => {
  await Promise.all(opened.splice(0).map((service) => service.stop()));
});
test.after(async () => {
  await assistant.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** `parts` of [assistant]; `rest` overrides the settings of the fake endpoint. */
async function serviceWith(parts: object = {}, rest: object = {}): Promise<Service> {
  const service = await startService(new FakeDesk(loopbackConfig({ ...assistant.config(parts), ...rest })));
  opened.push(service);
  return service;
}

const BODY = { message: 'is the desk well?' };

async function consulted(service: Service, body: object = BODY): Promise<Consult> {
  const answer = await service.post('/h7/consult', body);
  assert.is(answer.status, 200, answer.text);
  return consult.schema.parse(answer.json());
}

const FIRST_PORT = 'ports order by port limit 1';
/** What the desk itself answers to that. */
async function firstPort(service: Service) {
  const { rows, paths, sentence, total } = queryAnswer.schema.parse(
    (await service.post('/h7/query', { query: FIRST_PORT })).json(),
  );
  return { name: String(rows[0]?.name), port: rows[0]?.port, path: paths[0], sentence, total };
}

/** Reports events as they arrive; resolves with all of them when the stream has ended. */
function streamed(service: Service, onEvent: (event: StreamEvent) => void = () => undefined) {
  const events: StreamEvent[] = [];
  const call = request({
    host: '127.0.0.1',
    port: service.port(),
    path: '/h7/consult',
    method: 'POST',
    agent: false,
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
  });
  const ended = new Promise<readonly StreamEvent[]>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response) => {
      assert.match(String(response.headers['content-type']), 'text/event-stream');
      const take = eventStream((event) => {
        events.push(event);
        onEvent(event);
      });
      response.setEncoding('utf8').on('data', (text: string) => take(text));
      response.on('error', reject);
      response.on('end', () => resolve(events));
    });
  });
  call.end(JSON.stringify(BODY));
  return { events, ended, leave: () => call.destroy() };
}

test('the queries of the assistant are run, and its words hold cells of their rows, streaming or at once', async () => {
  const service = await serviceWith();
  for (const manner of ['good', 'whole'] as const) {
    assistant.manner = manner;
    const record = await consulted(service);
    assert.is(record.answer, 'The desk is well.');
    assert.is(record.assistant_note, '');
    const said = record.assistant;
    const port = await firstPort(service);
    assert.equal(
      [said?.role, said?.model, said?.flags, said?.truncated],
      ['consulting teammate, asked only by consult', 'fake-1', [], false],
    );
    assert.equal(said?.queries, [
      { number: 1, query: FIRST_PORT, answer: port.sentence, rows: port.total, error: '' },
    ]);
    assert.is(
      said?.answer,
      `The desk is well: the first port is ${port.port}, called ${port.name}, and nothing needs doing.`,
    );
    assert.equal(said?.parts, [
      { text: 'The desk is well: the first port is ', path: null },
      { text: String(port.port), path: `${port.path}.port` },
      { text: ', called ', path: null },
      { text: port.name, path: `${port.path}.name` },
      { text: ', and nothing needs doing.', path: null },
    ]);
    assert.ok((said?.ms ?? -1) >= 0);
  }
  const [asked] = assistant.asked;
  assert.equal(
    [asked?.method, asked?.path, asked?.body.model, asked?.body.stream],
    ['POST', '/v1/chat/completions', 'fake', true],
  );
  assert.is(asked?.headers.authorization, undefined);
  assert.is(asked?.headers.host, `localhost:${assistant.port}`);
  assert.match(assistant.lastData, '{"question":"is the desk well?"}');
});

test('nothing of the machine is sent: the same question gives the same request on every desk', async () => {
  const one = await serviceWith();
  await consulted(one);
  const other = await serviceWith();
  other.desk.parts = sceneOf('hostile').parts;
  other.desk.thought = {
    ...other.desk.thought,
    answer: 'It is not well.',
    grounds: [{ path: 'a', value: 4711 }],
  };
  await consulted(other);
  const [first, second] = assistant.asked.map(({ text }) => text);
  assert.is(first, second);
  const shown = consultPrompt.schema.parse((await other.post('/h7/consult/prompt', BODY)).json());
  assert.equal(shown.messages, assistant.asked[1]?.body.messages);
  assert.is(shown.to, `http://localhost:${assistant.port}/v1`);
});

test('a query that cannot be run is corrected once: its error is sent, which names columns', async () => {
  const replies = [
    'QUERY 1: processes order by -thread limit 1\nQUERY 2: ports\nANSWER\nIt has {1.thread}.',
    'QUERY 1: processes order by -threads limit 1\nANSWER\nIt has {1.threads}.',
  ];
  assistant.manner = (response) => streamWords(response, [replies[assistant.asked.length - 1] ?? '']);
  const record = await consulted(await serviceWith());
  assert.is(assistant.asked.length, 2);
  const messages = assistant.asked[1]?.body.messages ?? [];
  assert.equal(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
  assert.match(messages[3]?.content ?? '', /QUERY 1: .*thread.*Did you mean "?threads/);
  assert.not.match(messages[3]?.content ?? '', 'QUERY 2');
  assert.match(record.assistant?.answer ?? '', /^It has \d+\.$/);
  // One that stays wrong is shown as it is.
  assistant.asked.length = 0;
  assistant.manner = (response) => streamWords(response, ['QUERY 1: nonsense\nANSWER\nIt is {1.name}.']);
  const wrong = (await consulted(await serviceWith())).assistant;
  assert.is(assistant.asked.length, 2);
  assert.is.not(wrong?.queries[0]?.error ?? '', '');
  assert.is(wrong?.answer, 'It is [no value].');
});

test('the assistant opens nothing that the token of the caller does not', async () => {
  assistant.manner = (response) =>
    streamWords(response, ['QUERY 1: people limit 1\nANSWER\nIt is {1.email}.']);
  const service = await serviceWith();
  const { assistant: said } = await consulted(service);
  assert.match(said?.queries[0]?.error ?? '', 'needs the mail or control token');
  assert.is(said?.answer, 'It is [no value].');
});

/** What a model may claim that is not so. */
const LIES = [
  'There are 4711 processes.',
  'Seven ports are down.',
  'Es gibt zwölf Befunde.',
  'Hay cinco puertos abiertos.',
  'Il y a trois alertes.',
  'Port 31337 is open.',
  'status.ok is 0.',
  'The grade is 3/10.',
  'It happened at 03:14.',
  'It was on 2026-01-01.',
  '٤٢ processes hide.',
  '１２ accounts have no password.',
  'pid666 is a rootkit.',
  'It uses 99 % of a core.',
  'Half of it, ½, is gone.',
  'The worst has {9.threads} threads.',
  'It is called {1.password}.',
  'See {1[99].name}.',
  '{{1.port}}0 is the port.',
  'The number is 1 234 567.',
];

test('twenty lies: no number is shown that was not read, and what is read carries its path', async () => {
  const service = await serviceWith();
  const { sentence } = await firstPort(service);
  for (const lie of LIES) {
    assistant.manner = (response) => streamWords(response, [`QUERY 1: ${FIRST_PORT}\nANSWER\n${lie}`]);
    const { assistant: said } = await consulted(service);
    assert.ok((said?.flags.length ?? 0) > 0, lie);
    for (const { text, path } of said?.parts ?? []) {
      if (path === null) assert.not.match(text, /\p{N}|seven|zwölf|cinco|trois/iu, lie);
      else assert.is(path.startsWith('ports['), true, lie);
    }
    // The facts are those of the desk, whatever is said of them.
    assert.is(said?.queries[0]?.answer, sentence);
  }
});

test('a stream has the hostess at once, and the whole record at the end', async () => {
  const service = await serviceWith();
  let finish = (): void => undefined;
  assistant.manner = (response) => {
    finish = () => streamWords(response, ['ANSWER\nThe desk is well, and that is my opinion.']);
  };
  // The assistant answers only after her answer was received here.
  const stream = streamed(service, ({ event }) => {
    if (event === 'hostess')
      void until(() => assistant.asked.length > 0, 'the question').then(() => finish());
  });
  const events = await stream.ended;
  assert.equal(
    events.map(({ event }) => event),
    ['hostess', 'done'],
  );
  const [hostess, done] = events.map(({ data }) => JSON.parse(data));
  assert.equal(think.schema.parse(hostess).message, BODY.message);
  assert.is(consult.schema.parse(done).assistant?.answer, 'The desk is well, and that is my opinion.');
});

test('without an assistant, or when it is not asked, the response forms are the same', async () => {
  const alone = await startService();
  opened.push(alone);
  const record = await consulted(alone);
  assert.equal(
    [record.assistant, record.assistant_note],
    [null, 'No assistant is configured, see [assistant].'],
  );
  assert.equal(
    (await streamed(alone).ended).map(({ event }) => event),
    ['hostess', 'done'],
  );
  const service = await serviceWith();
  const not = await consulted(service, { ...BODY, with_assistant: false });
  assert.equal([not.assistant, not.assistant_note], [null, 'The assistant was not asked.']);
  assert.equal(assistant.asked, []);
});

const failing: readonly (readonly [Manner, RegExp])[] = [
  ['broken-json', /cannot be used: it is broken JSON/],
  ['nonsense', /cannot be used: it has no words in it/],
  ['empty', /cannot be used: it has no words in it/],
  ['html', /cannot be used: it is neither JSON nor an event stream/],
  ['compressed', /the answer is compressed/],
  ['error', /it reports an error in place of words/],
  ['tools', /it called tools, of which it has none/],
  ['huge', /the answer is longer than 1048576 bytes/],
  ['endless-line', /an event of its stream does not end/],
  ['endless-silence', /the answer is longer than 1048576 bytes/],
  ['400', /answered 400: it does not accept the request/],
  ['401', /answered 401: it does not accept the key, check api_key_file/],
  ['404', /answered 404: it has no such path or model/],
  ['429', /answered 429: it has too much to do/],
  ['500', /answered 500: it failed/],
  ['redirect', /answered 307: it points elsewhere, which is not followed/],
];

for (const [manner, note] of failing)
  test(`an endpoint that is ${String(manner)}: the hostess still answers, and the note says why`, async () => {
    assistant.manner = manner;
    const record = await consulted(await serviceWith());
    assert.is(record.answer, 'The desk is well.');
    assert.is(record.assistant, null);
    assert.match(record.assistant_note, note);
    assert.is(assistant.asked.length, 1);
  });

for (const [manner, note] of [
  ['silent', /no word came within 0\.667 s, .*raise timeout_sec/],
  ['silent-stream', /no word came within .* s/],
] as const)
  test(`an endpoint that is ${manner} times out`, async () => {
    assistant.manner = manner;
    const record = await consulted(await serviceWith({ timeout_sec: 1 }));
    assert.is(record.assistant, null);
    assert.match(record.assistant_note, note);
  });

for (const [manner, note] of [
  ['stuck', /Not all of its answer came\. .*did not end within 1 s/],
  ['broken-stream', /Not all of its answer came\. .*broken JSON/],
  ['broken-off', /Not all of its answer came\. .*closed the connection/],
] as const)
  test(`an endpoint that is ${manner}: a partial answer is marked as incomplete`, async () => {
    assistant.manner = manner;
    const { assistant: said, assistant_note: why } = await consulted(await serviceWith({ timeout_sec: 1 }));
    assert.match(said?.answer ?? '', /^The desk is well/);
    assert.ok(said?.truncated);
    assert.match(why, note);
  });

test('an endless answer is truncated at the limit', async () => {
  assistant.manner = 'endless';
  const { assistant: said } = await consulted(await serviceWith());
  assert.ok(said?.truncated);
  assert.ok((said?.answer.length ?? 0) <= 4000 && (said?.answer.length ?? 0) > 3900);
});

test('the thoughts of a model are not part of the answer', async () => {
  assistant.manner = 'thinking';
  const { assistant: said } = await consulted(await serviceWith());
  assert.equal([said?.answer, said?.flags], ['It is well.', []]);
});

test('a hostile answer is plain text with its warnings, and nothing is executed', async () => {
  assistant.manner = 'evil';
  const service = await serviceWith();
  const record = await consulted(service);
  const said = record.assistant;
  assert.not.match(said?.answer ?? '', /<script|<img|\p{Cc}(?<!\n)|https:|\]\(|\u202e|\u200b|\d/u);
  const flagged = said?.flags.map(({ text }) => text) ?? [];
  for (const doubt of ['99', '4711', '{1.pid}']) assert.ok(flagged.includes(doubt), doubt);
  assert.ok(flagged.some((text) => text.startsWith('sudo rm')));
  assert.equal(service.desk.calls, [`think ${BODY.message}`]);
  assert.equal(record.grounds, [{ path: 'status.ok', value: true }]);
});

test('the key is sent to the endpoint only: no response, event or log line contains it', async () => {
  const key = 'key-of-the-test-0123456789';
  const api_key_file = join(folder, 'key');
  writeFileSync(api_key_file, `${key}\n`, { mode: 0o600 });
  assistant.manner = 'echo';
  const service = await serviceWith({ api_key_file });
  service.desk.thought = { ...service.desk.thought, grounds: [{ path: 'status.issues', value: [key] }] };
  const record = await consulted(service);
  assert.is(assistant.asked[0]?.headers.authorization, `Bearer ${key}`);
  assert.not.ok(assistant.asked[0]?.text.includes(key));
  const encoded = Buffer.from(key).toString('base64').slice(0, -2);
  for (const text of [JSON.stringify(record.assistant), ...service.logged])
    for (const form of [key, encoded]) assert.not.ok(text.includes(form), text);
  assert.match(record.assistant?.answer ?? '', 'Your key is [removed] or');
});

test('a key file that others may read, or that has no key, is not used, and no request is sent', async () => {
  for (const [content, mode, note] of [
    ['key-of-the-test', 0o644, /is open to others .*chmod 600/],
    ['two words', 0o600, /holds no key/],
    ['short', 0o600, /holds no key/],
  ] as const) {
    const api_key_file = join(folder, `key-${mode}-${content.length}`);
    writeFileSync(api_key_file, content, { mode });
    const record = await consulted(await serviceWith({ api_key_file }));
    assert.match(record.assistant_note, note);
    assert.not.match(record.assistant_note, content);
  }
  const missing = await consulted(await serviceWith({ api_key_file: join(folder, 'none') }));
  assert.match(missing.assistant_note, /does not exist: write the key into it/);
  assert.equal(assistant.asked, []);
});

test('the guard refuses an endpoint that is not listed, an IP address, or not public', async () => {
  const place = `localhost:${assistant.port}`;
  for (const [parts, egress, note] of [
    [{}, {}, `add "${place}" to [egress] allow`],
    [{}, { allow: [place] }, `add "${place}" to [egress] private`],
    [
      { base_url: `http://127.0.0.1:${assistant.port}/v1` },
      { allow: [place], private: [place] },
      '"localhost" for this machine',
    ],
    [{ model: '' }, { allow: [place], private: [place] }, 'name its model in [assistant]'],
  ] as const) {
    const record = await consulted(await serviceWith(parts, { egress }));
    assert.is(record.assistant, null);
    assert.match(record.assistant_note, note);
  }
  assert.equal(assistant.asked, []);
});

test('a closed port is reported', async () => {
  const other = await new FakeAssistant().start();
  const config = other.config();
  await other.stop().catch(() => undefined);
  const service = await startService(new FakeDesk(loopbackConfig(config)));
  opened.push(service);
  assert.match((await consulted(service)).assistant_note, /nothing listens there, start the server/);
});

test('addresses are not sent to the assistant unless configured', async () => {
  const body = { message: 'who is ada@example.org?' };
  await consulted(await serviceWith(), body);
  assert.match(assistant.lastData, 'who is [address 1]?');
  await consulted(await serviceWith({ send_people: true }), body);
  assert.match(assistant.lastData, 'who is ada@example.org?');
});

test('when the client disconnects, the request to the assistant ends', async () => {
  const service = await serviceWith();
  assistant.manner = 'stuck';
  const before = assistant.closed;
  const stream = streamed(service);
  await until(() => assistant.asked.length > 0, 'the question');
  stream.leave();
  await stream.ended.catch(() => undefined);
  while (assistant.closed === before) await new Promise((resolve) => setImmediate(resolve));
  // Its slot is free again.
  assistant.manner = 'good';
  let answer = await service.post('/h7/consult', BODY);
  while (answer.status === 429) answer = await service.post('/h7/consult', BODY);
  assert.is((answer.json() as Consult).assistant_note, '');
});

test('a caller has one assistant request at a time; a question to the hostess alone does not wait', async () => {
  const service = await serviceWith();
  assistant.manner = 'stuck';
  const stream = streamed(service);
  const ended = stream.ended.catch(() => undefined);
  await until(() => assistant.asked.length > 0, 'the question');
  for (const role of ['control', 'office'] as const) {
    const refused = await service.post('/h7/consult', BODY, { role });
    assert.equal([refused.status, refused.headers['retry-after']], [429, '5']);
    assert.match(refused.text, 'still answering you');
  }
  await consulted(service, { ...BODY, with_assistant: false });
  assert.is((await service.post('/h7/think', BODY)).status, 200);
  stream.leave();
  await ended;
});

test('four callers may ask at once, and a released slot is free', () => {
  const turns = new ConsultTurns();
  const never = new AbortController();
  const caller = (name: string) => ({ name, left: () => never.signal });
  const begun = ['a', 'b', 'c', 'd'].map((name) => turns.begin(caller(name)));
  for (const [name, words] of [
    ['a', /still answering you/],
    ['e', /answering 4 others/],
  ] as const)
    assert.throws(() => turns.begin(caller(name)), words);
  begun[0]?.end();
  const { signal } = turns.begin(caller('e'));
  assert.not(signal.aborted);
  turns.close();
  assert.ok(signal.aborted && begun[1]?.signal.aborted);
});

test('a service that stops does not wait for the assistant', async () => {
  const service = await serviceWith({ timeout_sec: 600 });
  assistant.manner = 'silent';
  let begun = (): void => undefined;
  const hostess = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const stream = streamed(service, ({ event }) => {
    if (event === 'hostess') begun();
  });
  await hostess;
  await service.stop();
  const done = JSON.parse((await stream.ended).at(-1)?.data ?? '{}') as Consult;
  assert.is(done.assistant, null);
});

test('an internal error while the assistant is asked keeps the hostess’s answer, the service and the slot', async () => {
  const service = await serviceWith();
  const { ask } = service.desk.assistant;
  service.desk.assistant.ask = () => Promise.reject(new SyntaxError('of ours'));
  const record = await consulted(service);
  assert.is(record.assistant, null);
  assert.match(record.assistant_note, 'a fault of the desk itself');
  const events = await streamed(service).ended;
  assert.equal(
    events.map(({ event }) => event),
    ['hostess', 'done'],
  );
  assert.match(events[1]?.data ?? '', 'a fault of the desk itself');
  // If the record cannot be written either, the stream ends.
  service.desk.assistant.ask = () => Promise.resolve({ assistant: null, note: 1n as never });
  assert.is((await service.post('/h7/consult', BODY)).status, 500);
  await streamed(service).ended.catch(() => undefined);
  service.desk.assistant.ask = ask;
  assert.is((await consulted(service)).assistant_note, '');
});

test('an error of the hostess frees the slot', async () => {
  const service = await serviceWith();
  service.desk.failure = new Error('broken');
  assert.is((await service.post('/h7/consult', BODY)).status, 500);
  service.desk.failure = undefined;
  assert.is((await consulted(service)).assistant_note, '');
});

test.run();
