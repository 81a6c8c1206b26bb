/** Reads message files ahead: while the caller works on some, a thread reads the next. */
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageFolder, ReadFiles } from '../../engine/native/mail-types.ts';
import type { Messages } from './ledger/types.ts';
import type { MessageReader } from './message-reader.ts';

/** Files of one directory, as `MessageFolder` has them. */
export interface FileList extends Pick<MessageFolder, 'names' | 'begins'> {
  readonly directory: string;
}

export const filesIn = ({ begins }: Pick<FileList, 'begins'>): number => begins.length - 1;

/** Names of some files, each ended by NUL. */
export const namesOf = (
  { names, begins }: Pick<FileList, 'names' | 'begins'>,
  from: number,
  to: number,
): string => names.slice(begins[from], begins[to]);

/** Files of a list that were read together. */
export interface Stretch<List extends FileList> {
  readonly list: List;
  /** Place in the list of the first one. */
  readonly from: number;
  /** Of each: 0 it is a message, `NO_MESSAGE`, else the errno. */
  readonly states: Int32Array;
  /** Of those that are messages. */
  readonly messages: readonly Messages[];
  /** Nothing of the list comes any more. */
  readonly last: boolean;
}

/** State of a file that is missing, empty or not a regular file. */
export const NO_MESSAGE = -1;

/** Files of a stretch, and longest time to read one: the ledger commits them together and writes its pages once. */
const STRETCH = 12_000;
const STRETCH_MS = 400;
/** After this time the disk is considered hung. */
const PATIENCE_MS = 120_000;

const NOTHING = new Int32Array();

/** @throws when the disk does not answer */
async function answered(reading: Promise<ReadFiles>): Promise<ReadFiles> {
  const over = new AbortController();
  const patience = delay(PATIENCE_MS, null, { signal: over.signal, ref: false }).catch(() => null);
  const read = await Promise.race([reading, patience]);
  over.abort();
  if (read === null) throw new Error('the disk that mail folders are on does not answer');
  return read;
}

/** Messages of the files in lists, in order, at least one stretch per list. Starts with the first `next`; the reader is not for other use. */
export async function* readAhead<List extends FileList>(
  reader: MessageReader,
  lists: Iterable<List>,
  nowMs: number,
): AsyncGenerator<Stretch<List>, void, void> {
  const waiting = lists[Symbol.iterator]();
  const begin = (list: List, from: number) => {
    const to = Math.min(filesIn(list), from + STRETCH);
    const reading =
      from < to ? reader.read(list.directory, namesOf(list, from, to), nowMs, STRETCH_MS) : null;
    return { list, from, reading };
  };
  const beginNext = () => {
    const next = waiting.next();
    return next.done ? null : begin(next.value, 0);
  };
  for (let begun = beginNext(); begun !== null; ) {
    const { list, from, reading } = begun;
    const read = reading === null ? null : await answered(reading);
    const states = read?.states ?? NOTHING;
    const to = from + states.length;
    const last = to >= filesIn(list);
    begun = last ? beginNext() : begin(list, to);
    yield { list, from, states, messages: read === null ? [] : [reader.messagesOf(read)], last };
  }
}
