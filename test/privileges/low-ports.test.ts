/** Sockets for low ports: bound ahead, handed out once, closed when nobody takes them. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LowPorts } from '../../src/privileges/low-ports.ts';

const test = suite('low ports');

/** Descriptors in place of sockets; ports in `taken` are refused. */
function binder(taken: Set<number> = new Set()) {
  const asked: number[] = [];
  const made: number[] = [];
  const bind = async (_: string, port: number): Promise<number | null> => {
    asked.push(port);
    await turn();
    if (taken.has(port)) return null;
    made.push(openSync('/dev/null', 'r'));
    return made.at(-1) as number;
  };
  return { bind, asked, made };
}

const isOpen = (fd: number): boolean => {
  try {
    fstatSync(fd);
    return true;
  } catch {
    return false;
  }
};

const at = (port: number) => ({ host: '127.0.0.1', port });

test('low ports alone are bound; each socket is handed out once, the rest is closed', async () => {
  const { bind, asked, made } = binder();
  const ports = new LowPorts(bind, 1024);
  await ports.prepare([at(80), at(443), at(1024), at(8080)]);
  assert.equal(asked, [80, 443]);
  const taken = ports.take('127.0.0.1', 80) as number;
  assert.is(taken, made[0]);
  ports.release();
  assert.equal(made.map(isOpen), [true, false]);
  closeSync(taken);
});

test('what is not there is asked for once, and is there for the next try', async () => {
  const refused = new Set([80]);
  const { bind, asked, made } = binder(refused);
  const ports = new LowPorts(bind, 1024);
  await ports.prepare([at(80)]);
  refused.clear();
  assert.equal([ports.take('127.0.0.1', 80), ports.take('127.0.0.1', 80)], [null, null]);
  await turn();
  await turn();
  assert.equal(asked, [80, 80]);
  assert.is(ports.take('127.0.0.1', 80), made[0]);
  ports.release();
  assert.ok(isOpen(made[0] as number));
  closeSync(made[0] as number);
});

test('a failure of the question is no failure of the listeners', async () => {
  const ports = new LowPorts(() => Promise.reject(new Error('no')), 1024);
  await ports.prepare([at(80)]);
  assert.is(ports.take('127.0.0.1', 80), null);
  await turn();
});

test.run();
