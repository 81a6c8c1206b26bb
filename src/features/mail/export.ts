/** The people ledger as files of the state folder: `people.vcf` (vCard 4.0) and `people.json`, 0600, whole or not at all. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceSecretBy } from '../../base/private-file.ts';
import { jsonText } from '../../base/visible-text.ts';
import type { LedgerPerson } from '../../records/ledger.ts';
import type { LedgerReader } from './ledger/reader.ts';
import { vcard } from './vcard.ts';

export const EXPORTS = { vcard: 'people.vcf', json: 'people.json' } as const;
export type ExportFormat = keyof typeof EXPORTS;

export interface Exported {
  readonly path: string;
  readonly people: number;
}

const FORMATS = Object.keys(EXPORTS) as ExportFormat[];

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The file's words are those of the interface. */
const told = (person: LedgerPerson) => ({
  email: person.address,
  name: person.name,
  names: person.names,
  first_seen: time(person.firstMs),
  last_seen: time(person.lastMs),
  first_contact: person.firstContact,
  received: person.received,
  sent: person.sent,
  copied: person.copied,
  flags: [...(person.list ? ['list'] : []), ...(person.automated ? ['automated'] : [])],
  warnings: person.warnings,
});

function* jsonOf(people: Iterable<LedgerPerson>): Generator<string> {
  let before = '[\n';
  for (const person of people) {
    yield before + jsonText(told(person));
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function* vcardsOf(people: Iterable<LedgerPerson>): Generator<string> {
  for (const { address, names } of people) yield vcard(address, names);
}

/** A few hundred persons a write. */
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

/** Removes what an export left behind whose process was killed: nobody else than this process exports. */
function removeTorn(folder: string): void {
  for (const name of readdirSync(folder)) if (TORN.test(name)) rmSync(join(folder, name), { force: true });
}

/** Writes everybody, in order of rank. Throws what the system says when the file cannot be written. */
export function exportPeople(
  folder: string,
  format: ExportFormat,
  reader: Pick<LedgerReader, 'all'>,
): Exported {
  removeTorn(folder);
  const path = join(folder, EXPORTS[format]);
  let people = 0;
  const counted = function* (): Generator<LedgerPerson> {
    for (const person of reader.all()) {
      people += 1;
      yield person;
    }
  };
  replaceSecretBy(path, inParts(format === 'vcard' ? vcardsOf(counted()) : jsonOf(counted())));
  return { path, people };
}

/** Writes those files anew that stand there: after somebody was forgotten they would tell of them. */
export function renewExports(folder: string, reader: Pick<LedgerReader, 'all'>): Exported[] {
  removeTorn(folder);
  return FORMATS.filter((format) => existsSync(join(folder, EXPORTS[format]))).map((format) =>
    exportPeople(folder, format, reader),
  );
}
