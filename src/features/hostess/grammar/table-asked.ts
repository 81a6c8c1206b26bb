/** Which table a question is about. Pure. */
import { SEVERITIES } from '../../../policy/severity.ts';
import type { Parts } from './parts.ts';
import type { Slot, SlotPart } from './read.ts';

/** Parts that only accounts have, and only what starts by itself. */
const ON_ACCOUNTS: readonly (readonly [SlotPart, string])[] = [
  ...[
    'can-log-in',
    'rights',
    'sudo',
    'no-password',
    'by-password',
    'never-logged-in',
    'login-shell',
    'password-set',
    'service-account',
    'person-account',
    'keys',
    'locked',
    'expired-account',
  ].map((trait) => ['trait', trait] as const),
  ...['last_login', 'shell', 'home', 'groups'].map((column) => ['column', column] as const),
];
const ON_STARTUP: readonly (readonly [SlotPart, string])[] = [
  ...['cron', 'timer', 'systemd', 'unvouched', 'vouched', 'set-uid', 'boot'].map(
    (trait) => ['trait', trait] as const,
  ),
  ['verb', 'autostart'],
];

/** Whether a question is about what only accounts have. */
export const isAboutAccounts = (slots: readonly Pick<Slot, 'part' | 'value'>[]): boolean =>
  slots.some((slot) => ON_ACCOUNTS.some(([part, value]) => slot.part === part && slot.value === value));

/** What a number with these is: a port. */
const LISTENING: readonly (readonly [SlotPart, string])[] = [
  ['trait', 'open'],
  ['trait', 'allowed'],
  ['trait', 'unlearned'],
];
/** Traits of findings alone. */
const JUDGED: readonly string[] = ['opened', ...SEVERITIES];

/** "What starts nginx", "where is nginx started", and not when. */
function asksWhatStarts(parts: Parts, asked: string): boolean {
  const starts = parts.has('column', 'start') && !parts.has('time') && !parts.has('order');
  const isOfUser =
    parts.has('user') &&
    (['cron', 'vouched', 'unvouched'].some((one) => parts.has('trait', one)) ||
      parts.slots.every(({ part }) => part === 'user' || part === 'column'));
  const isNot = parts.slots.some(({ negated }) => negated);
  if (!starts || isNot || !(parts.has('program') || parts.has('stranger') || isOfUser)) return false;
  return asked === 'where' || (asked === 'list' && !parts.has('facet') && !parts.has('word', 'back'));
}

/** The table that the parts are about; null when they do not say. */
export function tableOf(parts: Parts, asked: string): string | null {
  const all = parts.slots.filter(({ part }) => part === 'table').map(({ value }) => value);
  const names = new Set(all);
  if (names.has('blind')) return 'blind';
  for (const one of ['certificates', 'accounts', 'startup', 'packages']) if (names.has(one)) return one;
  if (parts.has('word', 'children')) return 'processes';
  const isOfServices =
    (['facet', 'program', 'stranger'] as const).some((one) => parts.has(one)) ||
    parts.has('trait', 'systemd') ||
    parts.slots.some(({ value, text }) => value === 'enabled' && text.includes(' '));
  if (
    parts.has('trait', 'boot') ||
    parts.has('trait', 'at-login') ||
    (parts.has('trait', 'enabled') && names.size === 0 && isOfServices)
  )
    return names.has('listeners') || names.has('findings') ? null : 'startup';
  const accepted = parts.slots.find(({ part, value }) => part === 'trait' && value === 'accepted');
  if (accepted !== undefined && (names.has('findings') || names.size === 0))
    return accepted.negated ? 'findings' : 'accepted';
  if (names.has('processes') && parts.has('trait', 'unlearned') && !parts.has('verb', 'listen'))
    return 'baseline_differences';
  const found = parts.has('about') || parts.has('check');
  if (names.has('findings')) return names.has('processes') && !found ? 'processes' : 'findings';
  if (names.has('processes') && found) return 'findings';
  if (isAboutAccounts(parts.slots) && names.size === 0) return 'accounts';
  // "How many users are there": nothing else is named.
  if (parts.has('facet', 'user') && parts.slots.every(({ part }) => part === 'facet') && names.size === 0)
    return 'accounts';
  if (parts.has('facet', 'user') && parts.has('number') && !parts.has('verb') && names.size === 0)
    return 'accounts';
  if (ON_STARTUP.some(([part, value]) => parts.has(part, value)) && names.size === 0) return 'startup';
  if (names.size === 0 && asksWhatStarts(parts, asked)) return 'startup';
  if (names.has('listeners') || parts.has('address')) return 'listeners';
  if (names.has('ports')) return 'ports';
  // "Which services are exposed", "exposed that should not be".
  const isOfExposed = parts.has('facet', 'program') || parts.has('trait', 'unlearned');
  const isExposed = parts.has('trait', 'public') && isOfExposed && asked !== 'count';
  if (names.size === 0 && isExposed && !parts.has('deskport')) return 'listeners';
  const port = parts.has('word', 'port');
  if (
    port &&
    (parts.has('trait', 'required') || parts.has('trait', 'down') || parts.has('trait', 'up')) &&
    !parts.has('number')
  )
    return 'ports';
  if (parts.has('verb', 'listen')) return 'listeners';
  if (port && parts.slots.length === 1) return 'ports';
  if (port && !parts.has('deskport')) return 'listeners';
  const isHeld = parts.has('verb', 'hold') && !parts.has('trait', 'up');
  const isOfListener = isHeld || LISTENING.some(([part, value]) => parts.has(part, value));
  const isOfUser = names.has('processes') && parts.has('facet', 'user');
  if (isOfListener && parts.has('number') && !isOfUser) return 'listeners';
  if (names.size === 0 && JUDGED.some((value) => parts.has('trait', value))) return 'findings';
  for (const one of ['generations', 'gate_runs']) if (names.has(one)) return one;
  if (names.has('processes')) return 'processes';
  // "What is down".
  const isOnly = names.size === 0 && parts.slots.every(({ part }) => part === 'trait');
  if (asked === 'list' && isOnly && parts.has('trait', 'down')) return 'ports';
  if (found) return asked === 'list' || asked === 'who' ? null : 'findings';
  if (
    parts.has('facet', 'program') ||
    parts.has('program') ||
    (parts.has('stranger') && parts.has('column', 'pid')) ||
    parts.has('verb', 'run') ||
    parts.has('user') ||
    parts.has('column', 'threads') ||
    parts.has('trait', 'zombie') ||
    parts.has('trait', 'seccomp') ||
    parts.has('trait', 'deleted') ||
    parts.has('trait', 'lsm') ||
    parts.has('trait', 'kernel') ||
    parts.has('trait', 'free') ||
    parts.has('trait', 'wrapped') ||
    parts.has('column', 'start')
  )
    return 'processes';
  return null;
}
