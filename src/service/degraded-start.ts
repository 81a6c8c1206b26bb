/**
 * A service starts although its state folder cannot be written: without lock, with tokens and a store in memory. What could not be
 * done is tried again until it can, and says so meanwhile.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { closedFolder } from '../base/closed-folder.ts';
import { DeskError } from '../base/desk-error.ts';
import { codeOf, diskTroubleOf } from '../base/error-code.ts';
import { type FindingChanges, FindingHistory, type FindingLine } from '../features/history/index.ts';
import { readToken } from '../state-folder/files.ts';
import { newToken, openStateDir, type StateDir, stateDirAt } from '../state-folder/state-folder.ts';
import type { Store } from '../store/store.ts';
import { openMemoryStore, openStore } from './tables.ts';

/** Files of the state folder that exist while a service runs. */
const KEPT = ['desk.lock', 'control.token', 'mail.token', 'desk.db'] as const;
/** Lines of history that are copied in one transaction. */
const AT_ONCE = 200;

/** The error code of a disk that is full, read-only or failing, of a folder that is closed, or of a locked database; "" for any other error. */
export function diskCodeOf(error: unknown): string {
  const code = error instanceof DeskError ? error.errno : codeOf(error);
  return diskTroubleOf(code) === null ? '' : code;
}

/** What a service holds of its folder. */
export class Held {
  readonly #folder: string;
  readonly #log: Logger;
  #lock: { release(): void } | null = null;
  /** Tokens that no file has yet, by their names. */
  readonly #unwritten = new Map<'control.token' | 'mail.token', string>();
  /** The store that is to take the place of the one in memory. */
  #next: Store | null = null;
  /** The last line of history that was copied from the store in memory: none is copied twice, however often `again` is called. */
  #copied = 0;
  #reason = '';
  readonly state: StateDir;
  store: Store;
  readonly tokens: { readonly control: string; readonly mail: string };

