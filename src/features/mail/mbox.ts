/** mbox (RFC 4155), a file or a tree. A digest of the bytes before the resume offset detects a rewritten file, which is read again. */
import { hash } from 'node:crypto';
import { closeSync, fstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openToRead, readInto } from '../../base/private-file.ts';
import {
  type Asked,
  dropGone,
  type FolderRun,
  foldersBelow,
  infoOf,
  isPassedOver,
  stateOf,
  Troubles,
} from './folder-source.ts';
import type { FolderPlace, LedgerBatch } from './ledger/types.ts';
import { LONGEST_HEADER, MessageReader, MOST_WAITING } from './message-reader.ts';

interface Place {
  /** As `stateOf` has it; "" while not all was read. */
  readonly state: string;
  /** Of the From_ line of the last message that was read. */
  readonly offset: number;
  /** Digest of the bytes before it. */
  readonly before: string;
}

const NOWHERE: Place = { state: '', offset: 0, before: '' };
const WINDOW = 1 << 20;
/** Of a From_ line with its separator. */
const LONGEST_FROM = 1024;
const SEPARATOR = Buffer.from('\nFrom ');
const FROM = Buffer.from('From ');
/** Of the bytes before the place, and of the first ones, so many count for the digest. */
const DIGESTED = 4096;
/** A header without an end is still being written, unless the file is older than this. */
const REST_MS = 10_000;

/** A date as asctime(3) has it, maybe with a zone: a time of day, and later a year. */
const TIME = /\d:\d{2}/;
const YEAR = / \d{4}\b/;

const MESSAGES_A_STEP = 4000;
const STEP_MS = 400;

/** Collects what a step is made of. */
class Batch {
  readonly #reader: MessageReader;
  #messages = 0;
  #bytes = 0;
  #started = performance.now();

  constructor(reader: MessageReader) {
    this.#reader = reader;
    // What a file that could not be read to its end has left.
    reader.take();
  }

  add(header: Uint8Array, nowMs: number): void {
    this.#bytes = this.#reader.add(header, nowMs);
    this.#messages += 1;
  }

  get full(): boolean {
    return (
      this.#messages >= MESSAGES_A_STEP ||
      this.#bytes >= MOST_WAITING ||
      performance.now() - this.#started > STEP_MS
    );
  }

  /** Takes what was collected. */
  take(place: FolderPlace): LedgerBatch {
    this.#messages = 0;
    this.#started = performance.now();
    return { messages: [this.#reader.take()], place, units: { read: [], gone: [] } };
  }
}

const EMPTY_LINE = Buffer.from('\n\n');
const EMPTY_CRLF_LINE = Buffer.from('\n\r\n');

/** Bytes of a header block with its empty line; -1 when it does not end here. */
function headerEnd(bytes: Buffer): number {
  const end = bytes.indexOf(EMPTY_LINE);
  const crlf = (end < 0 ? bytes : bytes.subarray(0, end)).indexOf(EMPTY_CRLF_LINE);
  return crlf >= 0 ? crlf + 3 : end < 0 ? -1 : end + 2;
}

/** A file read through a window that moves forward. */
class Window {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafeSlow(WINDOW);
  /** Offset in the file of the window, and bytes in it. */
  #at = 0;
  #length = 0;

  constructor(file: number) {
    this.#file = file;
  }

  /** The bytes at an offset: at least `least`, fewer at the end of the file. */
  from(offset: number, least: number): Buffer {
    const here = offset >= this.#at && offset + least <= this.#at + this.#length;
    if (!here) {
      this.#at = offset;
      this.#length = readInto(this.#buffer, this.#file, offset);
    }
    return this.#buffer.subarray(offset - this.#at, this.#length);
  }
}

/** Digest of the first bytes of a file and of those before an offset. */
function digestBefore(window: Window, offset: number): string {
  const length = Math.min(DIGESTED, offset);
  const text = (from: number) => window.from(from, length).subarray(0, length).toString('latin1');
  const [first, last] = [text(0), text(offset - length)];
  return hash('sha256', `${offset}\n${first}\n${last}`, 'hex').slice(0, 32);
}

/** An address and a date: bodies have other lines that begin with "From ". One pattern for both would try every time with every year. */
function isFromLine(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 5).equals(FROM)) return false;
  const end = bytes.indexOf(10);
  const line = bytes.toString('latin1', 0, Math.min(end < 0 ? bytes.length : end, LONGEST_FROM));
  const time = TIME.exec(line);
  return time !== null && YEAR.test(line.slice(time.index + time[0].length));
}

