/** What could not be read, as checks and commands report it. */
export interface Unread {
  /** A file, a folder or a pattern. */
  readonly path: string;
  /** An error code, or a phrase. */
  readonly reason: string;
  /** Set where the helper did not answer: a later pass may read it. */
  readonly missed?: Missed;
  /** Set where there was an error in its place. */
  readonly refused?: Missed;
}

/** Of one kind of place, by its id, whatever is at or below a path. */
export interface Missed {
  /** "" is any place. */
  readonly place: string;
  /** Without folder links, as in findings. */
  readonly path: string;
}

export const ALL_MISSED: Missed = { place: '', path: '/' };

/** What a pattern names is at or below this path. */
export const folderOf = (pattern: string): string => pattern.replace(/\/[^/]*\*.*$/, '') || '/';
