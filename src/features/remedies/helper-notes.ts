/**
 * Notes of the processes that runs of the desk start, so that a run that is gone can be told from one that lives. A note is
 * an empty file of the state folder that says it all in its name: helper and run, each as pid and start time.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Orphan, Residue, StaleFile } from '../../checks/residue.ts';
import type { ActAddon } from '../../native/act-types.ts';

const NOTE = /^helper-(\d{1,10})-(\d{1,20})-of-(\d{1,10})-(\d{1,20})\.pid$/;

interface Named {
  readonly pid: number;
  /** Clock ticks after boot, as text. */
  readonly start: string;
}

export interface NotesParts {
  /** Path of the state folder. */
  readonly folder: string;
  readonly native: Pick<ActAddon, 'processStart'>;
  /** Root of /proc, as the addon knows it. */
  readonly root: number;
  /** Pid of this run. */
  readonly self: number;
}

export class HelperNotes {
  readonly #parts: NotesParts;
  #closed = false;

  constructor(parts: NotesParts) {
    this.#parts = parts;
  }

  /** From now on nothing is noted: the root of /proc is about to be closed. */
  close(): void {
    this.#closed = true;
  }

  /** Notes a child of this run; what is returned takes the note away again, when the child has ended. */
  note(pid: number): () => void {
    // A helper that starts while the desk stops is ended with it.
    if (this.#closed) return () => undefined;
    const { folder, self } = this.#parts;
    const [start, run] = [this.#startOf(pid), this.#startOf(self)];
    // It has ended already.
    if (start === null || run === null) return () => undefined;
    const path = join(folder, `helper-${pid}-${start}-of-${self}-${run}.pid`);
    try {
      writeFileSync(path, '', { mode: 0o600, flag: 'w' });
    } catch {
      // A folder that takes no files is told by whoever looks at it; the helper is needed all the same.
      return () => undefined;
    }
    return () => {
      try {
        rmSync(path, { force: true });
      } catch {
        // Nor one that lets none go: the note stands until the next run finds it stale.
      }
    };
  }

  /**
   * What runs that are gone left behind: helpers that live on, and notes of helpers that do not. Who is dead stays dead, so a
   * note that still stands after that look was left behind.
   * @throws what readdir(3) refuses.
   */
  residue(): Residue {
    const { folder } = this.#parts;
    const files: StaleFile[] = [];
    const orphans: Orphan[] = [];
    const dead = readdirSync(folder).flatMap((name) => {
      const [pid, start, run, runStart] = NOTE.exec(name)?.slice(1) ?? [];
      if (pid === undefined || start === undefined || run === undefined || runStart === undefined) return [];
      const helper = { pid: Number(pid), start };
      const owner = { pid: Number(run), start: runStart };
      return this.#lives(owner) ? [] : [{ name, helper, owner: owner.pid }];
    });
    const standing = new Set(dead.length === 0 ? [] : readdirSync(folder));
    for (const { name, helper, owner } of dead) {
      if (this.#lives(helper)) orphans.push({ ...helper, run: owner });
      else if (standing.has(name)) files.push({ name, path: join(folder, name), what: 'helper note', owner });
    }
    return { files, orphans };
  }

  #lives({ pid, start }: Named): boolean {
    return this.#startOf(pid) === start;
  }

  #startOf(pid: number): string | null {
    const { native, root } = this.#parts;
    const start = native.processStart(root, pid);
    return typeof start === 'bigint' ? String(start) : null;
  }
}