/** Offset of the next From_ line behind an offset; -1 at the end. */
function nextFrom(window: Window, offset: number): number {
  let at = offset;
  for (;;) {
    const bytes = window.from(at, LONGEST_FROM + SEPARATOR.length);
    const found = bytes.indexOf(SEPARATOR);
    if (found < 0) {
      if (bytes.length <= LONGEST_FROM) return -1;
      at += bytes.length - SEPARATOR.length - 2;
      // Nothing new would come behind the end.
      if (window.from(at, LONGEST_FROM + SEPARATOR.length).length <= SEPARATOR.length + 2) return -1;
      continue;
    }
    const line = at + found + 1;
    // An empty line before, with either line end.
    const before = window.from(Math.max(0, line - 3), LONGEST_FROM + 8);
    const gap =
      line >= 3 &&
      (before.subarray(1, 3).toString('latin1') === '\n\n' ||
        before.subarray(0, 3).toString('latin1') === '\n\r\n');
    if (gap && isFromLine(before.subarray(Math.min(3, line)))) return line;
    at = line;
  }
}

/** mbox files at a path, with their names as folders. Levels that Thunderbird keeps in `Name.sbd` lie below `Name`. */
function mboxFiles(asked: Asked, troubles: Troubles): { name: string; path: string }[] {
  const { path } = asked;
  if (!statSync(path).isDirectory()) return [{ name: basename(path), path }];
  return [...foldersBelow(path, (name) => !name.startsWith('.'), troubles)].flatMap((folder) => {
    try {
      return readdirSync(join(path, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile() && !/^\.|\.(?:msf|dat|html|json|lock)$/.test(entry.name))
        .map((entry) => ({
          name: join(folder, entry.name).replaceAll(/\.sbd(?=\/)/g, ''),
          path: join(path, folder, entry.name),
        }))
        .filter(({ name }) => !isPassedOver(name))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
      // `foldersBelow` reports it.
      return [];
    }
  });
}

export async function* readMbox(asked: Asked): FolderRun {
  const { source, ledger, now, path } = asked;
  const troubles = new Troubles(asked);
  let boxes: { name: string; path: string }[];
  try {
    boxes = mboxFiles(asked, troubles);
  } catch (error) {
    troubles.refused(path, error);
    return { reason: troubles.reason, folders: 0 };
  }
  const reader = new MessageReader(ledger.messageKey);
  const nowMs = now();
  let done = 0;
  /** Bytes that are to be read and that were. */
  let [bytesLeft, bytesDone] = [0, 0];
  const changed = boxes.flatMap((box) => {
    const kept = ledger.place(source, box.name);
    const place = kept === null ? NOWHERE : (JSON.parse(kept) as Place);
    const state = stateOf([box.path], now());
    if (state !== '' && state === place.state) return [];
    bytesLeft += Number(infoOf(box.path)?.size ?? 0);
    return [{ ...box, place, state }];
  });
  const progress = () => ({
    done,
    total: bytesDone === 0 ? done : Math.max(done, Math.round((done * (bytesDone + bytesLeft)) / bytesDone)),
  });
  for (const { name, path: file, place, state } of changed) {
    let descriptor: number;
    try {
      descriptor = openToRead(file, { follow: file === path });
    } catch (error) {
      troubles.refused(file, error);
      continue;
    }
    try {
      const info = fstatSync(descriptor);
      const window = new Window(descriptor);
      const starts = info.isFile() && isFromLine(window.from(0, LONGEST_FROM));
      if (!starts && (info.size > 0 || !info.isFile()) && file === path)
        troubles.add(
          `${file} is not an mbox file (it does not begin with a From_ line): name another in place of ${source}`,
        );
      if (!starts) continue;
      const goesOn =
        place.offset <= info.size &&
        digestBefore(window, place.offset) === place.before &&
        isFromLine(window.from(place.offset, LONGEST_FROM));
      let offset = goesOn ? place.offset : 0;
      bytesLeft -= offset;
      const batch = new Batch(reader);
      const taken = (settled: string) => {
        const reached: Place = { state: settled, offset, before: digestBefore(window, offset) };
        return { source, folder: name, place: JSON.stringify(reached) };
      };
      let complete = true;
      for (;;) {
        const bytes = window.from(offset, LONGEST_HEADER + LONGEST_FROM);
        const start = bytes.indexOf(10) + 1;
        const block = bytes.subarray(start, start + LONGEST_HEADER);
        const end = start === 0 ? -1 : headerEnd(block);
        // A header longer than what is read has an end somewhere.
        if (end >= 0 || block.length === LONGEST_HEADER || now() - info.mtimeMs > REST_MS) {
          batch.add(end < 0 ? block : block.subarray(0, end), nowMs);
          done += 1;
        } else complete = false;
        const next = nextFrom(window, offset + start + Math.max(0, end - 2));
        if (next < 0) break;
        bytesDone += next - offset;
        bytesLeft -= next - offset;
        offset = next;
        if (batch.full) yield { batch: batch.take(taken('')), progress: progress() };
      }
      yield { batch: batch.take(taken(complete ? state : '')), progress: progress() };
    } catch (error) {
      troubles.refused(file, error);
    } finally {
      closeSync(descriptor);
    }
  }
  dropGone(asked, boxes);
  return { reason: troubles.reason, folders: boxes.length };
}
