/** Each kind of target, against servers and programs of this machine. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../../src/config/schema.ts';
import type { AlertMail } from '../../../src/desk/alert-mail.ts';
import { EgressGuard } from '../../../src/egress/guard.ts';
import { type AlertMessage, messageOf, shortened } from '../../../src/features/alerts/message.ts';
import { type Attempt, type Sent, senderOf } from '../../../src/features/alerts/senders.ts';
import { Ntfy } from '../../support/ntfy.ts';
import { until } from '../../support/until.ts';
import { item } from './items-of.ts';

const test = suite('senders');
const folder = mkdtempSync(join(tmpdir(), 'desk-senders-'));
test.after(() => rmSync(folder, { recursive: true }));

const message = (more: Partial<Parameters<typeof messageOf>[0]> = {}): AlertMessage =>
  messageOf({
    ...{ id: '0123456789abcdef', kind: 'opened', atMs: Date.now(), host: 'box', open: 1, worstOpen: 'high' },
    ...{ opened: [item('a', { severity: 'high' })], resolved: [], ...more },
  });

interface Got {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that keeps what it gets and answers with one status. */
async function receiver(status = 200, text = '') {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      got.push({ method, path, headers, body });
      response.writeHead(status, status === 429 ? { 'retry-after': '120' } : {}).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { got, port, [Symbol.asyncDispose]: async () => void server.close() };
}

function send(
  target: object,
  port: number,
  attempt: Partial<Attempt> = {},
  mails: AlertMail[] = [],
): Promise<Sent> {
  const place = `localhost:${port}`;
  const config = configSchema.parse({
    alerts: { to: [{ name: 'one', ...target }] },
    egress: { allow: [place], private: [place] },
  });
  const [one] = config.alerts.to;
  assert.ok(one);
  const sender = senderOf(one, {
    egress: new EgressGuard(config.egress),
    remindHours: 24,
    mail: () => async (mail) => {
      mails.push(mail);
      return { ok: true, detail: '250 accepted', sent: true };
    },
  });
  return sender({ message: message(), again: false, signal: new AbortController().signal, ...attempt });
}

test('ntfy: title, text, priority and token; what has arrived is not sent again', async () => {
  const ntfy = await new Ntfy().start();
  const token = join(folder, 'token');
  writeFileSync(token, 'tk_secret\n', { mode: 0o600 });
  const target = { kind: 'ntfy', url: ntfy.url('alerts'), token_file: token };
  const said = message();
  assert.equal(await send(target, ntfy.port, { message: said }), { ok: true, detail: 'answered 200' });
  const [got] = ntfy.messages;
  assert.equal([got?.topic, got?.title, got?.message, got?.priority], ['alerts', said.title, said.text, 4]);
  assert.is(ntfy.requests[0]?.headers.authorization, 'Bearer tk_secret');
  assert.equal(await send(target, ntfy.port, { message: said, again: true }), {
    ok: true,
    detail: 'it had arrived before',
  });
  assert.is(ntfy.messages.length, 1);
  // Another message with the same words is a new one.
  const later = message({ id: 'fedcba9876543210' });
  await send(target, ntfy.port, { message: later, again: true });
  assert.is(ntfy.messages.length, 2);
  await ntfy.stop();
});

test('ntfy: a long text is cut to whole characters within its limit', async () => {
  const ntfy = await new Ntfy().start();
  const opened = Array.from({ length: 9 }, (_, index) => item(`f${index}`, { title: '€'.repeat(300) }));
  await send({ kind: 'ntfy', url: ntfy.url() }, ntfy.port, { message: message({ opened }) });
  const text = ntfy.messages[0]?.message ?? '';
  assert.ok(
    Buffer.byteLength(text) <= 4_096 && Buffer.byteLength(text) > 3_700,
    `${Buffer.byteLength(text)} bytes`,
  );
  assert.match(text, /€…$|…$/);
  assert.not.match(text, /\ufffd/);
  await ntfy.stop();
});

test('a target that refuses, redirects, asks for a pause or is down: the reason, and whether it may have arrived', async () => {
  const tried = async (status: number, text = ''): Promise<Sent> => {
    await using server = await receiver(status, text);
    return await send(
      { kind: 'webhook', url: `http://localhost:${server.port}/hook/secret-path` },
      server.port,
    );
  };
  assert.equal(await tried(500, 'no  way\nout'), {
    ...{ ok: false, unsure: false },
    reason: 'it answers 500 ("no way out")',
  });
  // An answer that repeats the address is not shown.
  assert.equal(await tried(502, 'cannot POST /hook/secret-path'), {
    ...{ ok: false, unsure: true },
    reason: 'it answers 502',
  });
  assert.equal(await tried(413), { ok: false, unsure: false, reason: 'it answers 413', content: true });
  assert.equal(await tried(429), { ok: false, unsure: false, reason: 'it answers 429', waitMs: 120_000 });
  const ntfy = await new Ntfy().start();
  ntfy.mood = 302;
  const moved = await send({ kind: 'ntfy', url: ntfy.url() }, ntfy.port);
  assert.match(
    moved.ok ? '' : moved.reason,
    /answers 302 and points to https:\/\/other\.example, write that address/,
  );
  ntfy.mood = 'lose';
  const lost = await send({ kind: 'ntfy', url: ntfy.url() }, ntfy.port);
  assert.equal([lost.ok, !lost.ok && lost.unsure], [false, true]);
  await ntfy.stop();
  const down = await send({ kind: 'ntfy', url: ntfy.url() }, ntfy.port);
  assert.equal([down.ok, !down.ok && down.unsure], [false, false]);
  assert.match(down.ok ? '' : down.reason, /nothing listens there/);
});

