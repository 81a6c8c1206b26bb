/** What a question names for rules that several of its words decide: an account, a program; and plans of these rules. Pure. */
import type { Plan, Programs } from './plan.ts';
import type { Names, Reading } from './read.ts';
import type { Language } from './vocabulary.ts';

export interface HostAsking {
  readonly plain: string;
  readonly reading: Reading;
  readonly names: Names & Programs;
}

/** How something is done is asked of the documentation. */
export const HOW_TO =
  /\b(?:how (?:do|can|to|should|could|would)|wie (?:kann|konnen|\w+ (?:ich|man|wir))|como (?:puedo|hago|se|cambio|pongo|creo)|comment)\b/;

const ACCOUNT = '(?:users?|accounts?|benutzer(?:konto)?|nutzer|konto|usuario|cuenta|utilisateur|compte)';
const BEHIND = new RegExp(
  `\\b${ACCOUNT} (?:named |called |namens |llamad[oa] |nomme |de |")*([a-z_][\\w.-]*)`,
);
const BEFORE = /\b([a-z_][\w.-]*) (?:user|account)\b/;
const SUBJECT =
  /\b(?:can|could|may|does|did|has|is|kann|darf|hat|ist|puede|tiene|esta|peut) (?:the )?([a-z_][\w.-]*) (?:log|sign|ssh|use|have|sich|per|via|entrar|iniciar|acceder|conectarse|se connecter|ouvrir)\b/;
/** Accounts that most systems have: never a word of the question behind "user". */
const USUAL =
  /^(?:nobody|daemon|bin|sys|sync|mail|news|uucp|proxy|backup|list|irc|_apt|messagebus|systemd-[a-z]+|sshd|avahi|polkitd|tss|uuidd|dnsmasq|www-data|nginx|apache|mysql|postgres|postfix|man|games|lp|gnats|guest|test|admin|ubuntu|pi|vagrant|ec2-user|debian|oracle|rtkit|usbmux|ntp|chrony|redis|git|docker)$/;

/** "Anyone but anna": another one is meant. */
export const isDenied = ({ reading: { slots } }: HostAsking): boolean =>
  slots.some(
    ({ part }, at) =>
      part === 'user' && slots.slice(0, at).findLast((one) => one.part !== 'filler')?.value === 'not',
  );

/** The account that is asked about; null without one, or with several. */
export const accountIn = (asking: HostAsking): string | null =>
  isDenied(asking) ? null : accountNamed(asking);

export function accountNamed({ plain, reading, names }: HostAsking): string | null {
  const named = reading.slots.filter(({ part }) => part === 'user').map(({ value }) => value);
  const strangers = reading.slots.filter(({ part, place }) => part === 'stranger' && place === 'user');
  const said = [BEHIND, BEFORE].map((one) => one.exec(plain)?.[1]);
  const subject = SUBJECT.exec(plain)?.[1];
  const known = [
    ...said.filter((one) => one !== undefined && (names.isUser(one) || USUAL.test(one))),
    ...(subject !== undefined && names.isUser(subject) ? [subject] : []),
  ];
  const all = new Set([...named, ...strangers.map(({ value }) => value), ...known]);
  const [one] = all;
  return all.size === 1 && one !== undefined ? one : null;
}

/** The program that is named, which may not run. */
export function programIn({ reading }: HostAsking): string | null {
  const all = reading.slots.filter(
    ({ part, place }) => part === 'program' || (part === 'stranger' && place !== 'user'),
  );
  return all.length === 1 ? (all[0]?.value ?? null) : null;
}

export type More = Partial<Plan> & Pick<Plan, 'kind' | 'table' | 'query'>;
export const planOf = (language: Language, more: More): Plan => ({
  ...{ language, conditions: [], column: null, limit: null, moment: null, stranger: null, name: null },
  unmeasured: [],
  ...more,
});

/** Asks for how long. */
export const SINCE_WHEN =
  /\b(?:since when|for how long|how long|seit wann|wie lange(?: schon)?|desde cuando|depuis quand|depuis combien de temps)\b/;
