/** Pending updates: by the file that update-notifier keeps, or by the lists that apt has downloaded. */
import { readFileSync, statSync } from 'node:fs';
import { codeText } from '../../base/error-code.ts';
import { atMost } from '../../base/promises.ts';
import { namesIn } from '../../base/read-or-empty.ts';
import type { VitalFacts } from '../../checks/vitals.ts';
import type { AptUpdates, VitalsAddon } from '../../engine/native/vitals-types.ts';
import type { Gathered } from './files.ts';
import { updatesIn } from './parsers.ts';

const NOTIFIER = '/var/lib/update-notifier/updates-available';
/** What apt's answer depends on; files of the folders count each, as they may be edited in place. */
const FILES = ['/var/lib/dpkg/status', '/var/lib/apt/lists', '/etc/apt/preferences', '/etc/apt/apt.conf'];
const FOLDERS = ['/etc/apt/preferences.d', '/etc/apt/apt.conf.d'];
/** The lists of Debian are read in a third of a second. */
const PATIENCE_MS = 2_000;

/** Absent: the machine does not use apt. */
const ABSENT: Readonly<Record<string, string>> = {
  'no-database':
    'update-notifier has left no count, and this machine does not use apt: use its own package manager',
};
const UNREAD: Readonly<Record<string, string>> = {
  'no-lists': 'apt has no lists: run apt update',
  preferences: '/etc/apt sets pin priorities, which the desk does not evaluate: run apt list --upgradable',
  format: 'a list of apt is damaged, or not compressed by lz4: run apt list --upgradable',
};

/** Changes with the file or folder; "" where it cannot be seen. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

export class PendingUpdates {
  readonly #native: Pick<VitalsAddon, 'aptUpdates'>;
  readonly #root: string;
  #known: { readonly of: string; readonly updates: AptUpdates } | null = null;
  #running: Promise<void> | null = null;
  /** Why the last reading failed; "" where it did not. */
  #failed = '';

  constructor(native: Pick<VitalsAddon, 'aptUpdates'>, root: string) {
    this.#native = native;
    this.#root = root;
  }

  /** The lists are being read: the next answer may be another one. */
  get isReading(): boolean {
    return this.#running !== null;
  }

  /** `container`: why files are those of a container; "" where they are those of the machine. */
  async read(gathered: Gathered, container: string): Promise<VitalFacts['updates']> {
    if (container !== '') return gathered.absent('updates', container);
    const noted = this.#byNotifier(gathered);
    if (noted !== undefined) return noted;
    const updates = await this.#byApt();
    if (updates === null)
      return gathered.unread('updates', this.#failed || 'the lists of apt are still being read');
    const { trouble, all, security, seconds } = updates;
    if (trouble === '') return { all, security, asOfMs: seconds * 1000 };
    const absent = ABSENT[trouble];
    if (absent !== undefined) return gathered.absent('updates', absent);
    return gathered.unread('updates', UNREAD[trouble] ?? trouble);
  }

  /** Undefined without update-notifier. */
  #byNotifier(gathered: Gathered): VitalFacts['updates'] | undefined {
    let text: string;
    let asOfMs: number;
    try {
      text = readFileSync(gathered.path(NOTIFIER), 'latin1');
      asOfMs = Math.round(statSync(gathered.path(NOTIFIER)).mtimeMs);
    } catch (error) {
      const code = codeText(error);
      return code === 'ENOENT' ? undefined : gathered.unread('updates', `${NOTIFIER}: ${code}`);
    }
    const found = updatesIn(text);
    if (found !== null) return { ...found, asOfMs };
    return gathered.unread('updates', `${NOTIFIER} has a format that this version does not know`);
  }

  /** The lists are read again only where something has changed. */
  async #byApt(): Promise<AptUpdates | null> {
    const of = this.#stamps();
    // One that began before the change, and one after it.
    for (let readings = 0; readings < 2 && this.#known?.of !== of; readings += 1) {
      this.#running ??= this.#read(of);
      await atMost(this.#running, PATIENCE_MS);
      if (this.#running !== null) return null;
    }
    return this.#known?.of === of ? this.#known.updates : null;
  }

  #stamps(): string {
    const files = FOLDERS.flatMap((folder) =>
      namesIn(`${this.#root}${folder}`).map((name) => `${folder}/${name}`),
    );
    return [...FILES, ...files].map((name) => `${name} ${stampOf(`${this.#root}${name}`)}`).join('\n');
  }

  async #read(of: string): Promise<void> {
    // Never settles before `#running` is set.
    await null;
    this.#failed = '';
    try {
      const updates = await this.#native.aptUpdates(this.#root || '/');
      const { trouble } = updates;
      // What may go by itself, as too many open files, is tried again.
      const lasts = trouble === '' || trouble in ABSENT || trouble in UNREAD;
      this.#known = lasts ? { of, updates } : null;
      if (!lasts) this.#failed = `the files of apt: ${trouble}`;
    } catch (error) {
      this.#known = null;
      this.#failed = `the files of apt: ${codeText(error)}`;
    } finally {
      this.#running = null;
    }
  }
}
