/** Folders with a file per message, Maildir and MH: a folder's known files are numbers, new ones are read, gone ones let go. */
import { getSystemErrorName } from 'node:util';
import type { LedgerBatch, Messages } from '../store/ledger-types.ts';
import { type Asked, dropGone, type FolderRun, stateOf, type Troubles } from './folder-source.ts';
import { MessageReader } from './message-reader.ts';
import { NO_MESSAGE, readAhead } from './read-ahead.ts';

export interface UnitFolder {
  /** Name within the source, levels divided by slashes. */
  readonly name: string;
  /** Directories whose times tell of every change. */
  readonly watched: readonly string[];
  /** Number and path of every message file. @throws what the system says */
  files(): ReadonlyMap<number, string>;
}

/** What a folder has that the ledger has not, and the other way round. */
interface News {
  readonly units: readonly number[];
  readonly paths: readonly string[];
  readonly gone: readonly number[];
}

/** New files that are remembered from the time they are counted; folders that come behind them are listed again. */
const REMEMBERED_FILES = 200_000;

/** What is committed together, so that the ledger writes its pages once; the last stretch comes on top of the time. */
const MESSAGES_A_STEP = 12_000;
const STEP_MS = 100;

interface Place {
  /** As `stateOf` has it; "" while not all was read. */
  readonly state: string;
}

const stateIn = (place: string | null): string =>
  place === null ? '' : ((JSON.parse(place) as Place).state ?? '');

function newsOf(folder: UnitFolder, known: ReadonlySet<number>): News {
  const there = folder.files();
  const units: number[] = [];
  const paths: string[] = [];
  for (const [unit, path] of there)
    if (!known.has(unit)) {
      units.push(unit);
      paths.push(path);
    }
  return { units, paths, gone: [...known].filter((unit) => !there.has(unit)) };
}

/** Reads what is new in the folders. Folders that are gone are dropped at the end. */
export async function* readUnitFolders(
  asked: Asked,
  folders: readonly UnitFolder[],
  troubles: Troubles,
): FolderRun {
  const { source, ledger, now } = asked;
  let done = 0;
  let total = 0;
  const look = (folder: UnitFolder): News | null => {
    try {
      return newsOf(folder, ledger.units(source, folder.name));
    } catch (error) {
      troubles.refused(folder.watched[0] ?? folder.name, error);
      return null;
    }
  };
  const changed = folders.flatMap((folder) => {
    const state = stateOf(folder.watched, now());
    if (state !== '' && state === stateIn(ledger.place(source, folder.name))) return [];
    const news = look(folder);
    if (news === null) return [];
    total += news.paths.length;
    return [{ folder, state, news: total > REMEMBERED_FILES ? null : news }];
  });
  const reader = new MessageReader(ledger.messageKey);
  for (const { folder, state, news } of changed) {
    const there = news ?? look(folder);
    if (there === null) continue;
    const { units, paths, gone } = there;
    const step = (
      messages: LedgerBatch['messages'],
      read: readonly number[],
      gone: readonly number[],
      settled: string,
    ) => ({
      batch: {
        messages,
        place: { source, folder: folder.name, place: JSON.stringify({ state: settled } satisfies Place) },
        units: { read, gone },
      },
      progress: { done, total: Math.max(done, total) },
    });
    let complete = true;
    let messages: Messages[] = [];
    let read: number[] = [];
    let steppedMs = performance.now();
    for await (const { messages: more, states, from } of readAhead(reader, paths, now())) {
      messages.push(more);
      states.forEach((state, index) => {
        if (state === 0) read.push(units[from + index] as number);
        else if (state !== NO_MESSAGE) {
          complete = false;
          troubles.refused(paths[from + index] as string, { code: getSystemErrorName(-state) });
        }
      });
      done += states.length;
      if (read.length < MESSAGES_A_STEP && performance.now() - steppedMs < STEP_MS) continue;
      yield step(messages, read, [], '');
      [messages, read, steppedMs] = [[], [], performance.now()];
    }
    yield step(messages, read, gone, complete ? state : '');
  }
  dropGone(asked, folders);
  return { reason: troubles.reason, folders: folders.length };
}
