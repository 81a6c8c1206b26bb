/** Messages that are files: their headers read, and nothing that can hold the reader up. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { MessageFacts } from '../store/ledger-types.ts';
import { AddressLists } from './address-list.ts';
import { LONGEST_HEADER, readHeader } from './header.ts';

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const EMPTY_LINE = Buffer.from('\n\n');
const EMPTY_CRLF_LINE = Buffer.from('\n\r\n');
const FIRST_READ = 16_384;

/** Bytes of a header block with its empty line; -1 when it does not end here. */
export function headerEnd(bytes: Uint8Array): number {
  const buffer = bytes as Buffer;
  const end = buffer.indexOf(EMPTY_LINE);
  const crlf = (end < 0 ? buffer : buffer.subarray(0, end)).indexOf(EMPTY_CRLF_LINE);
  return crlf >= 0 ? crlf + 3 : end < 0 ? -1 : end + 2;
}

/** Reads messages, a file each, into one buffer, and remembers address lists over all of them. */
export class MessageFiles {
  readonly #buffer = Buffer.allocUnsafeSlow(LONGEST_HEADER);
  readonly #lists = new AddressLists();
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  facts(header: Uint8Array): MessageFacts {
    return readHeader(header, this.#nowMs, this.#lists);
  }

  /**
   * A message's facts; null for what is no regular file or is gone meanwhile. Nothing can hold the reader up: links are not
   * followed, FIFOs and devices not waited for. @throws what the system says else.
   */
  read(path: string): MessageFacts | null {
    let file: number;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if (['ENOENT', 'ELOOP', 'ENXIO', 'ENODEV'].includes(codeOf(error))) return null;
      throw error;
    }
    try {
      const buffer = this.#buffer;
      let length = readSync(file, buffer, 0, FIRST_READ, null);
      let end = headerEnd(buffer.subarray(0, length));
      while (end < 0 && length >= FIRST_READ && length < buffer.length) {
        const more = readSync(file, buffer, length, buffer.length - length, null);
        if (more === 0) break;
        length += more;
        end = headerEnd(buffer.subarray(0, length));
      }
      return length === 0 ? null : this.facts(buffer.subarray(0, end < 0 ? length : end));
    } catch (error) {
      if (['EISDIR', 'EAGAIN'].includes(codeOf(error))) return null;
      throw error;
    } finally {
      closeSync(file);
    }
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

/** Reads files until all are read or the time for one stretch is over; one at least. */
export function readStretch(files: MessageFiles, paths: readonly string[]): Stretch {
  const facts: MessageFacts[] = [];
  const indexes: number[] = [];
  const refused: [number, string][] = [];
  const until = performance.now() + STRETCH_MS;
  let looked = 0;
  for (const path of paths) {
    try {
      const one = files.read(path);
      if (one !== null) {
        facts.push(one);
        indexes.push(looked);
      }
    } catch (error) {
      refused.push([looked, codeOf(error)]);
    }
    looked += 1;
    if (looked % 16 === 0 && performance.now() > until) break;
  }
  return { facts, indexes, refused, looked };
}
