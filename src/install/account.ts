/** The account of the service, as sysusers.d(5) makes it. */
import { lstatSync, readFileSync } from 'node:fs';

export const DEFAULT_ACCOUNT = 'desk';

const MARKER = '# Written by "desk install"';

/** `marker`: who wrote it. The home is the state folder: the account has no other. */
export const accountText = (marker = MARKER): string =>
  `${marker}: the account of the service Hostess Desk (sysusers.d(5)).
u ${DEFAULT_ACCOUNT} - "Hostess Desk" /var/lib/desk /usr/sbin/nologin
`;

export const isOwnAccountFile = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() === true &&
  readFileSync(path, 'utf8').startsWith(MARKER);
