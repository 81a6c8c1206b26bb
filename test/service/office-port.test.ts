/** Port 80 for the office where it can be had, else 18780; only where the configuration names none. */
import { openSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../src/config/schema.ts';
import { bindOnce, bindOnceBy, withOfficePort } from '../../src/service/office-port.ts';

const test = suite('office port');

const NONE = { at: null, refusal: '' };
const host = '127.0.0.1';

/** Port and reason, with what was tried to bind; `refusals` by port. */
async function chosen(
  parts: object,
  refusals: string | Readonly<Record<number, string>>,
  before: Parameters<typeof withOfficePort>[1] = NONE,
) {
  const tried: string[] = [];
  const codes = typeof refusals === 'string' ? { 80: refusals } : refusals;
  const { config, refusal: why } = await withOfficePort(configSchema.parse(parts), before, async (place) => {
    tried.push(`${place.host}:${place.port}`);
    return codes[place.port as 80] ?? '';
  });
  return [config.listen.office.port, why, ...tried];
}

test('80 where it can be bound, else the other one with the reason', async () => {
  assert.equal(await chosen({}, ''), [80, '', '127.0.0.1:80']);
  for (const code of ['EADDRINUSE', 'EACCES', 'EPERM'])
    assert.equal(await chosen({}, code), [18780, code, '127.0.0.1:80', '127.0.0.1:18780']);
});

test('where another port is no cure, or is taken too, it stays on 80', async () => {
  for (const code of ['EADDRNOTAVAIL', 'EMFILE', 'ENOTCONN'])
    assert.equal(await chosen({}, code), [80, '', '127.0.0.1:80']);
  const both = { 80: 'EACCES', 18780: 'EADDRINUSE' };
  assert.equal(await chosen({}, both), [80, '', '127.0.0.1:80', '127.0.0.1:18780']);
});

test('a port that is named, or an office that is off, is left alone', async () => {
  assert.equal(await chosen({ listen: { office: { port: 80 } } }, 'EACCES'), [80, '']);
  assert.equal(await chosen({ listen: { office: { port: 8080 } } }, 'EACCES'), [8080, '']);
  assert.equal(await chosen({ listen: { office: { enabled: false } } }, 'EACCES'), [80, '']);
});

test('the other port is not taken from another listener, nor where it is banned', async () => {
  assert.equal(await chosen({ listen: { public: { port: 18780 } } }, 'EACCES'), [80, '']);
  assert.equal(await chosen({ banned: { also: [18780] } }, 'EACCES'), [80, '']);
  const ports = [{ name: 'app', port: 18780 }];
  assert.equal(await chosen({ ports }, 'EACCES'), [80, '']);
});

test('a reload does not move it', async () => {
  assert.equal(await chosen({}, 'EADDRINUSE', { at: { host, port: 80 }, refusal: '' }), [80, '']);
  const moved = { at: { host, port: 18780 }, refusal: 'EACCES' };
  assert.equal(await chosen({}, '', moved), [18780, 'EACCES']);
  // It was there because the configuration named it; now the file names none.
  assert.equal(await chosen({}, '', { at: { host, port: 18780 }, refusal: '' }), [80, '', '127.0.0.1:80']);
  assert.equal(await chosen({ listen: { office: { host: '::1' } } }, '', moved), [80, '', '::1:80']);
});

test('the attempt lets the port go, and says why it cannot be had', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, host, done));
  const { port } = server.address() as AddressInfo;
  assert.is(await bindOnce({ host, port }), 'EADDRINUSE');
  await new Promise((done) => server.close(done));
  assert.is(await bindOnce({ host, port }), '');
  assert.is(await bindOnce({ host, port }), '');
});

test('a port that only desk-start may bind', async () => {
  const asked: unknown[] = [];
  const by = (answer: () => number | string | null) =>
    bindOnceBy(
      async (...place) => {
        asked.push(place);
        return answer();
      },
      { host, port: 80 },
      async () => 'EACCES',
    );
  assert.is(await by(() => openSync('/dev/null', 'r')), '');
  assert.is(await by(() => 'EADDRINUSE'), 'EADDRINUSE');
  assert.is(await by(() => null), 'EACCES');
  assert.equal(asked[0], [host, 80]);
});

test.run();
