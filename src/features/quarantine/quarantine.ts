/**
 * Stale files of the desk are never deleted, but moved into the folder `quarantine` of the state folder, each with a manifest that
 * has its name and the reason. Only files of the state folder itself are moved, by the rules of native/act/quarantine.h.
 */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskError } from '../../base/desk-error.ts';
import { codeText } from '../../base/error-code.ts';
import type { ActAddon, QuarantineRow } from '../../engine/native/act-types.ts';
import { isRefusal, type Refusal } from '../../engine/native/types.ts';
import type { Quarantined } from '../../records/quarantine.ts';
import type { QuarantineFolder } from './api.ts';

const manifest = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  name: z.string().min(1),
  at: z.iso.datetime({ offset: true }),
  why: z.string(),
  finding: z.string(),
  bytes: z.int().nonnegative(),
  /** Last modification, RFC 3339. */
  modified: z.iso.datetime({ offset: true }),
});

interface QuarantineParts {
  readonly folder: string;
  readonly native: Pick<ActAddon, `quarantine${'Move' | 'List' | 'Restore' | 'Purge'}`>;
  readonly now: () => string;
}

const list = 'See the entries with "desk quarantine list".';

export class Quarantine implements QuarantineFolder {
  readonly #parts: QuarantineParts;

  constructor(parts: QuarantineParts) {
    this.#parts = parts;
  }

  get folder(): string {
    return join(this.#parts.folder, 'quarantine');
  }

  /** Why nothing can be set aside, one phrase; "" when it can, or when nothing was set aside yet. */
  trouble(): string {
    const { folder, native } = this.#parts;
    const rows = native.quarantineList(folder);
    if (isRefusal(rows)) return `the quarantine cannot be used: ${reasonOf(rows)}`;
    if (!existsSync(this.folder)) return '';
    try {
      accessSync(this.folder, constants.W_OK);
      return '';
    } catch (error) {
      return `the quarantine cannot be written (${codeText(error)}), make it yours and writable (ls -ld, lsattr -d ${this.folder})`;
    }
  }

  /** Sets a file of the state folder aside; its entry, or why it stays where it is. */
  async setAside(
    name: string,
    why: string,
    finding: string,
  ): Promise<Quarantined | { readonly left: string }> {
    const { folder, native, now } = this.#parts;
    const info = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (info === undefined) return { left: 'it is gone' };
    const id = randomBytes(8).toString('hex');
    const entry = { id, name, at: now(), why, finding, bytes: info.size };
    const text = { version: 1, ...entry, modified: info.mtime.toISOString() };
    const stopped = await native.quarantineMove(folder, name, id, Buffer.from(`${JSON.stringify(text)}\n`));
    return stopped === null ? { ...entry, state: 'whole' } : { left: reasonOf(stopped) };
  }

  /** Newest first. */
  list(): readonly Quarantined[] {
    const { folder, native } = this.#parts;
    const rows = native.quarantineList(folder);
    if (isRefusal(rows)) throw refused('The quarantine cannot be listed', rows);
    return rows.map(entryOf).sort((a, b) => b.at.localeCompare(a.at) || a.id.localeCompare(b.id));
  }

  restore(id: string): Quarantined {
    const entry = this.#find(id);
    if (entry.state !== 'whole')
      throw new DeskError(
        'refused',
        entry.state === 'damaged'
          ? `The manifest of entry ${id} cannot be read, so it is unknown where the file belongs.`
          : `The file of entry ${id} is not there: its move was interrupted.`,
        `Look into ${this.folder}, then "desk quarantine purge ${id}".`,
      );
    const { folder, native } = this.#parts;
    const stopped = native.quarantineRestore(folder, id, entry.name);
    if (stopped !== null) throw refused(`Entry ${id} (${entry.name}) was not restored`, stopped);
    return entry;
  }

  purge(choice: Parameters<QuarantineFolder['purge']>[0]): readonly Quarantined[] {
    const { folder, native, now } = this.#parts;
    const chosen =
      'id' in choice
        ? [this.#find(choice.id)]
        : this.list().filter(
            ({ at }) => at === '' || Date.parse(now()) - Date.parse(at) >= choice.olderThanSec * 1000,
          );
    return chosen.map((entry) => {
      const stopped = native.quarantinePurge(folder, entry.id);
      if (stopped !== null) throw refused(`Entry ${entry.id} was not purged`, stopped, 'deleted');
      return entry;
    });
  }

  #find(id: string): Quarantined {
    const entry = this.list().find((one) => one.id === id);
    if (entry === undefined) throw new DeskError('not-found', `There is no quarantine entry ${id}.`, list);
    return entry;
  }
}

function entryOf({ id, manifest: bytes, present }: QuarantineRow): Quarantined {
  const read = manifest.safeParse(jsonOf(bytes));
  if (read.success && read.data.id === id) {
    const { name, at, why, finding, bytes: size } = read.data;
    return { id, name, at, why, finding, bytes: size, state: present ? 'whole' : 'interrupted' };
  }
  const state = present ? 'damaged' : 'interrupted';
  return { id, name: '', at: '', why: '', finding: '', bytes: 0, state };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** By step of native/act/quarantine.h. */
const REASONS: Readonly<Record<string, (code: string, done: string) => string>> = {
  'state folder': (code) => `the state folder is not one that only we may write to (${code})`,
  'quarantine folder': (code) => `its folder quarantine is not there, not ours, or open to others (${code})`,
  name: () => 'its name is not that of a file in the state folder',
  open: (code) =>
    code === 'ENOENT'
      ? 'it is gone'
      : code === 'ELOOP' || code === 'EXDEV'
        ? `a link or a mount is in its place (${code})`
        : `it cannot be opened (${code})`,
  kind: () => 'it is not a regular file',
  links: () => 'it has a second name (a hard link)',
  owner: () => 'it belongs to another user',
  held: (code) =>
    code === 'EBUSY' ? 'a process has it open' : `whether a process has it open cannot be seen (${code})`,
  manifest: (code) => `its manifest cannot be written or removed (${code})`,
  move: (code, done) =>
    code === 'EEXIST' ? 'something is in its place already' : `it cannot be ${done} (${code})`,
  swapped: () => 'it was replaced while it was moved',
};

const reasonOf = ({ source, code }: Refusal, done = 'moved'): string =>
  REASONS[source]?.(code, done) ?? `${source}: ${code}`;

function remedyOf({ source, code }: Refusal): string {
  if (code === 'EROFS' || code === 'ENOSPC' || code === 'EDQUOT')
    return 'Make the file system of the state folder writable, with space left, and try again.';
  if (source === 'state folder' || source === 'quarantine folder')
    return 'See that the folder is there, yours, and closed to others (chmod 700), and try again.';
  if (source === 'move' && code === 'EEXIST') return 'Move what is there to another name, and try again.';
  return list;
}

const refused = (what: string, stopped: Refusal, done?: string): DeskError =>
  new DeskError('refused', `${what}: ${reasonOf(stopped, done)}.`, remedyOf(stopped));
