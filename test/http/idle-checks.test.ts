import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checksWhileOpen } from '../../src/http/idle-checks.ts';

const EVERY_MS = 20;

test('a server without connections does not look for slow requests; with one it does, each time again', async () => {
  const timers = new Set<number>();
  let fired = 0;
  const hook = createHook({
    init: (id, type) => void (type === 'Timeout' && timers.add(id)),
    before: (id) => {
      if (timers.has(id)) fired += 1;
    },
  }).enable();
  const server = createServer({ connectionsCheckingInterval: EVERY_MS, headersTimeout: 100 });
  const opened = checksWhileOpen(server);
  server.on('connection', opened);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Each delay is a timer of its own, which fires once.
  const firedDuring = async (work: () => Promise<unknown>) => {
    const before = fired;
    await work();
    return fired - before - 1;
  };
  try {
    for (let round = 0; round < 2; round += 1) {
      assert.equal(await firedDuring(() => delay(10 * EVERY_MS)), 0);
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const answer = once(client, 'data');
      client.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
      assert.match(String((await answer)[0]), /^HTTP\/1\.1 408 /);
      if (!client.destroyed) await once(client, 'close');
      while ((await new Promise<number>((done) => server.getConnections((_error, count) => done(count)))) > 0)
        await delay(1);
    }
  } finally {
    hook.disable();
    server.close();
  }
});

test.run();
