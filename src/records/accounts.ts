/** `GET /accounts`: who can log in to this machine, how, and with which rights. */
import { z } from 'zod';
import { container } from './container.ts';
import { count, done, flag, type RecordOf, text } from './define.ts';
import { unread } from './unread.ts';

export const account = z.strictObject({
  name: text.describe('the account'),
  uid: count.describe('its number; 0 is root, whatever the name'),
  gid: count.describe('the number of its group'),
  groups: z.array(text).describe('names of its groups, its own first'),
  home: text.describe('its home directory'),
  shell: text.describe('what runs after a login'),
  login: z
    .array(text)
    .describe(
      'how it can log in; empty where it has expired or its shell ends at once, although SSH may still forward for it',
    ),
  rights: z
    .array(text)
    .describe(
      'what it may do beyond its own files; not all of it where sudoers or /etc/group is in `unread`',
    ),
  password: z
    .enum(['set', 'empty', 'locked', 'unknown'])
    .describe(
      'empty: none is asked for; locked: none is accepted; unknown: it could not be read, or /etc/shadow has no such account',
    ),
  password_set: text
    .nullable()
    .describe('the day on which it was set, RFC 3339; null where that is not recorded'),
  expired: flag.describe('its expiry date has passed; false also where /etc/shadow could not be read'),
  keys: count.nullable().describe('keys that log in by SSH; null where they could not be read'),
  last_login: text
    .nullable()
    .describe(
      'the last login that /var/log/wtmp has, RFC 3339; null where it has none, or could not be read (`unread`)',
    ),
  last_from: text.describe('from where, or on which terminal; "" without one'),
  findings: z.array(text).describe('ids of open findings about it: what is new since the baseline'),
});

export const accounts = done(
  'Accounts',
  'ACCOUNTS',
  'Who can log in to this machine, how, and with which rights',
  {
    accounts: z.array(account).describe('in the order of /etc/passwd'),
    others: count.describe('accounts that were left out: they can neither log in nor do more than others'),
    unread: z.array(unread).describe('what could not be read: what is there is not known'),
    container,
  },
);
export type AccountsAnswer = RecordOf<typeof accounts>;
