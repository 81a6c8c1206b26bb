/** Whether the state folder, and the files that stand in it while a service runs, are still the ones they were. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Device and inode of a file or folder, through no further link than at the start; "" when there is none. */
function identityOf(path: string): string {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev} ${ino}`;
  } catch {
    return '';
  }
}

function changeOf(path: string, identity: string): string {
  const now = identityOf(path);
  if (now === identity) return '';
  return now === '' ? 'is gone' : 'was replaced while the desk ran';
}

export class KeptFiles {
  readonly #folder: string;
  #identity: string;
  #files: ReadonlyMap<string, string> = new Map();

  constructor(folder: string) {
    this.#folder = folder;
    this.#identity = identityOf(folder);
  }

  /** The folder that has the name now is the one. */
  take(): void {
    this.#identity = identityOf(this.#folder);
  }

  /** From now on these files in it are missed when they go, or another one replaces them. */
  keep(names: readonly string[]): void {
    this.#files = new Map(names.map((name) => [name, identityOf(join(this.#folder, name))]));
  }

  /** What is gone or replaced and what to do; "" when nothing is. */
  lost(): string {
    const folder = changeOf(this.#folder, this.#identity);
    if (folder !== '')
      return `the state folder ${this.#folder} ${folder}, put it back or start the desk again; until then nothing is stored`;
    for (const [name, identity] of this.#files) {
      const file = changeOf(join(this.#folder, name), identity);
      if (file !== '')
        return `${name} of the state folder ${this.#folder} ${file}, put it back or start the desk again`;
    }
    return '';
  }
}
