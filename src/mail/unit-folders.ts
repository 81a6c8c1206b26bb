/** Folders with a file per message, Maildir and MH: a folder's known files are numbers, new ones are read, gone ones let go. */
import type { LedgerBatch } from '../store/ledger-types.ts';
import { type Asked, dropGone, type FolderRun, stateOf, type Troubles } from './folder-source.ts';
import { ReadAhead } from './read-ahead.ts';

export interface UnitFolder {
  /** Name within the source, levels divided by slashes. */
  readonly name: string;
  /** Directories whose times tell of every change. */
  readonly watched: readonly string[];
  /** How many files there are, about. Cheap. */
  count(): number;
  /** Number and path of every message file. @throws what the system says */
  files(): ReadonlyMap<number, string>;
}

interface Place {
  /** As `stateOf` has it; "" while not all was read. */
  readonly state: string;
}

const stateIn = (place: string | null): string =>
  place === null ? '' : ((JSON.parse(place) as Place).state ?? '');

/** Reads what is new in the folders. Folders that are gone are dropped at the end. */
export function* readUnitFolders(
  asked: Asked,
  folders: readonly UnitFolder[],
  troubles: Troubles,
): FolderRun {
  const { source, ledger, now } = asked;
  let done = 0;
  let total = 0;
  const changed = folders.flatMap((folder) => {
    const state = stateOf(folder.watched, now());
    if (state !== '' && state === stateIn(ledger.place(source, folder.name))) return [];
    try {
      total += Math.max(0, folder.count() - ledger.units(source, folder.name).size);
    } catch {
      // Told when it is read.
    }
    return [{ folder, state }];
  });
  const reader = new ReadAhead(now(), total);
  try {
    for (const { folder, state } of changed) {
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
      const known = ledger.units(source, folder.name);
      let there: ReadonlyMap<number, string>;
      try {
        there = folder.files();
      } catch (error) {
        troubles.refused(folder.watched[0] ?? folder.name, error);
        continue;
      }
      const fresh = [...there].filter(([unit]) => !known.has(unit));
      let complete = true;
      for (const { facts, indexes, refused, looked, from } of reader.stretches(
        fresh.map(([, path]) => path),
      )) {
        for (const [index, code] of refused) {
          complete = false;
          troubles.refused(fresh[from + index]?.[1] ?? '', { code });
        }
        const units = indexes.map((index) => fresh[from + index]?.[0] as number);
        done += looked;
        yield step(facts, units, [], '');
      }
      const gone = [...known].filter((unit) => !there.has(unit));
      yield step([], [], gone, complete ? state : '');
    }
  } finally {
    reader.close();
  }
  dropGone(asked, folders);
  return { reason: troubles.reason, folders: folders.length };
}
