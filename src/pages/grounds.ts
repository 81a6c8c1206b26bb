/** Where a measured value stands: a path into a record, to the place of the pages that shows it, else to the endpoint of the record. */

/** The first that a path begins with counts. */
export const PLACES: readonly (readonly [prefix: string, place: string])[] = [
  ['status.ok', '/#verdict'],
  ['status.grade', '/#verdict'],
  ['status.issues', '/#verdict'],
  ['status.ports', '/#ports'],
  ['status.scar_count', '/#gate'],
  ['status.atomic', '/#site'],
  ['status.nav', '/links.html'],
  ['status.whole_stick', '/links.html'],
  ['status.hostess_charge.antivirus.avenues', '/#avenues'],
  ['status.hostess_charge.antivirus.spv_', '/#wrap'],
  ['status.hostess_charge.improvements', '/#improvements'],
  ['status.hostess_charge.global_protect', '/#site'],
  ['status.hostess_charge.war_machine', '/hostess7.html'],
  ['status.hostess_charge.learn', '/hostess7.html#learn'],
  ['status.hostess_charge.mail', '/email/'],
  ['status.hostess_charge', '/h7/charge'],
  ['status', '/status'],
  ['charge', '/h7/charge'],
  ['detection.findings', '/#findings'],
  ['detection.notes', '/#notes'],
  ['detection', '/detection'],
  ['av', '/av'],
  ['scar', '/scar'],
  ['site', '/site'],
  ['live', '/h7/live'],
  ['page', '/h7/page'],
  ['people', '/email/'],
  ['who', '/email/'],
  ['mail', '/email/'],
];

/** `status.ok` → `/#verdict`; null where nothing is known to show it. */
export function placeOf(path: string): string | null {
  const finding = /^findings?[./[]"?([0-9a-f]{16})\b/.exec(path)?.[1];
  if (finding !== undefined) return `/findings/${finding}`;
  return (
    PLACES.find(
      ([prefix]) =>
        path.startsWith(prefix) && (/\W|_$/.test(prefix) || /^(\W|$)/.test(path.slice(prefix.length))),
    )?.[1] ?? null
  );
}

/** Characters of a value that are shown. */
const SHOWN = 160;

/** A value in a few characters: text as it is, everything else as JSON. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text === '') return '""';
  return text.length > SHOWN ? `${[...text].slice(0, SHOWN).join('')}…` : text;
}
