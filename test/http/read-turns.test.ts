/** Which connections are read after a long event loop iteration. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadTurns } from '../../src/http/read-turns.ts';

const LIMITS = { longTurnMs: 20, turnReads: 4 };

class FakeSocket extends EventEmitter {
  destroyed = false;
  reads = true;
  pause() {
    this.reads = false;
  }
  resume() {
    this.reads = true;
  }
  isPaused() {
    return !this.reads;
  }
}

function table(callers: Readonly<Record<string, number>>) {
  const turns = new ReadTurns(LIMITS);
  const sockets = Object.entries(callers).flatMap(([caller, count]) =>
    Array.from({ length: count }, () => {
      const socket = new FakeSocket();
      turns.add(socket as unknown as Socket, caller);
      return { caller, socket };
    }),
  );
  const reading = () => sockets.filter(({ socket }) => socket.reads);
  return { turns, sockets, reading };
}

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('while event loop iterations are short, every connection is read', async () => {
  const { turns, sockets, reading } = table({ a: 50, b: 1 });
  for (let at = 0; at < 5; at++) {
    turns.note();
    await turn();
    assert.is(reading().length, sockets.length);
  }
});

test('after a long iteration reading stops; then a few connections are read in each, in rotation, until iterations are short', async () => {
  const { turns, sockets, reading } = table({ a: 50, b: 1 });
  turns.note();
  work(LIMITS.longTurnMs + 5);
  turns.note();
  assert.is(reading().length, 0);
  let since = 0;
  for (let at = 0; at < 12; at++) {
    await turn();
    assert.ok(reading().length <= LIMITS.turnReads);
    since = reading().some(({ caller }) => caller === 'b') ? 0 : since + 1;
    assert.ok(since < 3, 'b is read in one of two turns');
    work(LIMITS.longTurnMs + 5);
  }
  assert.is(reading().length, 1);
  for (let at = 0; at < 200 && reading().length < sockets.length; at++) await turn();
  assert.is(reading().length, sockets.length);
});

test('every connection of a caller is read in rotation; one that Node has paused stays paused', async () => {
  const { turns, sockets, reading } = table({ a: 10 });
  const [stopped] = sockets;
  stopped?.socket.pause();
  turns.note();
  work(LIMITS.longTurnMs + 5);
  const seen = new Set();
  for (let at = 0; at < 12; at++) {
    await turn();
    for (const one of reading()) seen.add(one);
    work(LIMITS.longTurnMs + 5);
  }
  assert.is(seen.size, sockets.length - 1);
  for (let at = 0; at < 100 && reading().length < sockets.length - 1; at++) await turn();
  assert.not(stopped?.socket.reads);
});

test('new connections wait while others wait; closed ones are removed', async () => {
  const { turns, sockets } = table({ a: 20 });
  turns.note();
  work(LIMITS.longTurnMs + 5);
  await turn();
  const late = new FakeSocket();
  turns.add(late as unknown as Socket, 'b');
  await Promise.resolve();
  let came = false;
  for (const { socket } of sockets) {
    socket.destroyed = true;
    socket.emit('close');
  }
  for (let at = 0; at < 10 && !came; at++) {
    await turn();
    came = late.reads;
  }
  assert.ok(came);
});

test.run();