  /** The process ends without `release`: a stop that hangs, a second signal, a bug. The token opens nothing any more. */
  readonly #atExit = (): void => {
    try {
      this.#removeToken();
    } catch {
      // There is no one left to report it to.
    }
  };

  /** @throws DeskError for whatever is not a matter of the disk: the folder belongs to another user, another service holds it. */
  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
    this.state = this.#try(
      () => openStateDir(folder),
      () => stateDirAt(folder),
    );
    this.#lock = this.#try(
      () => this.state.lock(),
      () => null,
    );
    try {
      this.store = this.#try(
        () => openStore(this.state.path, { recover: true }),
        () => openMemoryStore(this.state.path, this.#reason, () => this.#follow()),
      );
      this.tokens = {
        control: this.#token('control.token', () => this.state.renewToken('control.token')),
        mail: this.#token('mail.token', () => this.state.keepToken('mail.token')),
      };
    } catch (error) {
      this.#lock?.release();
      throw error;
    }
    this.state.report(this.#reason);
    if (!this.degraded) this.state.keeps(KEPT);
    process.once('exit', this.#atExit);
  }

  /** Something of the start is still to be done. */
  get degraded(): boolean {
    return this.#lock === null || this.#unwritten.size > 0 || this.store.temporary !== '';
  }

  /**
   * Tries again what could not be done at the start; the store that is to take the place of the one in memory when all of it is done,
   * null while it is not. Lines of history are copied in batches, and other work runs between them. One call at a time.
   * @throws DeskError when another service has taken the folder meanwhile.
   */
  async again(): Promise<Store | null> {
    try {
      if (this.#lock === null) {
        openStateDir(this.#folder);
        this.#lock = this.state.lock();
      }
      for (const [name, token] of this.#unwritten) {
        this.state.renewToken(name, token);
        this.#unwritten.delete(name);
      }
      if (this.store.temporary === '') return this.store;
      const store = openStore(this.state.path, { recover: true });
      try {
        while (this.#copy(store)) await othersTurn();
      } catch (error) {
        store.close();
        throw error;
      }
      this.#next = store;
      return store;
    } catch (error) {
      if (diskCodeOf(error) === '') throw error;
      return null;
    }
  }

  /** No desk works on this store of `again`. */
  refused(store: Store): void {
    this.#next = null;
    store.close();
  }

  /** All of it is done, and the desk works on this store: the one in memory ends. */
  recovered(store: Store): void {
    const before = this.store;
    if (before !== store) this.#follow();
    this.store = store;
    this.#next = null;
    if (before !== store) before.close();
    this.state.report('');
    this.state.keeps(KEPT);
  }

  release(): void {
    process.off('exit', this.#atExit);
    try {
      this.#removeToken();
    } finally {
      try {
        this.store.close();
      } finally {
        this.#lock?.release();
      }
    }
  }

  #removeToken(): void {
    // Without the lock, or with another token in it, the file is another service's.
    if (this.#lock !== null && readToken(this.state.path, 'control.token') === this.tokens.control)
      this.state.removeToken('control.token');
  }

  /** Until its desk has ended, the store in memory is written to: another desk reads the next store already. */
  #follow(): void {
    try {
      while (this.#next !== null && this.#copy(this.#next));
    } catch (error) {
      // The line is in memory: it is copied with the next one.
      if (diskCodeOf(error) === '') throw error;
      this.#log.error({ err: error }, 'a line of history waits for the store');
    }
  }

  /** False when there was nothing to copy. */
  #copy(store: Store): boolean {
    const before = this.#copied;
    this.#copied = copyLines(store, this.store, before);
    return this.#copied !== before;
  }

  #token(name: 'control.token' | 'mail.token', write: () => string): string {
    return this.#try(write, () => {
      const token = newToken();
      this.#unwritten.set(name, token);
      return token;
    });
  }

  #try<T>(work: () => T, otherwise: () => T): T {
    try {
      return work();
    } catch (error) {
      const code = diskCodeOf(error);
      if (code === '') throw error;
      this.#reason ||= reasonFor(this.#folder, code);
      this.#log.error({ reason: (error as Error).message }, this.#reason);
      return otherwise();
    }
  }
}

function reasonFor(folder: string, code: string): string {
  const [what, cure] = whyAndCure(folder, code);
  return `nothing can be kept in the state folder ${folder} (${code}): ${what}, ${cure}; until then findings are in memory only, nothing is learned, and commands that need the control token are refused`;
}

function whyAndCure(folder: string, code: string): readonly [what: string, cure: string] {
  switch (diskTroubleOf(code)) {
    case 'locked':
      return ['the database is locked by another program', `end that program (fuser ${folder}/desk.db)`];
    case 'closed': {
      const { why, cure } = closedFolder(folder);
      return [why, cure];
    }
    case 'read-only':
      return code === 'EROFS'
        ? ['its file system is read-only', 'mount it writable']
        : [
            'its database or its file system is read-only',
            `make both writable (chmod u+w ${folder}/desk.db, mount)`,
          ];
    default:
      return ['its disk is full or fails', 'free space and inodes on it (df -h, df -i)'];
  }
}

/**
 * Copies lines of history that follow line `after` from the store in memory into a store, with the findings that they are about:
 * `AT_ONCE` of them at most, in their order, in one transaction. The number of the last one; `after` when there are no more.
 */
function copyLines(store: Store, inMemory: Store, after: number): number {
  const memory = new FindingHistory(inMemory);
  const lines = memory.linesAfter(after, AT_ONCE);
  new FindingHistory(store).record(
    lines.flatMap(({ finding: id, at, event }): (FindingChanges | FindingLine)[] => {
      const finding = memory.finding(id)?.finding;
      if (finding === undefined) return [];
      if (event === 'opened' || event === 'opened again') return [{ opened: [finding], closed: [], at }];
      return event === 'closed' ? [{ opened: [], closed: [finding], at }] : [{ finding: id, at, event }];
    }),
  );
  return lines.at(-1)?.number ?? after;
}
