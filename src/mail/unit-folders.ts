/** Folders with a file per message, Maildir and MH: a folder's known files are numbers, new ones are read, gone ones let go. */
import {
  type Asked,
  Batch,
  type FolderRun,
  MessageFiles,
  stateOf,
  type Troubles,
  unreadable,
} from './folder-source.ts';

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
  const files = new MessageFiles(now());
  let done = 0;
  let total = 0;
  const changed = folders.flatMap((folder) => {
    const state = stateOf(folder.watched, now());
    if (state !== '' && state === stateIn(ledger.place(source, folder.name))) return [];
    try {
      total += Math.max(0, folder.count() - ledger.units(source, folder.name).size);
    } catch {}
    return [{ folder, state }];
  });
  for (const { folder, state } of changed) {
    const place = (settled: string) => ({
      source,
      folder: folder.name,
      place: JSON.stringify({ state: settled } satisfies Place),
    });
    const known = ledger.units(source, folder.name);
    let there: ReadonlyMap<number, string>;
    try {
      there = folder.files();
    } catch (error) {
      troubles.add(unreadable(asked, folder.watched[0] ?? folder.name, error));
      continue;
    }
    let complete = true;
    const batch = new Batch();
    for (const [unit, path] of there) {
      if (known.has(unit)) continue;
      try {
        const facts = files.read(path);
        if (facts !== null) batch.add(facts, unit);
        done += 1;
      } catch (error) {
        complete = false;
        troubles.add(unreadable(asked, path, error));
      }
      if (batch.full)
        yield { batch: batch.take(place('')), progress: { done, total: Math.max(done, total) } };
    }
    const gone = [...known].filter((unit) => !there.has(unit));
    yield {
      batch: batch.take(place(complete ? state : ''), gone),
      progress: { done, total: Math.max(done, total) },
    };
  }
  const names = new Set(folders.map(({ name }) => name));
  for (const name of ledger.folders(source)) if (!names.has(name)) ledger.dropFolder(source, name);
  return { reason: troubles.reason, folders: folders.length };
}
