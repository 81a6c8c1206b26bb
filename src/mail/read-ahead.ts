/** Message files read while others are counted: large folders by a thread of its own, small ones here. */
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Messages } from '../store/ledger-types.ts';
import { type Parcel, Unpacker } from './message-parcel.ts';
import { MessageReader } from './message-reader.ts';

export interface ToThread {
  readonly port: MessagePort;
  /** One 32-bit number that grows by one when the thread is there, and with each answer. */
  readonly signal: SharedArrayBuffer;
  /** Of the ledger. */
  readonly key: Uint8Array;
  readonly nowMs: number;
}

interface Looked {
  /** Of each file that was looked at: 0 it is a message, `NO_MESSAGE`, else the errno. Those behind are for the next stretch. */
  readonly states: Int32Array;
}

export interface FromThread extends Looked {
  readonly parcel: Parcel;
}

export interface Stretch extends Looked {
  /** Of the files that are messages. */
  readonly messages: Messages;
}

/** State of a file that is gone, empty or no file. */
export const NO_MESSAGE = -1;
/** Of one stretch, when it takes as long. */
export const STRETCH_MS = 400;

/** Below this many files a thread costs more than it brings. */
const WORTH_A_THREAD = 5000;
/** Paths of one request to the thread, and of what is read here while it works. Towards the end they are fewer: nobody waits for the other. */
const STRETCH = 4000;
const SHARE = 1000;
const FEWEST = 500;
/** Requests that wait at the thread: it has always something to do. */
const WAITING = 2;
/** A disk that takes longer for one file will not answer at all. */
const PATIENCE_MS = 120_000;

/** The module of the thread. Beneath tsx, which takes a .ts file in a thread by `require` alone, one that requires it. */
function threadModule(): URL {
  const here = import.meta.url;
  if (!here.endsWith('.ts')) return new URL('./reading-thread.js', here);
  const path = JSON.stringify(fileURLToPath(new URL('./reading-thread.ts', here)));
  const code = `import { createRequire } from 'node:module'; createRequire(${JSON.stringify(here)})(${path});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

export interface StretchAt extends Stretch {
  /** Place among all paths of the first one it looked at. */
  readonly from: number;
}

class Thread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #turns: Int32Array;
  readonly #unpacker = new Unpacker();
  /** How many it has given. */
  answers = 0;

  constructor(key: Uint8Array, nowMs: number) {
    const { port1, port2 } = new MessageChannel();
    const signal = new SharedArrayBuffer(4);
    const data: ToThread = { port: port2, signal, key, nowMs };
    this.#worker = new Worker(threadModule(), {
      workerData: data,
      transferList: [port2],
    });
    // A thread that ends is noticed where its answer is missed.
    this.#worker.on('error', () => {});
    this.#worker.unref();
    this.#port = port1;
    port1.unref();
    this.#turns = new Int32Array(signal);
  }

  get ready(): boolean {
    return Atomics.load(this.#turns, 0) > 0;
  }

  /** What was asked for is there. */
  get answered(): boolean {
    return Atomics.load(this.#turns, 0) >= this.answers + 2;
  }

  ask(paths: string): void {
    this.#port.postMessage(paths);
  }

  /** @throws when the thread has ended or does not answer */
  take(): Stretch {
    const until = performance.now() + PATIENCE_MS;
    while (!this.answered) {
      const left = until - performance.now();
      if (left <= 0) throw new Error('the thread that reads mail folders does not answer');
      Atomics.wait(this.#turns, 0, this.answers + 1, left);
    }
    this.answers += 1;
    const { states, parcel } = (receiveMessageOnPort(this.#port) as { message: FromThread }).message;
    return { states, messages: this.#unpacker.unpack(parcel) };
  }

  close(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}

/** Reads files stretch by stretch, on both threads, and goes on while the caller has the last stretch. */
export class ReadAhead {
  readonly #reader: MessageReader;
  readonly #nowMs: number;
  readonly #key: Uint8Array;
  #thread: Thread | null = null;

  /** `key`: of the ledger; `files`: how many there are about, as far as it is known. */
  constructor(key: Uint8Array, nowMs: number, files: number) {
    this.#reader = new MessageReader(key);
    this.#key = key;
    this.#nowMs = nowMs;
    this.expect(files);
  }

  /** So many there are, at least: where it is worth one, the thread starts. */
  expect(files: number): void {
    if (files >= WORTH_A_THREAD) this.#thread ??= new Thread(this.#key, this.#nowMs);
  }

  /** Stretches that the thread has read. */
  get byThread(): number {
    return this.#thread?.answers ?? 0;
  }

  /** What is in the files, every file once; of stretches, whoever is done first gives the first. */
  *stretches(paths: readonly string[]): Generator<StretchAt, void, void> {
    const left: Range[] = [{ from: 0, to: paths.length }];
    const asked: Range[] = [];
    let free = paths.length;
    /** Takes the next files that nobody has. */
    const next = (most: number): Range | null => {
      const range = left.pop();
      if (range === undefined || range.from === range.to) return null;
      const to = Math.min(range.to, range.from + Math.max(FEWEST, Math.min(most, Math.ceil(free / 4))));
      free -= to - range.from;
      if (to < range.to) left.push({ from: to, to: range.to });
      return { from: range.from, to };
    };
    const between = ({ from, to }: Range) => `${paths.slice(from, to).join('\0')}\0`;
    const giveBack = (from: number, to: number): void => {
      if (from === to) return;
      free += to - from;
      left.push({ from, to });
    };
    const ask = (): void => {
      while (this.#thread?.ready && asked.length < WAITING) {
        const more = next(STRETCH);
        if (more === null) return;
        this.#thread.ask(between(more));
        asked.push(more);
      }
    };
    const done = (range: Range, stretch: Stretch): StretchAt => {
      giveBack(range.from + stretch.states.length, range.to);
      ask();
      return { ...stretch, from: range.from };
    };
    ask();
    for (;;) {
      const waits = asked.length > 0 && this.#thread?.answered === true;
      const here = waits ? null : next(asked.length === 0 ? STRETCH : SHARE);
      if (here !== null) yield done(here, this.#read(between(here)));
      else if (this.#thread !== null && asked.length > 0)
        yield done(asked.shift() as Range, this.#thread.take());
      else return;
    }
  }

  #read(paths: string): Stretch {
    const states = this.#reader.read(paths, this.#nowMs, STRETCH_MS);
    return { states, messages: this.#reader.take() };
  }

  close(): void {
    this.#thread?.close();
  }
}
