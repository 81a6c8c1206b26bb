/** The password of the mail process: read when it is needed, so that a new one is taken without a restart, and known to the redactor. */
import { type PasswordResult, readPassword } from './password.ts';
import { Redactor } from './redact.ts';

export class Secret {
  readonly redactor = new Redactor();
  readonly #file: string;
  readonly #credentials: string | undefined;

  /** `credentials`: $CREDENTIALS_DIRECTORY. */
  constructor(file: string, credentials: string | undefined) {
    this.#file = file;
    this.#credentials = credentials;
  }

  /** Takes out every password that was ever read. */
  readonly redact = (text: string): string => this.redactor.text(text);

  readonly read = (): PasswordResult => {
    const result = readPassword(this.#file, this.#credentials);
    if (result.ok) this.redactor.add(result.secret);
    return result;
  };
}
