/** Messages that are files: their headers read, and nothing that can hold the reader up. */
import { getSystemErrorName } from 'node:util';
import type { MessageFacts } from '../store/ledger-types.ts';
import { AddressLists } from './address-list.ts';
import { FIELDS, factsOf, fieldReader, readHeader } from './header.ts';

const EMPTY_LINE = Buffer.from('\n\n');
const EMPTY_CRLF_LINE = Buffer.from('\n\r\n');

/** Bytes of a header block with its empty line; -1 when it does not end here. */
export function headerEnd(bytes: Uint8Array): number {
  const buffer = bytes as Buffer;
  const end = buffer.indexOf(EMPTY_LINE);
  const crlf = (end < 0 ? buffer : buffer.subarray(0, end)).indexOf(EMPTY_CRLF_LINE);
  return crlf >= 0 ? crlf + 3 : end < 0 ? -1 : end + 2;
}

/** Facts of messages, with the address lists of all of them remembered. */
export class MessageFiles {
  readonly #lists = new AddressLists();
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  facts(header: Uint8Array): MessageFacts {
    return readHeader(header, this.#nowMs, this.#lists);
  }

  /** What of files is looked at together, at most `AT_ONCE`. */
  read(paths: readonly string[]): { readonly lines: readonly string[]; readonly states: Int32Array } {
    const { lines, states } = fieldReader().readMessageFields(paths.map((path) => `${path}\0`).join(''));
    return { lines: lines.split('\n'), states };
  }

  factsAt(lines: readonly string[], at: number): MessageFacts {
    return factsOf(lines, at, this.#nowMs, this.#lists);
  }
}

export interface Stretch {
  readonly facts: readonly MessageFacts[];
  /** Which of the paths they are of. */
  readonly indexes: readonly number[];
  /** Paths that could not be read, with the system's code. */
  readonly refused: readonly (readonly [index: number, code: string])[];
  /** Paths that were looked at; the others are for the next stretch. */
  readonly looked: number;
}

const STRETCH_MS = 400;
const AT_ONCE = 64;
const NO_MESSAGE = -1;

/** Reads files until all are read or the time for one stretch is over; some at least. */
export function readStretch(files: MessageFiles, paths: readonly string[]): Stretch {
  const facts: MessageFacts[] = [];
  const indexes: number[] = [];
  const refused: [number, string][] = [];
  const until = performance.now() + STRETCH_MS;
  let looked = 0;
  while (looked < paths.length && (looked === 0 || performance.now() < until)) {
    const { lines, states } = files.read(paths.slice(looked, looked + AT_ONCE));
    let at = 0;
    states.forEach((state, place) => {
      if (state === 0) {
        facts.push(files.factsAt(lines, at));
        indexes.push(looked + place);
        at += FIELDS.length;
      } else if (state !== NO_MESSAGE) refused.push([looked + place, getSystemErrorName(-state)]);
    });
    looked += states.length;
  }
  return { facts, indexes, refused, looked };
}
