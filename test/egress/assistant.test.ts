/** Requests to an assistant through the egress guard: TLS, plain http to other hosts, and disconnects. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { askChat, type ChatEnd } from '../../src/egress/assistant.ts';
import { EgressGuard } from '../../src/egress/guard.ts';
import { FakeAssistant } from '../support/fake-assistant.ts';
import { needs } from '../support/require.ts';
import { makeTestCa, pemOf } from '../support/test-ca.ts';

const test = suite('egress assistant');

/** A guard that resolves every name to `address` and connects to the fake. */
function guardTo(assistant: FakeAssistant, host: string, address = '127.0.0.1'): EgressGuard {
  const place = `${host}:${assistant.port}`;
  return new EgressGuard({ allow: [place], private: [place] }, { resolver: async () => [address] });
}

async function ask(
  assistant: FakeAssistant,
  baseUrl: string,
  {
    guard = guardTo(assistant, 'localhost'),
    signal = new AbortController().signal,
    take = (): 'going' => 'going',
  } = {},
): Promise<{ readonly end: ChatEnd; readonly text: string }> {
  let text = '';
  const end = await askChat(guard, {
    baseUrl,
    key: 'key-of-the-test',
    body: '{}',
    limits: { connectMs: 5000, firstMs: 5000, wholeMs: 5000 },
    signal,
    take: (more) => {
      text += more;
      return take();
    },
  });
  return { end, text };
}

test('plain http is used only to this machine: to another one neither key nor question is sent', async () => {
  // A second address of this machine acts as another machine: it is not on loopback.
  const assistant = await new FakeAssistant().start('0.0.0.0');
  try {
    const { networkInterfaces } = await import('node:os');
    const own = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
    const url = `http://gpu.example:${assistant.port}/v1`;
    if (own !== undefined) {
      const { end } = await ask(assistant, url, { guard: guardTo(assistant, 'gpu.example', own) });
      assert.equal([end.ok, 'code' in end && end.code], [false, 'plain-http']);
      assert.match('reason' in end ? end.reason : '', 'write https');
      assert.equal(assistant.asked, []);
    }
    const { end } = await ask(assistant, url, { guard: guardTo(assistant, 'gpu.example') });
    assert.equal(end, { ok: true, status: 200 });
  } finally {
    await assistant.stop();
  }
});

needs('openssl')(test, 'over TLS nothing is sent unless the certificate verifies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-assistant-tls-'));
  const assistant = await new FakeAssistant(pemOf(makeTestCa(folder).issue(['localhost']))).start();
  try {
    const { end } = await ask(assistant, `https://localhost:${assistant.port}/v1`);
    assert.equal([end.ok, 'kind' in end && end.kind], [false, 'network']);
    assert.equal(assistant.asked, []);
  } finally {
    await assistant.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a client that disconnects before or during a request ends it', async () => {
  const assistant = await new FakeAssistant().start();
  try {
    const url = `http://localhost:${assistant.port}/v1/`;
    const { end: never } = await ask(assistant, url, { signal: AbortSignal.abort() });
    assert.equal('code' in never && never.code, 'left');
    assert.equal(assistant.asked, []);
    const leaving = new AbortController();
    assistant.manner = () => leaving.abort();
    const { end } = await ask(assistant, url, { signal: leaving.signal });
    assert.equal('code' in end && end.code, 'left');
    assert.is(assistant.asked[0]?.path, '/v1/chat/completions');
  } finally {
    await assistant.stop();
  }
});

test('interim and other extra HTTP responses are limited too', async () => {
  const assistant = await new FakeAssistant().start();
  const flood = (piece: string) => (response: ServerResponse) => {
    const { socket } = response;
    const more = (): void => {
      if (socket === null || socket.destroyed) return;
      if (socket.write(piece)) setImmediate(more);
      else socket.once('drain', more);
    };
    more();
  };
  try {
    const url = `http://localhost:${assistant.port}/v1`;
    assistant.manner = flood('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    const { end: hints } = await ask(assistant, url);
    assert.equal('code' in hints && hints.code, 'interim');
    const chunk = `1;${'e'.repeat(8_000)}\r\n:\r\n`;
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
    assistant.manner = (response) => {
      response.socket?.write(head);
      flood(chunk.repeat(8))(response);
    };
    const { end: chunks } = await ask(assistant, url);
    assert.equal('code' in chunks && chunks.code, 'too-large');
  } finally {
    await assistant.stop();
  }
});

test('an error thrown by `take` reaches its caller only', async () => {
  const assistant = await new FakeAssistant().start();
  try {
    const take = () => {
      throw new RangeError('of ours');
    };
    const asking = ask(assistant, `http://localhost:${assistant.port}/v1`, { take });
    assert.match(await asking.then(String, String), 'of ours');
  } finally {
    await assistant.stop();
  }
});

test('invalid URLs, and URLs with a user, are refused', async () => {
  const assistant = await new FakeAssistant().start();
  try {
    for (const url of ['nonsense', 'ftp://localhost/v1', `http://ann:word@localhost:${assistant.port}/v1`]) {
      const { end } = await ask(assistant, url);
      assert.is('kind' in end && end.kind, 'rule', url);
    }
    assert.equal(assistant.asked, []);
  } finally {
    await assistant.stop();
  }
});

test.run();
