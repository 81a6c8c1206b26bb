/** Run in an overlay (startup.test.ts): plants a file in each place, and prints what the desk reports that it did not before. */
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { StartupFact } from '../../src/checks/startup.ts';
import { PLACES } from '../../src/features/startup/places/index.ts';
import { scanStartup } from '../../src/features/startup/scan.ts';
import { PLANTS } from '../features/startup/plants.ts';

const HOME = '/home/planted';
const UID = 4321;

export interface Seen {
  readonly index: number;
  /** Entries of the planted file. */
  readonly entries: readonly (Pick<StartupFact, 'runs' | 'user'> & {
    readonly place: string;
    readonly vouched: string;
  })[];
  /** Other entries that appeared. */
  readonly others: readonly string[];
}

const keyOf = ({ place, path, runs, name, user, when }: StartupFact) =>
  [place.id, path, runs, name, user, when].join('\0');
const pathOf = (path: string) => path.replace(/^~/, HOME);

/** Makes the folders of a path; those in the home belong to its user. */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolders(dirname(folder));
  mkdirSync(folder);
  if (folder.startsWith(HOME)) chownSync(folder, UID, UID);
}

function plant(path: string, text: string, mode: number): void {
  makeFolders(dirname(path));
  rmSync(path, { force: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  if (path.startsWith(HOME)) chownSync(path, UID, UID);
}

writeFileSync(
  '/etc/passwd',
  `${readFileSync('/etc/passwd', 'utf8')}planted:x:${UID}:${UID}::${HOME}:/bin/sh\n`,
);
makeFolders(HOME);
const before = new Set((await scanStartup({ places: PLACES })).entries.map(keyOf));
// What replaces a file that the machine has, accounts above all, is planted after the others.
const planted = PLANTS.map((one, index) => ({ ...one, index })).filter(
  ({ path }) => !path.startsWith('/proc/'),
);
const last = (path: string) => path === '/etc/passwd' || path === '/etc/group' || path === '/etc/shadow';
const seen: Seen[] = [];
for (const late of [false, true]) {
  const round = planted.filter(({ path }) => last(path) === late);
  for (const { path, text, mode = 0o644 } of round) plant(pathOf(path), text, mode);
  const { entries } = await scanStartup({ places: PLACES });
  const news = entries.filter((entry) => !before.has(keyOf(entry)));
  const known = new Set(planted.map(({ path }) => pathOf(path)));
  const isPlanted = ({ path, link }: StartupFact) =>
    [path, path.replace(/^\/usr/, ''), resolve(dirname(path), link)].some((one) => known.has(one));
  for (const { index, place, path } of round)
    seen.push({
      index,
      // /lib is a link where /usr is merged.
      entries: news
        .filter(
          (entry) =>
            entry.place.id === place && (entry.path === pathOf(path) || entry.path === `/usr${path}`),
        )
        .map((entry) => ({
          runs: entry.runs,
          user: entry.user,
          place: entry.place.id,
          vouched: entry.voucher.kind,
        })),
      others: news.filter((entry) => !isPlanted(entry)).map(keyOf),
    });
}
process.stdout.write(JSON.stringify(seen));
