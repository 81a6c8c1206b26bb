/**
 * A client that overloads a service on loopback, or one that behaves well: run as a separate process, by any
 * user, in the network of a test. `attacker.ts MODE PORT PATH COUNT`. It ends when its work is done, or, if that is endless, when its input closes.
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

/** Milliseconds until the whole response arrived, and its status; status 0 when there was none. */
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

/** A request with the largest allowed header, in as many lines as fit. */
const heavy = `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n${'a:\r\n'.repeat(1_900)}\r\n`;

/** Sends such requests repeatedly, as fast as they are accepted. */
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
  /** This many pipelines, one after another. */
  pipelines: async () => {
    for (let at = 0; at < count; at++) await dropPipeline();
  },
  /** Pipelines for this many seconds. */
  flood: async () => {
    for (const until = Date.now() + count * 1000; Date.now() < until; ) await dropPipeline();
  },
  idle: () => times(holdIdle),
  greedy: () => times(askAlways),
  heavy: () => times(askHeavily),
  queue: () => times(queueUp),
  /** Takes the port until the input ends. */
  squat: () => new Promise((_, reject) => createServer().on('error', reject).listen(port, host)),
  /** This many requests 20 ms apart, each on a new connection; prints the results as JSON. */
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
/** These use a whole processor: they end after this time at the latest, even if the test fails. */
if (['heavy', 'queue'].includes(mode)) setTimeout(() => process.exit(), 14_000);
if (ENDLESS.includes(mode)) process.stdin.on('end', () => process.exit()).resume();
await modes[mode]?.();
process.exit();
