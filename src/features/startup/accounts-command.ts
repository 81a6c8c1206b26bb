import { asSentence } from '../../base/sentence.ts';
import { bad, dim, type Piece, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { rightsAreKnown } from '../../records/account-words.ts';
import type { AccountsAnswer } from '../../records/accounts.ts';
import { accounts as operation } from './operations.ts';

export const accounts: Command = {
  name: 'accounts',
  summary: 'Lists who can log in, how, and with which rights',
  options: [{ flags: '--all', meaning: 'also accounts that can neither log in nor do more than others' }],
  local: true,
  examples: [
    ['desk accounts', 'who can log in, and who has rights beyond their own files'],
    ['desk accounts --all --json', 'every account, for programs'],
  ],
  async run({ answer, withSource }, { options }) {
    const show = options.all === true ? 'all' : 'active';
    return answer(await withSource((source) => source.ask(operation, { show })), print);
  },
};

type Account = AccountsAnswer['accounts'][number];

function loginPiece({ login, password, expired }: Account): Piece | string {
  if (expired) return dim('expired');
  if (login.length === 0) return dim('cannot log in');
  return password === 'empty' ? bad(login.join(', ')) : login.join(', ');
}

function lastPiece({ last_login, last_from }: Account): Piece | string {
  if (last_login === null) return '';
  return dim(`${last_login.slice(0, 16).replace('T', ' ')} ${last_from}`.trim());
}

function print(out: Terminal, { accounts: list, others, unread, container }: AccountsAnswer): void {
  const known = rightsAreKnown({ unread });
  out.table(
    [
      { title: 'account' },
      { title: 'uid' },
      { title: 'logs in by' },
      { title: 'rights', shrink: 'end' },
      { title: 'last login' },
      { title: 'new' },
    ],
    list.map((account) => [
      strong(account.name),
      account.uid === 0 && account.name !== 'root' ? bad('0') : String(account.uid),
      loginPiece(account),
      account.rights.join('; ') || (known ? '' : warn('not known')),
      lastPiece(account),
      account.findings.length === 0 ? '' : warn(account.findings.join(' ')),
    ]),
  );
  if (others > 0)
    out.line(dim(`${others} more can neither log in nor do more than others: --all lists them.`));
  if (container !== '') out.wrapped(warn('! '), asSentence(container));
  for (const { path, reason } of unread) out.wrapped(warn('! '), `not read: ${path} (${reason})`);
}
