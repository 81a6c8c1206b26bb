/** Files that say something of the machine, or why one does not. */
import { readFileSync } from 'node:fs';
import { codeText } from '../../base/error-code.ts';
import type { Missing } from '../../checks/vitals.ts';

/** Reads what it can; what it cannot is in `missing`. */
export class Gathered {
  readonly missing: Missing[] = [];
  readonly #root: string;

  /** `root`: the folder that proc, sys, run, var and boot are in. */
  constructor(root: string) {
    this.#root = root;
  }

  absent(what: string, reason: string): null {
    this.missing.push({ what, reason, kind: 'absent' });
    return null;
  }

  unread(what: string, reason: string): null {
    this.missing.push({ what, reason, kind: 'unread' });
    return null;
  }

  path(name: string): string {
    return `${this.#root}${name}`;
  }

  /** What `parse` makes of the file; null where there is none, it could not be read, or it has another form. */
  file<T>(what: string, name: string, parse: (text: string) => T | null, without: string): T | null {
    let text: string;
    try {
      text = readFileSync(this.path(name), 'latin1');
    } catch (error) {
      const code = codeText(error);
      // EOPNOTSUPP: /proc/pressure of a kernel that was started with psi=0.
      return ['ENOENT', 'EOPNOTSUPP', 'ENOTSUP'].includes(code)
        ? this.absent(what, without)
        : this.unread(what, `${name}: ${code}`);
    }
    return parse(text) ?? this.unread(what, `${name} has a format that this version does not know`);
  }
}
