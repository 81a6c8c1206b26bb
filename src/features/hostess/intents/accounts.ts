/** Accounts: who can log in, how, with which rights, and when that was last done. */
import { rightsAreKnown } from '../../../records/account-words.ts';
import type { AccountsAnswer } from '../../../records/accounts.ts';
import { type AnswerBuilder, counted, type Plain, part, plain } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { conceptsOf, isStopWord } from '../lexicon.ts';
import { quoted } from '../paths.ts';
import { LAST_LOGIN, NO_PASSWORD, RIGHTS, SSH_KEYS, startupWanted } from '../startup-asked.ts';
import type { Question } from '../understand.ts';
import { sayUnread } from './startup.ts';

const MOST_SHOWN = 8;
const LOGINS = '/var/log/wtmp';

type Account = AccountsAnswer['accounts'][number];
/** An account and its path. */
type Listed = readonly [account: Account, row: string];

const LIST = 'accounts.accounts';

/** By name where it is the only one of that name. */
function listed({ accounts }: AccountsAnswer): readonly Listed[] {
  const names = new Map<string, number>();
  for (const { name } of accounts) names.set(name, (names.get(name) ?? 0) + 1);
  return accounts.map((account, at) => [
    account,
    names.get(account.name) === 1 ? `${LIST}[name=${quoted(account.name)}]` : `${LIST}[${at}]`,
  ]);
}

const SUBJECT = [
  /\b(?:can|could|may|kann|darf|peut|puede) ([\w.-]+) (?:(?:still|even|also|noch|encore|aun) )?(?:log|sign|use|sudo|become|sich|se|ouvrir|iniciar|entrar|conectarse)\b/,
  /\b(?:did|was|has|does|hat|war|tiene) ([\w.-]+) (?:sich |zuletzt |last |ever |have )*(?:log|logged|sudo|angemeldet|eingeloggt|root|admin\w*|an|a|ssh)\b/,
  /\b(?:last log ?in|letzte anmeldung|derniere connexion|ultimo (?:acceso|inicio de sesion)) (?:of|by|von|de|del) ([\w.-]+)\b/,
  /\b([\w.-]+) s? ?last log ?in\b/,
  /\b(?:quand|cuando|wann) (?:est ce que |hat |se |s est |est )?([\w.-]+)\b/,
];

