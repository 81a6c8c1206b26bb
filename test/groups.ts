/**
 * What `npm test` leaves out so that it ends within four minutes on two processors, in groups with the reason; `npm run test:all`
 * runs these too. A file that no group names belongs to `npm test`. Paths are those of files, or of folders with everything below them.
 */
export interface Group {
  readonly why: string;
  readonly paths: readonly string[];
  /** Files of these folders that `npm test` runs all the same. */
  readonly except?: readonly string[];
}

export const GROUPS: Readonly<Record<string, Group>> = {
  machine: {
    why: 'one file at a time, on the whole machine: running services, attacks, floods',
    paths: ['test/real/'],
    except: [],
  },
};

const within = (path: string, file: string): boolean =>
  path.endsWith('/') ? file.startsWith(path) : file === path;

/** The groups that name a test file (path from the project's root, with "/"). */
export const groupsOf = (file: string): readonly string[] =>
  Object.entries(GROUPS)
    .filter(
      ([, { paths, except = [] }]) => paths.some((path) => within(path, file)) && !except.includes(file),
    )
    .map(([name]) => name);
