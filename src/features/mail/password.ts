/** The mail password, which the mail process alone reads. */
import { isAbsolute, join } from 'node:path';
import { type PrivateLine, readPrivateLine } from '../../base/private-line.ts';
import { Redactor } from '../../base/redactor.ts';

/** Name of the systemd credential (systemd.exec(5), LoadCredential=). */
export const CREDENTIAL = 'mail.password';

const refused = (reason: string): PrivateLine => ({ ok: false, reason });

/** The mail password: `mail.password` in `$CREDENTIALS_DIRECTORY` if there is one, else the private file `file`. */
export function readPassword(file: string, credentials: string | undefined, owner?: number): PrivateLine {
  if (credentials) {
    const read = readPrivateLine(join(credentials, CREDENTIAL), { ours: false, what: 'password' });
    if (read !== null) return read;
  }
  if (file === '')
    return refused(
      `no mail password: put it into a file of mode 0600 and name that as password_file in [mail], or give the service the systemd credential ${CREDENTIAL}`,
    );
  if (!isAbsolute(file))
    return refused(`password_file "${file}" is not an absolute path: write it in full, from / on`);
  return (
    readPrivateLine(file, { ours: true, what: 'password', owner }) ??
    refused(`the password file ${file} does not exist: write the password into it, then "chmod 600 ${file}"`)
  );
}

/** The password, read when it is needed: a new one is used without a restart. The redactor learns each. */
export class Secret {
  readonly redactor = new Redactor();
  readonly #read: () => PrivateLine;

  constructor(...from: Parameters<typeof readPassword>) {
    this.#read = () => readPassword(...from);
  }

  /** Removes every password that was ever read. */
  readonly redact = (text: string): string => this.redactor.text(text);

  read(): PrivateLine {
    const result = this.#read();
    if (result.ok) this.redactor.add(result.secret);
    return result;
  }
}