/** The account that the question names, and the name as asked; "" where none is. */
function accountAsked(question: Question, all: readonly Listed[]): readonly [Listed | null, string] {
  const said = question.words.join(' ');
  const subjects = SUBJECT.flatMap((pattern) => pattern.exec(said)?.[1] ?? []);
  const names = [...subjects, ...question.names.map((name) => name.replace(/['’]s$/, '').toLowerCase())];
  for (const name of names) {
    const known = all.find(([account]) => account.name.toLowerCase() === name);
    if (known !== undefined) return [known, name];
  }
  const unknown = subjects.find((name) => !isStopWord(name) && conceptsOf(name).length === 0);
  return [null, unknown ?? ''];
}

const isUnknown = (phrase: string): boolean => phrase.endsWith('not known');
const unreadOf = ({ unread }: AccountsAnswer, path: string): boolean =>
  unread.some((one) => one.path === path);

/** How an account logs in. */
function loginPart(out: AnswerBuilder, [{ login, expired }, row]: Listed): Plain {
  const [name, how] = [out.ground(`${row}.name`), out.ground(`${row}.login`)];
  if (expired) return part`${name} cannot log in: the account has expired (${out.ground(`${row}.expired`)})`;
  if (login.length === 0) return part`${name} cannot log in`;
  if (login.every(isUnknown)) return part`Whether ${name} can log in is not known (${how})`;
  return part`${name} can log in (${how})`;
}

function lastPart(out: AnswerBuilder, [{ last_login, last_from }, row]: Listed, known: boolean): Plain {
  const [name, last] = [out.ground(`${row}.name`), out.ground(`${row}.last_login`)];
  if (last_login === null)
    return known
      ? part`No login of ${name} is recorded`
      : part`The last login of ${name} is not known: the record of logins could not be read`;
  return part`${name} logged in last at ${last}${last_from === '' ? plain('') : part`, from ${out.ground(`${row}.last_from`)}`}`;
}

function rightsPart(out: AnswerBuilder, [{ rights }, row]: Listed, known: boolean): Plain {
  const [name, all] = [out.ground(`${row}.name`), out.ground(`${row}.rights`)];
  if (rights.length > 0) return part`${name} has these rights: ${all}`;
  return known
    ? part`${name} has no rights beyond its own files`
    : part`Whether ${name} has rights of others is not known`;
}

function sayAll(out: AnswerBuilder, parts: readonly Plain[], total: number): void {
  for (const one of parts) out.say`${one}.`;
  out.sayMore(parts.length, total);
}

function sayOne(out: AnswerBuilder, question: Question, one: Listed, record: AccountsAnswer): void {
  const [loginsKnown, rightsKnown] = [!unreadOf(record, LOGINS), rightsAreKnown(record)];
  if (question.says(LAST_LOGIN)) out.say`${lastPart(out, one, loginsKnown)}.`;
  else if (question.says(RIGHTS)) out.say`${rightsPart(out, one, rightsKnown)}.`;
  else {
    out.say`${loginPart(out, one)}.`;
    out.say`${rightsPart(out, one, rightsKnown)}.`;
  }
  const [id] = one[0].findings;
  if (id !== undefined) {
    out.say`A finding about it is open: ${out.ground(`${one[1]}.findings[0]`)}.`;
    out.suggest(`desk findings ${id}`);
  }
}

function sayLogins(out: AnswerBuilder, all: readonly Listed[]): void {
  const able = all.filter(([{ login }]) => login.some((phrase) => !isUnknown(phrase)));
  const unsure = all.filter(([{ login }]) => login.length > 0 && login.every(isUnknown));
  if (able.length === 0 && unsure.length === 0)
    out.say`No account can log in, of ${counted(out.ground(`${LIST}.length`), 'account', 'accounts')}.`;
  for (const some of [able, unsure])
    sayAll(
      out,
      some.slice(0, MOST_SHOWN).map((one) => loginPart(out, one)),
      some.length,
    );
}

function sayRights(out: AnswerBuilder, all: readonly Listed[], known: boolean): void {
  const having = all.filter(([{ rights }]) => rights.length > 0);
  const bySudo = ([{ rights }]: Listed): number =>
    rights.some((right) => /^(?:sudo|is root)/.test(right)) ? 0 : 1;
  const sorted = [...having].sort((one, other) => bySudo(one) - bySudo(other));
  if (having.length === 0)
    out.say`No account has rights beyond its own files${plain(known ? '' : ', as far as could be read')}, of ${counted(out.ground(`${LIST}.length`), 'account', 'accounts')}.`;
  sayAll(
    out,
    sorted.slice(0, MOST_SHOWN).map((one) => rightsPart(out, one, known)),
    having.length,
  );
}

function sayLast(out: AnswerBuilder, all: readonly Listed[], known: boolean): void {
  const logins = all
    .filter(([{ last_login }]) => last_login !== null)
    .sort(([one], [other]) => Date.parse(other.last_login ?? '') - Date.parse(one.last_login ?? ''));
  if (logins.length === 0)
    out.say`${plain(known ? 'No login is recorded' : 'Last logins are not known: the record of logins could not be read')}, of ${counted(out.ground(`${LIST}.length`), 'account', 'accounts')}.`;
  sayAll(
    out,
    logins.slice(0, MOST_SHOWN).map((one) => lastPart(out, one, known)),
    logins.length,
  );
}

function sayWithoutPassword(out: AnswerBuilder, all: readonly Listed[]): void {
  const [empty, unknown] = ['empty', 'unknown'].map((state) =>
    out.ground(`${LIST}[password=${state}].length`),
  );
  out.say`${counted(empty as never, 'account has', 'accounts have')} no password; of ${unknown as never} it is not known.`;
  const some = all.filter(([{ password }]) => password === 'empty');
  sayAll(
    out,
    some.slice(0, MOST_SHOWN).map((one) => loginPart(out, one)),
    some.length,
  );
}

function sayKeys(out: AnswerBuilder, all: readonly Listed[]): void {
  const some = all.filter(([{ keys }]) => keys !== 0);
  if (some.length === 0)
    out.say`No account has SSH keys that log in, of ${counted(out.ground(`${LIST}.length`), 'account', 'accounts')}.`;
  const parts = some.slice(0, MOST_SHOWN).map(([{ keys }, row]) => {
    const [name, count] = [out.ground(`${row}.name`), out.ground(`${row}.keys`)];
    return keys === null
      ? part`Whether ${name} has SSH keys is not known`
      : part`${name} has ${counted(count, 'SSH key', 'SSH keys')}`;
  });
  sayAll(out, parts, some.length);
}

export const accounts: Intent = {
  id: 'accounts',
  score: ({ question }) => (startupWanted(question).accounts ? 94 : 0),
  answer(out, { question, found: { accounts: record } }) {
    out.suggest('desk accounts');
    if (record === null) {
      out.say`I do not know: the accounts were not read.`;
      return false;
    }
    out.put('accounts', record);
    const all = listed(record);
    const [one, name] = accountAsked(question, all);
    const rightsKnown = rightsAreKnown(record);
    const loginsKnown = !unreadOf(record, LOGINS);
    if (one === null && name !== '')
      out.say`There is no local account "${plain(name)}" among ${out.ground(`${LIST}.length`)}. Accounts of a directory service are not listed.`;
    else if (all.length === 0)
      out.say`I do not know: no account could be read (${out.ground(`${LIST}.length`)}).`;
    else if (one !== null) sayOne(out, question, one, record);
    else if (question.says(LAST_LOGIN)) sayLast(out, all, loginsKnown);
    else if (question.says(NO_PASSWORD)) sayWithoutPassword(out, all);
    else if (question.says(SSH_KEYS)) sayKeys(out, all);
    else if (question.says(RIGHTS)) sayRights(out, all, rightsKnown);
    else {
      if (question.has('count'))
        out.say`${counted(out.ground(`${LIST}.length`), 'account is', 'accounts are')} listed.`;
      sayLogins(out, all);
    }
    sayUnread(out, 'accounts');
    return all.length > 0 && (one !== null || name === '');
  },
};
