/** The people ledger as files of the state folder: `people.vcf` (vCard 4.0) and `people.json`, 0600, whole or not at all. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceSecretBy } from '../../base/private-file.ts';
import { jsonText } from '../../base/visible-text.ts';
import { utcTime } from '../../engine/time.ts';
import type { LedgerPerson } from '../../records/ledger.ts';
import type { LedgerReader } from './ledger/reader.ts';

export const EXPORTS = { vcard: 'people.vcf', json: 'people.json' } as const;
export type ExportFormat = keyof typeof EXPORTS;

export interface Exported {
  readonly path: string;
  readonly people: number;
}

/** As the interface names the fields. */
const fieldsOf = (person: LedgerPerson) => ({
  email: person.address,
  name: person.name,
  names: person.names,
  first_seen: utcTime(person.firstMs),
  last_seen: utcTime(person.lastMs),
  first_contact: person.firstContact,
  received: person.received,
  sent: person.sent,
  copied: person.copied,
  flags: [...(person.list ? ['list'] : []), ...(person.automated ? ['automated'] : [])],
  warnings: person.warnings,
});

/** Octets of a line without its end (section 3.2). */
const LONGEST_LINE = 75;

/** Section 3.4: what would end a value or a line is escaped. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\,;]/g, '\\$&')
    .replaceAll(/\r\n|[\r\n\u0085\u2028\u2029]/g, '\\n')
    .replaceAll(/\p{Cc}+/gu, ' ');

/** Folded between characters, never within one. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LONGEST_LINE) {
      lines.push(current);
      // The space that continues a line counts.
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  lines.push(current);
  return lines.join('\r\n');
}

/** vCard 4.0 (RFC 6350) of a person: the best known name, other names, the address. Lines end in CRLF. */
export function vcard(address: string, names: readonly string[]): string {
  const [name = address, ...others] = names;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `FN:${escaped(name)}`,
    ...(others.length > 0 ? [`NICKNAME:${others.map(escaped).join(',')}`] : []),
    `EMAIL:${escaped(address)}`,
    'END:VCARD',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Joins texts to writes of a few hundred persons. */
function* inParts(lines: Iterable<string>): Generator<string> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < 65_536) continue;
    yield part;
    part = '';
  }
  yield part;
}

const TORN = /^people\.(?:vcf|json)\.\d+\.tmp$/;

/** Removes the files of exports that were killed: only this process exports. */
function removeTorn(folder: string): void {
  for (const name of readdirSync(folder)) if (TORN.test(name)) rmSync(join(folder, name), { force: true });
}

/** Writes all people, in order of rank. @throws the system's error */
export function exportPeople(
  folder: string,
  format: ExportFormat,
  reader: Pick<LedgerReader, 'all'>,
): Exported {
  removeTorn(folder);
  const path = join(folder, EXPORTS[format]);
  let people = 0;
  function* texts(): Generator<string> {
    for (const person of reader.all()) {
      people += 1;
      if (format === 'vcard') yield vcard(person.address, person.names);
      else yield (people === 1 ? '[\n' : ',\n') + jsonText(fieldsOf(person));
    }
    if (format === 'json') yield people === 0 ? '[]\n' : '\n]\n';
  }
  replaceSecretBy(path, inParts(texts()));
  return { path, people };
}

/** Writes existing exports again: they may name a person who was removed. */
export function renewExports(folder: string, reader: Pick<LedgerReader, 'all'>): Exported[] {
  removeTorn(folder);
  return (Object.keys(EXPORTS) as ExportFormat[])
    .filter((format) => existsSync(join(folder, EXPORTS[format])))
    .map((format) => exportPeople(folder, format, reader));
}
