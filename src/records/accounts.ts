/** `GET /accounts`: who can log in to this machine, how, and with which rights. */
import { z } from 'zod';
import { count, done, flag, type RecordOf, text } from './define.ts';
import { unread } from './unread.ts';

const account = z.strictObject({
  name: text.describe('the account'),
  uid: count.describe('its number; 0 is root, whatever the name'),
  gid: count.describe('the number of its group'),
  groups: z.array(text).describe('names of its groups, its own first'),
  home: text.describe('its home directory'),
  shell: text.describe('what runs after a login'),
  login: z.array(text).describe('how it can log in; empty where it cannot'),
  rights: z.array(text).describe('what it may do beyond its own files'),
  password: z
    .enum(['set', 'empty', 'locked', 'unknown'])
    .describe('empty: none is asked for; locked: none is accepted; unknown: it could not be read'),
  password_set: text
    .nullable()
    .describe('the day on which it was set, RFC 3339; null where that is not recorded'),
  expired: flag.describe('the account has ended'),
  keys: count.nullable().describe('keys that log in by SSH; null where its file could not be read'),
  last_login: text.nullable().describe('the last login that /var/log/wtmp has, RFC 3339; null without one'),
  last_from: text.describe('from where, or on which terminal; "" without one'),
  findings: z.array(text).describe('ids of open findings about it: what is new since it was learned'),
});

export const accounts = done(
  'Accounts',
  'ACCOUNTS',
  'Who can log in to this machine, how, and with which rights',
  {
    accounts: z.array(account).describe('in the order of /etc/passwd'),
    others: count.describe('accounts that were left out: they can neither log in nor do more than others'),
    unread: z.array(unread).describe('what could not be read: what is there is not known'),
  },
);
export type AccountsAnswer = RecordOf<typeof accounts>;
