/** What the service reports to the service manager: to a real datagram socket, and by which rule the watchdog is answered. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Refusal } from '../../src/engine/native/types.ts';
import { isAlive, ServiceManager, takeManager } from '../../src/service/service-manager.ts';
import { until } from '../real/running.ts';
import { needs } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { addon } = loadNative();
const loop = { on: true, periodMs: 1000, quietMs: 0 };
const report = () => ({ loop, status: 'well' });

/** Binds a datagram socket and prints each message as JSON; with "full" it reads nothing. */
const RECEIVER = `
import json, socket, sys
address, full = sys.argv[1], sys.argv[2] == 'full'
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
receiver.bind(('\\0' + address[1:]) if address[0] == '@' else address)
print('"bound"', flush=True)
if full: sys.stdin.read()
while True: print(json.dumps(receiver.recv(4096).decode()), flush=True)
`;

async function receiver(address: string, full = false) {
  const child = spawn('python3', ['-c', RECEIVER, address, full ? 'full' : ''], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const messages: string[] = [];
  createInterface(child.stdout).on('line', (line) => messages.push(JSON.parse(line) as string));
  await until(async () => messages.length > 0, 'the socket is bound');
  return {
    messages: () => messages.slice(1),
    read: () => child.stdin.end(),
    async close() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

test('the variables of the manager are taken out of the environment, and only its own watchdog counts', () => {
  const cases: readonly (readonly [Record<string, string>, ReturnType<typeof takeManager>])[] = [
    [{}, null],
    [{ WATCHDOG_USEC: '1000000', WATCHDOG_PID: '7' }, null],
    [{ NOTIFY_SOCKET: '/run/n' }, { socket: '/run/n', watchdogMs: 0 }],
    [
      { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '3000000' },
      { socket: '@n', watchdogMs: 3000 },
    ],
    [
      { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '3000000', WATCHDOG_PID: '7' },
      { socket: '@n', watchdogMs: 3000 },
    ],
    [
      { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '3000000', WATCHDOG_PID: '8' },
      { socket: '@n', watchdogMs: 0 },
    ],
    [
      { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '0' },
      { socket: '@n', watchdogMs: 0 },
    ],
    [
      { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '-5' },
      { socket: '@n', watchdogMs: 0 },
    ],
    [
      { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: 'soon' },
      { socket: '@n', watchdogMs: 0 },
    ],
  ];
  for (const [variables, place] of cases) {
    const env: Record<string, string | undefined> = { ...variables, PATH: '/bin' };
    assert.equal(takeManager(env, 7), place);
    assert.equal(env, { PATH: '/bin' });
  }
});

test('the watchdog is answered only while the event loop runs and rechecks end', () => {
  assert.ok(isAlive(0, loop));
  assert.not(isAlive(1000, loop));
  assert.ok(isAlive(999, { ...loop, quietMs: 19_999 }));
  assert.not(isAlive(0, { ...loop, quietMs: 20_000 }));
  // A long period has its own bound, and a loop that is off owes no recheck.
  assert.ok(isAlive(0, { on: true, periodMs: 60_000, quietMs: 200_000 }));
  assert.not(isAlive(0, { on: true, periodMs: 60_000, quietMs: 240_000 }));
  assert.ok(isAlive(0, { on: false, periodMs: 1000, quietMs: 0 }));
  assert.not(isAlive(5000, { on: false, periodMs: 1000, quietMs: 0 }));
});

needs('python3')(test, 'messages arrive at a path and at an abstract name, in order', async () => {
  const folder = tempFolder('desk-notify-');
  for (const socket of [join(folder, 'notify'), `@desk-test-${process.pid}`]) {
    const other = await receiver(socket);
    try {
      const manager = new ServiceManager({
        place: { socket, watchdogMs: 200 },
        native: addon,
        unreachable: (code) => assert.unreachable(code),
      });
      manager.starting();
      manager.ready(report);
      await until(async () => other.messages().includes('WATCHDOG=1'), 'the watchdog is answered');
      manager.reloading();
      manager.reloaded();
      manager.stopping();
      await until(
        async () => other.messages().some((one) => one.startsWith('STOPPING=1')),
        'the end is reported',
      );
      manager.close();
      const [starting, extended, ready] = other.messages();
      assert.is(starting, 'STATUS=Starting');
      assert.is(extended, 'EXTEND_TIMEOUT_USEC=60000000');
      assert.is(ready, 'READY=1\nSTATUS=well');
      assert.match(other.messages().at(-3) ?? '', /^RELOADING=1\nMONOTONIC_USEC=\d+$/);
      assert.is(other.messages().at(-2), 'READY=1');
      assert.is(other.messages().at(-1), 'STOPPING=1\nSTATUS=Stopping');
    } finally {
      await other.close();
    }
  }
});

needs('python3')(
  test,
  'a manager that reads nothing never blocks the service, and gets what matters once it reads',
  async () => {
    const socket = `@desk-test-full-${process.pid}`;
    const other = await receiver(socket, true);
    try {
      let refusal: Refusal | null = null;
      for (let sent = 0; refusal === null && sent < 100_000; sent++)
        refusal = addon.sendDatagram(socket, Buffer.from('STATUS=x'));
      assert.is(refusal?.code, 'EAGAIN');
      const manager = new ServiceManager({
        place: { socket, watchdogMs: 0 },
        native: addon,
        unreachable: (code) => assert.unreachable(code),
      });
      manager.ready(report);
      manager.reloading();
      manager.reloaded();
      other.read();
      await until(async () => other.messages().at(-1) === 'READY=1', 'the last message arrives');
      manager.close();
      const [ready, reloading] = other.messages().filter((one) => one !== 'STATUS=x');
      assert.is(ready, 'READY=1\nSTATUS=well');
      assert.ok(reloading?.startsWith('RELOADING=1\n'));
    } finally {
      await other.close();
    }
  },
);

test('addresses that are none are refused, and without a receiver the service goes on', () => {
  for (const address of ['@', '/', 'notify', 'vsock:2:1', `/${'x'.repeat(107)}`, `@${'x'.repeat(108)}`])
    assert.is(addon.sendDatagram(address, Buffer.from('READY=1'))?.code, 'EINVAL', address);
  const codes: string[] = [];
  const manager = new ServiceManager({
    place: { socket: `@desk-test-absent-${process.pid}`, watchdogMs: 0 },
    native: addon,
    unreachable: (code) => codes.push(code),
  });
  manager.starting();
  manager.ready(report);
  manager.stopping();
  manager.close();
  assert.equal(codes, ['ECONNREFUSED']);
});

test('no text makes a second assignment or throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (status) => {
      const sent: string[] = [];
      const native = {
        sendDatagram(_: string, message: Uint8Array) {
          sent.push(Buffer.from(message).toString());
          return null;
        },
      };
      const manager = new ServiceManager({
        place: { socket: '@x', watchdogMs: 0 },
        native,
        unreachable: () => undefined,
      });
      manager.ready(() => ({ loop, status }));
      manager.close();
      assert.is(sent.length, 1);
      assert.is(sent[0]?.split('\n').length, 2);
    }),
  );
});

test('without a manager nothing is sent', () => {
  const native = { sendDatagram: () => assert.unreachable('sent') as never };
  const manager = new ServiceManager({ place: null, native, unreachable: () => undefined });
  manager.starting();
  manager.ready(report);
  manager.reloading();
  manager.reloaded();
  manager.stopping();
  manager.close();
});

test.run();
