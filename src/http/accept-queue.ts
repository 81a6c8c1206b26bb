/**
 * The connections that wait at a listening socket. Node accepts one in each turn of the event loop; whatever else waits is
 * accepted here in the same turn, so that no client fills the queue of the kernel by opening many. A connection that is refused
 * never becomes a `Socket`.
 */
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { NativeAddon } from '../engine/native/types.ts';
import type { Ends } from './peer.ts';

/** A row as `acceptConnections` writes it. */
const ROW_BYTES = 48;
const LOCAL_AT = 16;
const REMOTE_AT = 32;
/** Few, because the time is checked between two calls: to admit one may take a millisecond. */
const ROWS = 8;

type AcceptCalls = Pick<NativeAddon, 'acceptConnections'>;

/** Exactly one of both is called, once. */
interface Waiting {
  readonly open: () => Socket | null;
  readonly close: () => void;
}

export class AcceptQueue {
  readonly #calls: AcceptCalls;
  readonly #descriptor: number;
  /** How long one turn may go on. */
  readonly #turnMs: number;
  readonly #rows = new Uint8Array(ROWS * ROW_BYTES);
  readonly #view = new DataView(this.#rows.buffer);

  constructor(calls: AcceptCalls, descriptor: number, turnMs: number) {
    this.#calls = calls;
    this.#descriptor = descriptor;
    this.#turnMs = turnMs;
  }

  /** Hands on what waits; what is left when the time is over stays for the next turn. */
  drain(arrive: (ends: Ends, waiting: Waiting) => void): void {
    const until = performance.now() + this.#turnMs;
    for (let count = ROWS; count === ROWS && performance.now() < until; ) {
      count = this.#calls.acceptConnections(this.#descriptor, this.#rows);
      for (let row = 0; row < count; row++) {
        const at = row * ROW_BYTES;
        const descriptor = this.#integer(at);
        arrive(this.#endsAt(at), {
          open: () => opened(descriptor),
          close: () => closeSync(descriptor),
        });
      }
    }
  }

  #integer(at: number): number {
    return this.#view.getInt32(at, LITTLE_ENDIAN);
  }

  #endsAt(at: number): Ends {
    const length = this.#integer(at + 4) === 4 ? 4 : 16;
    const address = (from: number) => this.#rows.slice(from, from + length);
    return {
      local: address(at + LOCAL_AT),
      localPort: this.#integer(at + 8),
      remote: address(at + REMOTE_AT),
      remotePort: this.#integer(at + 12),
    };
  }
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** As a server of `node:http` makes its own; null when the descriptor cannot become one. */
function opened(fd: number): Socket | null {
  let socket: Socket;
  try {
    socket = new Socket({ fd, readable: true, writable: true, allowHalfOpen: true });
  } catch {
    closeSync(fd);
    return null;
  }
  return socket.setNoDelay(true);
}
