/** What a query can ask of what starts by itself, and of accounts. */
import { type DeskTable, recordTable } from '../../desk/query.ts';
import { STARTUP } from '../../desk/startup.ts';
import { rightsAreKnown } from '../../records/account-words.ts';
import { account } from '../../records/accounts.ts';
import { entry } from '../../records/startup.ts';
import { accountsAnswer } from './accounts-answer.ts';
import { answerOf } from './answer.ts';

/** The first of what could not be read, and how many there are. */
const unreadGaps = (unread: readonly { readonly path: string; readonly reason: string }[]): string[] => {
  const [first] = unread;
  if (first === undefined) return [];
  const more = unread.length > 1 ? ` and ${unread.length - 1} more` : '';
  return [`${first.path} (${first.reason})${more} could not be read`];
};

/** The files of the machine are others. */
const containerGaps = (container: string): string[] => (container === '' ? [] : [container]);

const startup = recordTable({
  name: 'startup',
  meaning: 'what this machine starts by itself, and who vouches for it',
  noun: ['startup entry', 'startup entries'],
  key: ['path', 'place', 'name'],
  label: 'runs',
  time: 'changed',
  shown: ['severity', 'place', 'path', 'runs', 'user', 'vouched', 'changed'],
  columns: [entry],
  hints: { times: ['changed'], ranked: ['severity'], unreadWhenEmpty: ['sha256'] },
  read: async (desk) => {
    const scan = await desk.use(STARTUP).recent();
    const { entries, unread, packages, container } = answerOf(
      scan,
      { show: 'all' },
      desk.latest()?.judgement.findings ?? [],
    );
    return {
      rows: entries,
      gaps: [...containerGaps(container), ...unreadGaps(unread)],
      notes: packages === '' ? [] : [`packages do not vouch for all files: ${packages}`],
    };
  },
});

/** Files that have the names of accounts. */
const NAMES = /\/passwd$|\/userdb\b/;

const accounts = recordTable({
  name: 'accounts',
  meaning: 'accounts of this machine: how they can log in, and with which rights',
  noun: ['account', 'accounts'],
  key: ['name'],
  label: 'name',
  time: 'last_login',
  shown: ['name', 'uid', 'shell', 'login', 'rights', 'password', 'keys', 'last_login'],
  columns: [account],
  hints: { times: ['password_set', 'last_login'], unknownAs: { password: 'unknown' } },
  read: async (desk) => {
    const scan = await desk.use(STARTUP).accounts();
    const findings = desk.latest()?.judgement.findings ?? [];
    const { accounts: all, unread, container } = accountsAnswer(scan, findings, 'all');
    const shadow = unread.some(({ path }) => path.endsWith('/shadow'));
    const logins = unread.some(({ path }) => path.endsWith('/wtmp'));
    const known = rightsAreKnown({ unread });
    return {
      rows: all.map((one) => ({
        ...one,
        last_login: one.last_login === null && !logins ? undefined : one.last_login,
        login: one.login.length > 0 && one.login.every((way) => way.endsWith('not known')) ? null : one.login,
        // Without shadow it is not known whether an account has ended, and without sudoers who has rights.
        expired: shadow && !one.expired ? null : one.expired,
        rights: !known && one.rights.length === 0 ? null : one.rights,
      })),
      gaps: [...containerGaps(container), ...unreadGaps(unread.filter(({ path }) => NAMES.test(path)))],
      notes: unreadGaps(unread.filter(({ path }) => !NAMES.test(path))),
    };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [startup, accounts];
