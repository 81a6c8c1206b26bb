/**
 * A client that asks too much of a service on loopback, or one that asks as it should: run as a process of its own, by any
 * user, in the network of a test. `attacker.ts MODE PORT PATH COUNT`. It ends with its work, or, where that has no end, with its input.
 */
import { Agent, get } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [mode = '', portText = '', path = '/', countText = '1'] = process.argv.slice(2);
const [port, count] = [Number(portText), Number(countText)];
const PIPELINED = 1_400;

const host = '127.0.0.1';
const pipeline = `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`.repeat(PIPELINED);

/** A connection that holds until either side ends it; resolves to it, or null when it was refused. */
const opened = (): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(socket));
    socket.on('error', () => resolve(null));
  });

/** Sends all requests at once and disconnects without reading an answer. */
async function dropPipeline(): Promise<void> {
  const socket = await opened();
  if (socket === null) return;
  socket.pause();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(pipeline, () => setTimeout(() => socket.destroy(), 5));
  await Promise.race([closed, sleep(100)]);
  socket.destroy();
}

/** Opens an idle connection again and again. */
async function holdIdle(): Promise<void> {
  for (;;) {
    const socket = await opened();
    if (socket === null) await sleep(50);
    else {
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
    }
    await sleep(20);
  }
}

/** Milliseconds until the whole answer was there, and its status; status 0 when there was none. */
function asked(agent?: Agent): Promise<{ readonly status: number; readonly ms: number }> {
  const from = performance.now();
  return new Promise((resolve) => {
    const done = (status: number) => resolve({ status, ms: performance.now() - from });
    const request = get({ host, port, path, agent: agent ?? false, timeout: 20_000 }, (response) => {
      response.on('end', () => done(response.statusCode ?? 0)).on('error', () => done(0));
      response.resume();
    });
    request.on('timeout', () => request.destroy()).on('error', () => done(0));
  });
}

/** A request whose header is as large as it may be, in as many lines as fit. */
const heavy = `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n${'a:\r\n'.repeat(1_900)}\r\n`;

/** Sends such requests as fast as they are taken, again and again. */
async function askHeavily(): Promise<void> {
  for (;;) {
    const socket = await opened();
    if (socket === null) await sleep(50);
    else {
      socket.resume();
      const more = () => {
        while (!socket.destroyed && socket.write(heavy));
      };
      socket.on('drain', more);
      more();
      await new Promise((resolve) => socket.once('close', resolve));
    }
  }
}

/** Holds a connection, and opens the next as soon as it is closed. */
async function queueUp(): Promise<void> {
  for (;;) {
    const socket = await opened();
    if (socket === null) await sleep(5);
    else {
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
    }
  }
}

/** Asks without pause on a connection of its own. */
async function askAlways(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) if ((await asked(agent)).status === 0) await sleep(10);
}

const times = <T>(make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, () => make()));

const modes: Readonly<Record<string, () => Promise<unknown>>> = {
  /** So many pipelines, one after another. */
  pipelines: async () => {
    for (let at = 0; at < count; at++) await dropPipeline();
  },
  /** Pipelines for so many seconds. */
  flood: async () => {
    for (const until = Date.now() + count * 1000; Date.now() < until; ) await dropPipeline();
  },
  idle: () => times(holdIdle),
  greedy: () => times(askAlways),
  heavy: () => times(askHeavily),
  queue: () => times(queueUp),
  /** Takes the port until the input ends. */
  squat: () => new Promise((_, reject) => createServer().on('error', reject).listen(port, host)),
  /** So many requests 20 ms apart, each on a connection of its own; what came of them as JSON. */
  honest: async () => {
    const answers = [];
    for (let at = 0; at < count; at++) {
      answers.push(await asked());
      await sleep(20);
    }
    process.stdout.write(`${JSON.stringify(answers)}\n`);
  },
};

const ENDLESS = ['idle', 'greedy', 'heavy', 'queue', 'squat'];
/** These take a whole processor: no longer than this, whatever becomes of the test. */
if (['heavy', 'queue'].includes(mode)) setTimeout(() => process.exit(), 14_000);
if (ENDLESS.includes(mode)) process.stdin.on('end', () => process.exit()).resume();
await modes[mode]?.();
process.exit();
