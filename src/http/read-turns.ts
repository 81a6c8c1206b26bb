/**
 * Which connections are read in a turn of the event loop. While turns are short, all of them. After a long one only a few are
 * read in each turn, callers by turns, so that a caller with many connections does not keep the others waiting.
 */
import type { Socket } from 'node:net';

export interface TurnLimits {
  /** A turn that takes longer than this is a long one. */
  readonly longTurnMs: number;
  /** Connections read in a turn after a long one, at most; half as many after each further one, down to one. */
  readonly turnReads: number;
}

interface Reader {
  readonly socket: Socket;
  readonly caller: string;
  /** By us. Node stops reading by itself too. */
  stopped: boolean;
}

export class ReadTurns {
  readonly #limits: TurnLimits;
  readonly #readers = new Set<Reader>();
  /** By caller; both in the order of their next turns. */
  readonly #callers = new Map<string, Set<Reader>>();
  /** When this turn began; null while nothing is done. */
  #began: number | null = null;
  /** Whether connections wait for their turn. */
  #crowded = false;
  /** Those whose turn it is, and how many it may be. */
  #reading = new Set<Reader>();
  #reads = 1;
  /** Of this round, in which every connection is read about once. */
  #readsLeft = 0;
  #roundMs = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** From now on until it closes. */
  add(socket: Socket, caller: string): void {
    const reader: Reader = { socket, caller, stopped: false };
    this.#readers.add(reader);
    const own = this.#callers.get(caller);
    if (own === undefined) this.#callers.set(caller, new Set([reader]));
    else own.add(reader);
    socket.once('close', () => this.#remove(reader));
    this.note();
    // A new socket begins to read in the next tick, even if it is paused before.
    process.nextTick(() => {
      if (this.#crowded && !this.#reading.has(reader)) stop(reader);
    });
  }

  /** Something is done for a client in this turn. */
  note(): void {
    const now = performance.now();
    if (this.#began === null) {
      this.#began = now;
      setImmediate(this.#end);
    } else if (!this.#crowded && now - this.#began > this.#limits.longTurnMs) this.#crowd();
  }

  #remove(reader: Reader): void {
    this.#readers.delete(reader);
    this.#reading.delete(reader);
    const own = this.#callers.get(reader.caller);
    own?.delete(reader);
    if (own?.size === 0) this.#callers.delete(reader.caller);
  }

  /** All are stopped, also for the rest of this turn. */
  #crowd(): void {
    this.#crowded = true;
    this.#reads = this.#limits.turnReads;
    this.#beginRound();
    for (const reader of this.#readers) stop(reader);
  }

  #beginRound(): void {
    this.#readsLeft = this.#readers.size;
    this.#roundMs = 0;
  }

  /** Behind all that was read in this turn. */
  readonly #end = (): void => {
    const now = performance.now();
    const tookMs = now - (this.#began as number);
    const { longTurnMs, turnReads } = this.#limits;
    this.#began = null;
    if (!this.#crowded) {
      if (tookMs <= longTurnMs) return;
      this.#crowd();
    } else if (tookMs > longTurnMs) this.#reads = Math.max(1, this.#reads >> 1);
    else if (tookMs < longTurnMs / 2) this.#reads = Math.min(turnReads, this.#reads * 2);
    this.#roundMs += tookMs;
    if (this.#readsLeft <= 0) {
      if (this.#roundMs <= longTurnMs) {
        this.#disperse();
        return;
      }
      this.#beginRound();
    }
    this.#turn();
    this.#began = now;
    setImmediate(this.#end);
  };

  /** One of each caller, from the one that has waited for longest, until there are enough. */
  #turn(): void {
    const next = new Set<Reader>();
    let tries = 0;
    // What is put behind the others is met again.
    for (const [caller, readers] of this.#callers) {
      if (tries === this.#reads) break;
      tries += 1;
      const reader = readers.values().next().value as Reader;
      readers.delete(reader);
      readers.add(reader);
      this.#callers.delete(caller);
      this.#callers.set(caller, readers);
      next.add(reader);
    }
    this.#readsLeft -= Math.max(1, next.size);
    for (const reader of this.#reading) if (!next.has(reader)) stop(reader);
    for (const reader of next) resume(reader);
    this.#reading = next;
  }

  #disperse(): void {
    this.#crowded = false;
    this.#reading.clear();
    for (const reader of this.#readers) resume(reader);
  }
}

/** One that node has stopped by itself is left alone. */
function stop(reader: Reader): void {
  const { socket } = reader;
  if (reader.stopped || socket.destroyed || socket.isPaused()) return;
  reader.stopped = true;
  socket.pause();
}

function resume(reader: Reader): void {
  if (!reader.stopped) return;
  reader.stopped = false;
  if (!reader.socket.destroyed) reader.socket.resume();
}
