/**
 * A service starts although its state folder cannot be written: without lock, with tokens and a store in memory. What could not be
 * done is tried again until it can, and says so meanwhile.
 */
import type { Logger } from 'pino';
import { DeskError } from './desk.ts';
import { newToken, openStateDir, type StateDir, stateDirAt } from './state-dir.ts';
import { readToken } from './state-files.ts';
import { isDiskCode } from './store/disk-code.ts';
import { openMemoryStore, openStore, type Store } from './store/store.ts';

/** The error code of a disk that is full, read-only or failing, or of a locked database; "" for any other error. */
export function diskCodeOf(error: unknown): string {
  const code = error instanceof DeskError ? error.errno : ((error as { code?: string }).code ?? '');
  return isDiskCode(code) ? code : '';
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
  /** Lines of history that were copied from the store in memory: none is copied twice, however often `again` is called. */
  readonly #copied = new Set<string>();
  #reason = '';
  readonly state: StateDir;
  store: Store;
  readonly tokens: { readonly control: string; readonly mail: string };

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
  }

  /** Something of the start is still to be done. */
  get degraded(): boolean {
    return this.#lock === null || this.#unwritten.size > 0 || this.store.temporary !== '';
  }

  /**
   * Tries again what could not be done at the start; the store that is to take the place of the one in memory when all of it is done,
   * null while it is not.
   * @throws DeskError when another service has taken the folder meanwhile.
   */
  again(): Store | null {
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
        absorb(store, this.store, this.#copied);
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
    this.store = store;
    this.#next = null;
    if (before !== store) before.close();
    this.state.report('');
  }

  release(): void {
    try {
      // Without the lock, or with another token in it, the file is another service's.
      if (this.#lock !== null && readToken(this.state.path, 'control.token') === this.tokens.control)
        this.state.removeToken('control.token');
    } finally {
      try {
        this.store.close();
      } finally {
        this.#lock?.release();
      }
    }
  }

  /** Until its desk has ended, the store in memory is written to: another desk reads the next store already. */
  #follow(): void {
    if (this.#next !== null) absorb(this.#next, this.store, this.#copied);
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
      this.#log.error({ err: error }, this.#reason);
      return otherwise();
    }
  }
}

function reasonFor(folder: string, code: string): string {
  const [what, cure] = /BUSY|LOCKED|PROTOCOL/.test(code)
    ? ['the database is locked by another program', `end that program (fuser ${folder}/desk.db)`]
    : /EROFS|READONLY/.test(code)
      ? ['its file system is read-only', 'mount it writable']
      : ['its disk is full or fails', 'free space and inodes on it (df -h, df -i)'];
  return `nothing can be kept in the state folder ${folder} (${code}): ${what}, ${cure}; until then findings are in memory only, nothing is learned, and commands that need the control token are refused`;
}

/** Writes the history of the store in memory into a store, line by line in its order, except for lines that are in `copied`. */
function absorb(store: Store, memory: Store, copied: Set<string>): void {
  for (const { at, event, finding: id } of memory.events(20_000).toReversed()) {
    const line = [at, event, id].join(' ');
    const finding = memory.finding(id)?.finding;
    if (finding === undefined || copied.has(line)) continue;
    if (event === 'opened' || event === 'opened again') store.recordFindings([finding], [], at);
    else if (event === 'closed') store.recordFindings([], [finding], at);
    else store.recordEvent(id, at, event);
    copied.add(line);
  }
}
