/** Folders with a file per message, Maildir and MH: a folder's known files are numbers, new ones are read, gone ones let go. */
import { getSystemErrorName } from 'node:util';
import { type Asked, dropGone, type FolderRun, stateOf, type Troubles } from './folder-source.ts';
import { MessageReader } from './message-reader.ts';
import { type FileList, NO_MESSAGE, readAhead, type Stretch } from './read-ahead.ts';

/** Message files of a folder: of each its number and its path. */
export interface Files {
  readonly units: number[];
  readonly paths: string[];
}

export interface UnitFolder {
  /** Name within the source, levels divided by slashes. */
  readonly name: string;
  /** Directories whose times tell of every change. */
  readonly watched: readonly string[];
  /** @throws what the system says */
  files(): Files;
}

interface Place {
  /** As `stateOf` has it; "" while not all was read. */
  readonly state: string;
}

const stateIn = (place: string | null): string =>
  place === null ? '' : ((JSON.parse(place) as Place).state ?? '');

/** A folder that changed. */
interface Changed {
  readonly folder: UnitFolder;
  readonly state: string;
}

/** What it has that the ledger has not, and the other way round. */
interface News extends Changed, FileList {
  readonly units: readonly number[];
  readonly gone: readonly number[];
}

/** New files that are remembered from the time they are counted; folders that come behind them are listed again. */
const REMEMBERED_FILES = 200_000;

function newsOf(changed: Changed, known: ReadonlySet<number>): News {
  const there = changed.folder.files();
  if (known.size === 0) return { ...changed, ...there, gone: [] };
  const fresh: Files = { units: [], paths: [] };
  there.units.forEach((unit, at) => {
    if (known.has(unit)) return;
    fresh.units.push(unit);
    fresh.paths.push(there.paths[at] as string);
  });
  const units = new Set(there.units);
  return { ...changed, ...fresh, gone: [...known].filter((unit) => !units.has(unit)) };
}

/** Reads what is new in the folders. Folders that are gone are dropped at the end. */
export async function* readUnitFolders(
  asked: Asked,
  folders: readonly UnitFolder[],
  troubles: Troubles,
): FolderRun {
  const { source, ledger, now } = asked;
  let [done, total] = [0, 0];
  const incomplete = new Set<UnitFolder>();

  const changed = folders.flatMap((folder) => {
    const state = stateOf(folder.watched, now());
    return state !== '' && state === stateIn(ledger.place(source, folder.name)) ? [] : [{ folder, state }];
  });
  const look = (one: Changed): News | null => {
    try {
      return newsOf(one, ledger.units(source, one.folder.name));
    } catch (error) {
      troubles.refused(one.folder.watched[0] ?? one.folder.name, error);
      return null;
    }
  };
  const counted = new Set<Changed>();
  /** What is in folders that were counted before they are read. */
  const remembered = new Map<Changed, News>();
  const refused = new Set<Changed>();
  const count = (one: Changed): News | null => {
    counted.add(one);
    const news = look(one);
    if (news === null) refused.add(one);
    total += news?.paths.length ?? 0;
    return news;
  };
  function* lists(): Generator<News> {
    for (const one of changed) {
      if (refused.has(one)) continue;
      const news = remembered.get(one) ?? (counted.has(one) ? look(one) : count(one));
      remembered.delete(one);
      if (news !== null) yield news;
    }
  }
  const stepOf = ({ list, from, states, messages, last }: Stretch<News>) => {
    const read: number[] = [];
    states.forEach((state, index) => {
      if (state === 0) read.push(list.units[from + index] as number);
      else if (state !== NO_MESSAGE) {
        incomplete.add(list.folder);
        troubles.refused(list.paths[from + index] as string, { code: getSystemErrorName(-state) });
      }
    });
    done += states.length;
    const state = last && !incomplete.has(list.folder) ? list.state : '';
    return {
      batch: {
        messages,
        place: { source, folder: list.folder.name, place: JSON.stringify({ state } satisfies Place) },
        units: { read, gone: last ? list.gone : [] },
      },
      progress: { done, total: Math.max(done, total) },
    };
  };
  const stretches = readAhead(new MessageReader(ledger.messageKey), lists(), now());
  const first = stretches.next();
  // The other folders are counted while files of the first one are read.
  for (const one of changed) {
    if (counted.has(one)) continue;
    const news = count(one);
    if (news !== null && total <= REMEMBERED_FILES) remembered.set(one, news);
    // What else happens in this process has its turn.
    await new Promise(setImmediate);
  }
  for (let stretch = await first; !stretch.done; stretch = await stretches.next())
    yield stepOf(stretch.value);
  dropGone(asked, folders);
  return { reason: troubles.reason, folders: folders.length };
}
