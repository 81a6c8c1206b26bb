/** The mail password: systemd's credential, else a file that nobody else can read. Read by the mail process alone. */
import { isAbsolute, join } from 'node:path';
import { type PrivateLine, readPrivateLine } from './private-line.ts';

/** Name of the systemd credential (systemd.exec(5), LoadCredential=). */
export const CREDENTIAL = 'mail.password';

export type PasswordResult = PrivateLine;

const refused = (reason: string): PasswordResult => ({ ok: false, reason });

/**
 * Reads the password: `mail.password` in `$CREDENTIALS_DIRECTORY` when there is such a credential, else `file`, which must
 * be a regular file of `owner` (default: of this process's uid) with no permission for anybody else. One trailing line end is cut.
 */
export function readPassword(file: string, credentials: string | undefined, owner?: number): PasswordResult {
  if (credentials) {
    const credential = join(credentials, CREDENTIAL);
    const read = readPrivateLine(credential, { ours: false, what: 'password' });
    if (read !== null) return read;
  }
  if (file === '')
    return refused(
      `there is no mail password: put it into a file of mode 0600 and name that as password_file in [mail], or give the service the systemd credential ${CREDENTIAL}`,
    );
  if (!isAbsolute(file))
    return refused(`password_file "${file}" is not an absolute path: write it in full, from / on`);
  return (
    readPrivateLine(file, { ours: true, what: 'password', owner }) ??
    refused(`the password file ${file} does not exist: write the password into it, then "chmod 600 ${file}"`)
  );
}
