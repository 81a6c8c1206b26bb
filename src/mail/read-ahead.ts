/** Message files read while others are counted: large folders by a thread of its own, small ones here. */
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { MessageFiles, readStretch, type Stretch } from './message-files.ts';
import { type Parcel, unpacked } from './message-parcel.ts';

export interface ToThread {
  readonly port: MessagePort;
  /** One 32-bit number that grows by one when the thread is there, and with each answer. */
  readonly signal: SharedArrayBuffer;
  readonly nowMs: number;
}

export interface FromThread extends Omit<Stretch, 'facts'> {
  readonly parcel: Parcel;
}

/** Below this many files a thread costs more than it brings. */
const WORTH_A_THREAD = 5000;
/** Paths of one request. */
const STRETCH = 4000;
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

class Thread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #turns: Int32Array;
  /** How many it has given. */
  answers = 0;

  constructor(nowMs: number) {
    const { port1, port2 } = new MessageChannel();
    const signal = new SharedArrayBuffer(4);
    const data: ToThread = { port: port2, signal, nowMs };
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

  ask(paths: readonly string[]): void {
    this.#port.postMessage(paths);
  }

  /** @throws when the thread has ended or does not answer */
  take(): Stretch {
    const until = performance.now() + PATIENCE_MS;
    while (Atomics.load(this.#turns, 0) < this.answers + 2) {
      const left = until - performance.now();
      if (left <= 0) throw new Error('the thread that reads mail folders does not answer');
      Atomics.wait(this.#turns, 0, this.answers + 1, left);
    }
    this.answers += 1;
    const { parcel, ...rest } = (receiveMessageOnPort(this.#port) as { message: FromThread }).message;
    return { ...rest, facts: unpacked(parcel) };
  }

  close(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}

/** Reads files in the order of their paths, stretch by stretch; the next one while the caller has the last. */
export class ReadAhead {
  readonly #files: MessageFiles;
  readonly #thread: Thread | null;

  /** `files`: how many there are about. */
  constructor(nowMs: number, files: number) {
    this.#files = new MessageFiles(nowMs);
    this.#thread = files >= WORTH_A_THREAD ? new Thread(nowMs) : null;
  }

  /** Stretches that the thread has read. */
  get byThread(): number {
    return this.#thread?.answers ?? 0;
  }

  /** Facts of the files, in order: what `looked` counts of each stretch goes on where the last one ended. */
  *stretches(paths: readonly string[]): Generator<Stretch, void, void> {
    let at = 0;
    let asked = false;
    const rest = () => paths.slice(at, at + STRETCH);
    while (at < paths.length) {
      const thread = this.#thread?.ready ? this.#thread : null;
      // Until the thread is there, files are read here.
      const stretch = asked && thread !== null ? thread.take() : readStretch(this.#files, rest());
      at += stretch.looked;
      asked = thread !== null && at < paths.length;
      if (asked) thread?.ask(rest());
      yield stretch;
    }
  }

  close(): void {
    this.#thread?.close();
  }
}
