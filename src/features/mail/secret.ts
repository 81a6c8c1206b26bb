/** The password of the mail process: read when it is needed, so that a new one is taken without a restart, and known to the redactor. */

import { Redactor } from '../../base/redactor.ts';
import { type PasswordResult, readPassword } from './password.ts';

export class Secret {
  readonly redactor = new Redactor();
  readonly #file: string;
  readonly #credentials: string | undefined;
  readonly #owner: number | undefined;

  /** `credentials`: $CREDENTIALS_DIRECTORY. `owner`: uid that must own the file; default: this process's. */
  constructor(file: string, credentials: string | undefined, owner?: number) {
    this.#file = file;
    this.#credentials = credentials;
    this.#owner = owner;
  }

  /** Takes out every password that was ever read. */
  readonly redact = (text: string): string => this.redactor.text(text);

  readonly read = (): PasswordResult => {
    const result = readPassword(this.#file, this.#credentials, this.#owner);
    if (result.ok) this.redactor.add(result.secret);
    return result;
  };
}
