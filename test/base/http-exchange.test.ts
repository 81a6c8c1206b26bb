/** One HTTP exchange: it ends within its time and size limits, and reports how it ended. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { exchangeHttp } from '../../src/base/http-exchange.ts';

const server: Server = createServer((request, response) => {
  if (request.url === '/silent') return;
  if (request.url === '/cut') {
    response.writeHead(200, { 'content-length': 100 });
    response.write('some', () => response.destroy());
    return;
  }
  request.pipe(response);
});
const state = { port: 0 };
test.before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  state.port = (server.address() as AddressInfo).port;
});
test.after(() => {
  server.closeAllConnections();
  server.close();
});

type Options = Partial<Parameters<typeof exchangeHttp>[0]>;
const ask = (path: string, options: Options = {}) =>
  exchangeHttp({
    options: { host: '127.0.0.1', port: state.port, method: 'POST', path, agent: false },
    body: Buffer.from('x'.repeat(1000)),
    timeoutMs: 5_000,
    mostBytes: 1_000,
    ...options,
  });

test('a response is read in full, or until its reader stops', async () => {
  let bytes = 0;
  const take = ({ length }: Buffer) => {
    bytes += length;
    return true;
  };
  assert.is(await ask('/', { take }), 'whole');
  assert.is(bytes, 1_000);
  assert.is(await ask('/', { head: ({ statusCode }) => statusCode !== 200 }), 'enough');
  assert.is(await ask('/', { take: () => false }), 'enough');
});

test('an exchange ends at its limits', async () => {
  assert.is(await ask('/', { mostBytes: 999 }), 'too-large');
  assert.is(await ask('/silent', { timeoutMs: 50 }), 'timeout');
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 20);
  assert.is(await ask('/silent', { signal: stop.signal }), 'aborted');
  assert.is(await ask('/', { signal: stop.signal }), 'aborted');
});

test('a broken connection is an error with a code, and only an error of the caller rejects', async () => {
  const cut = await ask('/cut');
  assert.is(typeof cut === 'object' && (cut.error as Error & { code?: string }).code, 'ECONNRESET');
  for (const part of ['head', 'take', 'send'] as const) {
    const fails = (): never => {
      throw new Error(`from ${part}`);
    };
    const one: Options = part === 'send' ? { send: async () => fails() } : { [part]: fails };
    assert.is(await ask('/', one).catch((error: Error) => error.message), `from ${part}`);
  }
});

test.run();