test('a webhook without a template gets the message as JSON, with one id for all attempts', async () => {
  await using server = await receiver();
  assert.ok((await send({ kind: 'webhook', url: `http://localhost:${server.port}/hook` }, server.port)).ok);
  const [got] = server.got;
  assert.equal([got?.method, got?.path, got?.headers['content-type']], ['POST', '/hook', 'application/json']);
  assert.is(got?.headers['idempotency-key'], '"0123456789abcdef"');
  const body = JSON.parse(got?.body ?? '') as Record<string, unknown>;
  assert.equal(
    [body.host, body.severity, body.action, body.priority, body.open, body.new],
    ['box', 'high', 'trigger', 4, 1, 1],
  );
  assert.is((body.items as { title: string }[])[0]?.title, 'finding a');
});

test('templates, PUT and the id in the address, as chats need them', async () => {
  await using server = await receiver();
  const hostile = item('a', { title: '<!channel> @everyone [x](http://evil) "quoted" \u202e' });
  const target = {
    ...{ kind: 'webhook', url: `http://localhost:${server.port}/rooms/send/{{id}}`, method: 'PUT' },
    ...{
      template: '{"text": {{title}}, "alerts": {{items}}}',
      each: '{"labels": {"name": {{title}}}, "endsAt": {{ends}}}',
    },
    escape: 'slack',
  };
  assert.ok((await send(target, server.port, { message: message({ opened: [hostile] }) })).ok);
  const [got] = server.got;
  assert.equal([got?.method, got?.path], ['PUT', '/rooms/send/0123456789abcdef']);
  const body = JSON.parse(got?.body ?? '') as {
    text: string;
    alerts: { labels: { name: string }; endsAt: string }[];
  };
  assert.match(body.text, /&lt;!channel&gt; @everyone/);
  assert.match(body.alerts[0]?.labels.name ?? '', /"quoted" \\u202e$/);
  assert.ok(Date.parse(body.alerts[0]?.endsAt ?? '') > Date.now() + 40 * 3_600_000);
  await send({ ...target, escape: 'markdown' }, server.port, { message: message({ opened: [hostile] }) });
  assert.match(server.got[1]?.body ?? '', /\\\\\[x\\\\\]\\\\\(http:\/\/evil\\\\\)/);
  assert.not.match(server.got[1]?.body ?? '', /@everyone/);
});

test('what was over before it could be sent is triggered, also in the short form, and is no success', async () => {
  await using server = await receiver();
  const hook = { kind: 'webhook', url: `http://localhost:${server.port}/` };
  const atMs = Date.now() - 3_600_000;
  const over = item('a', { severity: 'critical', over: true });
  const ended = { id: 'b', severity: 'high', check: 'c', title: 'finding b', since: '' } as const;
  const ofKind = (kind: 'opened' | 'changed', resolved: AlertMessage['resolved']) =>
    message({ kind, atMs, resolved, opened: [over], open: 0, worstOpen: null });
  interface Body {
    readonly action: string;
    readonly ends: string;
    readonly items: readonly { readonly title: string; readonly action: string; readonly ends: string }[];
  }
  for (const kept of [ofKind('opened', []), ofKind('changed', [ended])])
    for (const one of [kept, shortened(kept)]) {
      await send(hook, server.port, { message: one });
      const { action, ends, items } = JSON.parse(server.got.at(-1)?.body ?? '') as Body;
      const isLater = (text: string | undefined) => Date.parse(text ?? '') > Date.now() + 10 * 60_000;
      assert.equal([action, items[0]?.action], ['trigger', 'trigger']);
      assert.ok(
        isLater(ends) && isLater(items[0]?.ends),
        'it lasts long enough to be seen, although it was sent late',
      );
      assert.ok(Date.parse(items[0]?.ends ?? '') < Date.now() + 20 * 60_000);
      assert.match(items[0]?.title ?? '', /over already: finding a$/);
      await send({ ...hook, kind: 'apprise' }, server.port, { message: one });
      assert.is(JSON.parse(server.got.at(-1)?.body ?? '').type, 'failure');
    }
});

