import { createServer } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Allowlist } from '../../../src/egress/allowlist.ts';
import { countEgress } from '../../../src/features/inspection/egress-watch.ts';
import { probeEmbedded } from '../../../src/service/embedded.ts';
import { snapshotFrom } from '../../support/snapshot.ts';

test('the embedded site is probed in process, without a port', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host}`);
    response.statusCode = 204;
    response.end();
  });
  assert.is(await probeEmbedded(server, 'localhost:18770'), 204);
  assert.equal(seen, ['GET / localhost:18770']);
});

test('a server that never answers is unreachable', async () => {
  assert.is(
    await probeEmbedded(
      createServer(() => undefined),
      'localhost',
      50,
    ),
    0,
  );
});

test('a server that answers with an error is reachable, and its status is returned', async () => {
  const server = createServer((_request, response) => response.writeHead(503).end());
  assert.is(await probeEmbedded(server, 'localhost'), 503);
});

test('only connections of desk processes count, and only addresses not on the allowlist are outside', async () => {
  const allow = new Allowlist(['192.0.2.10:443', 'no-such-name.invalid:443']);
  await allow.resolve();
  const holders = [{ pid: 900, start: '900', fd: 5 }];
  const snapshot = snapshotFrom({
    connections: [
      { address: '192.0.2.10', holders },
      { address: '192.0.2.11', holders },
      { address: '192.0.2.12', holders: [{ pid: 500, start: '500', fd: 1 }] },
    ],
  });
  assert.equal(countEgress(snapshot, allow), { deskHttps: 2, outside: 1 });
  assert.equal(countEgress(snapshot, new Allowlist([])), { deskHttps: 2, outside: 2 });
  assert.equal(countEgress({ ...snapshot, programs: [{ name: '/usr/sbin/sshd', pids: [500] }] }, allow), {
    deskHttps: 3,
    outside: 2,
  });
});

test('an IPv4-mapped IPv6 address is treated as the IPv4 address', async () => {
  const allow = new Allowlist(['192.0.2.10:443']);
  await allow.start();
  assert.ok(allow.has('::ffff:192.0.2.10', 443));
  assert.not.ok(allow.has('::ffff:192.0.2.11', 443));
  allow.stop();
});

test.run();
