/**
 * Notes of the processes that a run of the desk starts, so that a later run can find those a dead run left behind. A note is an
 * empty file in the state folder; its name holds pid and start time of the helper and of the run.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Orphan, Residue, StaleFile } from '../../checks/residue.ts';
import type { NativeAddon } from '../../engine/native/types.ts';

const NOTE = /^helper-(\d{1,10})-(\d{1,20})-of-(\d{1,10})-(\d{1,20})\.pid$/;

type NotesAddon = Pick<NativeAddon, 'openRoot' | 'closeRoot' | 'processStart'>;

export class HelperNotes {
  readonly #folder: string;
  readonly #native: NotesAddon;
  /** Handle of /proc; null once closed. */
  #root: number | null;

  constructor({ folder, native }: { readonly folder: string; readonly native: NotesAddon }) {
    const root = native.openRoot('/proc');
    if (typeof root !== 'number') throw new Error(`/proc cannot be opened (${root.code})`);
    this.#folder = folder;
    this.#native = native;
    this.#root = root;
  }

  /** No notes are written from now on. */
  close(): void {
    if (this.#root !== null) this.#native.closeRoot(this.#root);
    this.#root = null;
  }

  /** Notes a child of this process; the returned function removes the note when the child has ended. */
  note(pid: number): () => void {
    const [start, run] = [this.#startOf(pid), this.#startOf(process.pid)];
    // The child has ended already, or the desk is stopping and ends it too.
    if (start === null || run === null) return () => undefined;
    const path = join(this.#folder, `helper-${pid}-${start}-of-${process.pid}-${run}.pid`);
    try {
      writeFileSync(path, '', { mode: 0o600, flag: 'w' });
    } catch {
      // The helper runs without a note; a folder that is not writable is reported elsewhere.
      return () => undefined;
    }
    return () => {
      try {
        rmSync(path, { force: true });
      } catch {
        // The next run finds it stale.
      }
    };
  }

  /**
   * What dead runs left behind: helpers that still run, and notes of helpers that do not, beside other `stale` files.
   * @throws what readdir(3) refuses.
   */
  residue(stale: readonly StaleFile[] = []): Residue {
    // Without /proc no run could be seen to live, and all of them would count as dead.
    if (this.#root === null) throw new Error('the helper notes are closed');
    const files = [...stale];
    const orphans: Orphan[] = [];
    const dead = readdirSync(this.#folder).flatMap((name) => {
      const [pid, start, run, runStart] = NOTE.exec(name)?.slice(1) ?? [];
      if (pid === undefined || start === undefined || this.#startOf(Number(run)) === runStart) return [];
      return [{ name, pid: Number(pid), start, run: Number(run) }];
    });
    // Listed again: a run that ended during the first pass may have removed its own notes.
    const left = new Set(dead.length === 0 ? [] : readdirSync(this.#folder));
    for (const { name, pid, start, run } of dead) {
      if (this.#startOf(pid) === start) orphans.push({ pid, start, run });
      else if (left.has(name))
        files.push({ name, path: join(this.#folder, name), what: 'helper note', owner: run });
    }
    return { files, orphans };
  }

  /** Clock ticks after boot as text; null when there is no such process. */
  #startOf(pid: number): string | null {
    if (this.#root === null) return null;
    const start = this.#native.processStart(this.#root, pid);
    return typeof start === 'bigint' ? String(start) : null;
  }
}
