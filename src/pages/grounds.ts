/** Where a measured value is shown: from its path in a record to a place of the pages, or to the endpoint of the record. */

/** Records that the desk status contains too. */
const WITHIN: readonly (readonly [root: string, inStatus: string])[] = [
  ['charge', 'status.hostess_charge'],
  ['av', 'status.hostess_charge.antivirus'],
];

/** The first prefix that matches counts. */
export const PLACES: readonly (readonly [prefix: string, place: string])[] = [
  ['status.ok', '/#verdict'],
  ['status.grade', '/#verdict'],
  ['status.issues', '/#verdict'],
  ['status.ports', '/#ports'],
  ['status.scar_count', '/#gate'],
  ['status.atomic', '/site'],
  ['status.nav', '/links.html'],
  ['status.whole_stick', '/links.html'],
  ['status.hostess_charge.antivirus.avenues', '/#avenues'],
  ['status.hostess_charge.antivirus.spv_', '/#wrap'],
  ['status.hostess_charge.antivirus', '/av'],
  ['status.hostess_charge.scar_count', '/#gate'],
  ['status.hostess_charge.improvements', '/#improvements'],
  ['status.hostess_charge.global_protect', '/site'],
  ['status.hostess_charge.war_machine', '/hostess7.html'],
  ['status.hostess_charge.learn', '/hostess7.html#learn'],
  ['status.hostess_charge.mail', '/email/'],
  ['status.hostess_charge', '/h7/charge'],
  ['status', '/status'],
  ['detection.findings', '/#findings'],
  ['detection.notes', '/#notes'],
  ['detection', '/detection'],
  ['scar', '/scar'],
  ['gate_runs', '/scar/runs'],
  ['baseline_diff', '/hostess7.html#learn'],
  ['site', '/site'],
  ['live', '/h7/live'],
  ['page.banned', '/#ports'],
  ['page', '/h7/page'],
  ['processes', '/#processes'],
  ['listeners', '/#listeners'],
  ['startup_all', '/startup.html#starts'],
  ['startup', '/startup.html#starts'],
  ['accounts', '/startup.html#accounts'],
  ['packages', '/startup.html#packages'],
  ['people', '/email/'],
  ['who', '/email/'],
  ['mail', '/email/'],
];

/** `status.ok` → `/#verdict`; null where nothing is known to show it. */
export function placeOf(path: string): string | null {
  const finding = /^findings?[./[]"?([0-9a-f]{16})\b/.exec(path)?.[1];
  if (finding !== undefined) return `/findings/${finding}`;
  const [root, inStatus] = WITHIN.find(([name]) => beginsWith(path, name)) ?? ['', ''];
  const whole = inStatus + path.slice(root.length);
  return PLACES.find(([prefix]) => beginsWith(whole, prefix))?.[1] ?? null;
}

/** Whole names only, unless the prefix ends within one on purpose. */
const beginsWith = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (/\W|_$/.test(prefix) || /^(\W|$)/.test(path.slice(prefix.length)));

/** Characters of a value. */
const SHOWN = 160;

/** A short form of a value: text as it is, everything else as JSON. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text === '') return '""';
  return text.length > SHOWN ? `${[...text].slice(0, SHOWN).join('')}…` : text;
}