test('Apprise: title, body and type', async () => {
  await using server = await receiver();
  const target = { kind: 'apprise', url: `http://localhost:${server.port}/notify/key` };
  await send(target, server.port);
  await send(target, server.port, {
    message: message({
      kind: 'resolved',
      opened: [],
      open: 0,
      worstOpen: null,
      resolved: [{ id: 'a', severity: 'high', check: 'c', title: 'finding a', since: '' }],
    }),
  });
  const bodies = server.got.map(
    ({ body }) => JSON.parse(body) as { title: string; type: string; format: string },
  );
  assert.equal(
    bodies.map(({ title, type, format }) => [title, type, format]),
    [
      ['box: high: finding a', 'failure', 'text'],
      ['box: resolved: finding a', 'success', 'text'],
    ],
  );
});

test('mail: subject, text, and the same id at every attempt', async () => {
  const mails: AlertMail[] = [];
  assert.ok((await send({ kind: 'mail', address: 'ada@example.org' }, 1, {}, mails)).ok);
  const [mail] = mails;
  assert.equal(
    [mail?.to, mail?.subject, mail?.id],
    ['ada@example.org', 'box: high: finding a', 'desk-0123456789abcdef'],
  );
  assert.match(mail?.text ?? '', /next: desk findings a/);
});

test('a command gets the message on its input, and its exit code says whether it was delivered', async () => {
  const out = join(folder, 'out');
  const script = (text: string) => ({ kind: 'command', command: ['/bin/sh', '-c', text, 'sh', out] });
  assert.equal(
    await send(script('cat > "$1"; echo "$DESK_ALERT_ID $DESK_ALERT_AGAIN $DESK_ALERT_SEVERITY" >> "$1"'), 1),
    {
      ...{ ok: true, detail: 'exit code 0' },
    },
  );
  const [json = '', words] = readFileSync(out, 'utf8')
    .split('}0123')
    .flatMap((part, index) => (index === 0 ? [`${part}}`] : [`0123${part}`]));
  assert.is((JSON.parse(json) as AlertMessage).title, 'box: high: finding a');
  assert.is(words, '0123456789abcdef 0 high\n');
  const failed = await send(script('echo "no   route" >&2; exit 3'), 1);
  assert.equal(failed, { ok: false, unsure: false, reason: 'it ended with exit code 3 ("no route")' });
  const missing = await send({ kind: 'command', command: [join(folder, 'nothing')] }, 1);
  assert.match(missing.ok ? '' : missing.reason, /cannot be started \(ENOENT/);
});

test('a command that does not end is killed', async () => {
  const file = join(folder, 'pid');
  const stop = new AbortController();
  const command = ['/bin/sh', '-c', 'echo $$ > "$1"; exec sleep 600', 'sh', file];
  const sending = send({ kind: 'command', command }, 1, { signal: stop.signal });
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), 'the command');
  stop.abort();
  assert.equal(await sending, { ok: false, unsure: true, reason: 'the desk is stopping' });
  await until(() => !existsSync(`/proc/${readFileSync(file, 'utf8').trim()}`), 'its end');
});

test('an address in a file, which only its owner may read', async () => {
  await using server = await receiver();
  const file = join(folder, 'address');
  writeFileSync(file, `http://localhost:${server.port}/secret\n`, { mode: 0o600 });
  assert.ok((await send({ kind: 'webhook', url_file: file }, server.port)).ok);
  assert.is(server.got[0]?.path, '/secret');
  const gone = await send({ kind: 'webhook', url_file: join(folder, 'none') }, server.port);
  assert.match(gone.ok ? '' : gone.reason, /does not exist, write it/);
});

test('an invalid address, a token that is not valid in a header, a missing program: failed attempts', async () => {
  const wrong = join(folder, 'wrong');
  writeFileSync(wrong, 'ntfy.sh/secret-topic', { mode: 0o600 });
  const none = await send({ kind: 'ntfy', url_file: wrong }, 1);
  assert.equal(none, { ok: false, unsure: false, reason: 'its address is not a URL, correct it' });
  await using server = await receiver();
  writeFileSync(wrong, 'caf\u00e9\u20ac', { mode: 0o600 });
  const url = `http://localhost:${server.port}/hook`;
  const token = await send({ kind: 'webhook', url, token_file: wrong }, server.port);
  assert.match(token.ok ? '' : token.reason, /could not be sent \(ERR_INVALID_CHAR\)/);
  const program = await send({ kind: 'command', command: [`${wrong}/x`] }, 1);
  assert.is(program.ok, false);
});

test('a place that [egress] does not list is not connected to', async () => {
  const sent = await send({ kind: 'ntfy', url: 'https://ntfy.example/desk' }, 1);
  assert.match(sent.ok ? '' : sent.reason, /add "ntfy\.example:443" to \[egress\] allow/);
});

test.run();
