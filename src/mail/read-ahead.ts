/** Message files read ahead: while the caller has what is in some, a thread reads the next. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadFiles } from '../native/mail-types.ts';
import type { Messages } from '../store/ledger-types.ts';
import type { MessageReader } from './message-reader.ts';

export interface Stretch {
  /** Of the files that are messages. */
  readonly messages: Messages;
  /** Of each file that was looked at: 0 it is a message, `NO_MESSAGE`, else the errno. */
  readonly states: Int32Array;
  /** Place among all paths of the first of them. */
  readonly from: number;
}

/** State of a file that is gone, empty or no file. */
export const NO_MESSAGE = -1;

/** Files of a stretch; fewer when they take longer. */
const STRETCH = 4000;
const STRETCH_MS = 400;
/** A disk that takes longer for one file will not answer at all. */
const PATIENCE_MS = 120_000;

/** @throws when the disk does not answer */
async function answered(reading: Promise<ReadFiles>): Promise<ReadFiles> {
  const over = new AbortController();
  const patience = delay(PATIENCE_MS, null, { signal: over.signal, ref: false }).catch(() => null);
  const read = await Promise.race([reading, patience]);
  over.abort();
  if (read === null) throw new Error('the disk that mail folders are on does not answer');
  return read;
}

/** What is in the files, every file once, in their order. The reader is for nothing else meanwhile, and for nothing else after a stop. */
export async function* readAhead(
  reader: MessageReader,
  paths: readonly string[],
  nowMs: number,
): AsyncGenerator<Stretch, void, void> {
  const readFrom = (from: number): Promise<ReadFiles> =>
    reader.read(paths.slice(from, from + STRETCH), nowMs, STRETCH_MS);
  if (paths.length === 0) return;
  let reading = readFrom(0);
  for (let from = 0; from < paths.length; ) {
    const read = await answered(reading);
    const { states } = read;
    const next = from + states.length;
    if (next < paths.length) reading = readFrom(next);
    yield { messages: reader.messagesOf(read), states, from };
    from = next;
  }
}
