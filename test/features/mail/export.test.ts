/** The ledger as vCard and JSON: complete, private, and safe against line injection by names. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exportPeople, renewExports, vcard } from '../../../src/features/mail/export.ts';
import { openLedgerReader } from '../../../src/features/mail/ledger/reader.ts';
import { person } from '../../../src/records/people.ts';
import { expect } from '../../support/expect.ts';
import { forAllOf } from '../../support/for-all.ts';
import { freshIn, messagesAlone, NOW, rowsOf, withLedger } from '../../support/ledger.ts';
import { corpus } from '../../support/mail-corpus.ts';
import { readHeader } from '../../support/message-facts.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('export of the ledger');
const root = tempFolder('desk-export-');

/** Content lines of RFC 6350: unfolded, each as name and unescaped values. */
function linesOf(text: string): [string, string[]][] {
  assert.ok(text.endsWith('\r\n'));
  for (const line of text.slice(0, -2).split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.not.match(line, /[\r\n]/);
  }
  return text
    .replaceAll('\r\n ', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => {
      const colon = line.indexOf(':');
      const values = line.slice(colon + 1).match(/(?:\\.|[^\\,])+/gsu) ?? [];
      return [
        line.slice(0, colon),
        values.map((value) =>
          value.replaceAll(/\\(.)/gsu, (_, char: string) => (char === 'n' ? '\n' : char)),
        ),
      ];
    });
}

test('a card contains the given names, whatever characters they have', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: 'grapheme', minLength: 40, maxLength: 120 }),
    fc.constantFrom('x\r\nEND:VCARD', 'a;b,c\\d', '\u2028TEL:1', 'ä'.repeat(99)),
  );
  forAllOf(500)(fc.array(name, { maxLength: 4 }), (names) => {
    const shown = (text: string) =>
      Buffer.from(
        text
          .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
          .map((line) => line.replaceAll(/\p{Cc}+/gu, ' '))
          .join('\n'),
      ).toString();
    const lines = linesOf(vcard('"a,b;c"@example.org', names));
    expect(lines.map(([property]) => property)).equals([
      'BEGIN',
      'VERSION',
      'FN',
      ...(names.length > 1 ? ['NICKNAME'] : []),
      'EMAIL',
      'END',
    ]);
    const values = new Map(lines);
    assert.equal(
      Buffer.from((values.get('FN') ?? []).join(',')).toString(),
      shown(names[0] ?? '"a,b;c"@example.org'),
    );
    assert.equal(values.get('EMAIL')?.join(','), '"a,b;c"@example.org');
    if (names.length > 1)
      expect((values.get('NICKNAME') ?? []).map((text) => Buffer.from(text).toString())).equals(
        names.slice(1).map(shown),
      );
  });
});

test('both files contain all people and no removed person', () => {
  const folder = freshIn(root);
  withLedger(folder, (ledger) => {
    ledger.commit(
      messagesAlone(
        [...corpus({ messages: 1200, people: 700 })].map(({ text }) => readHeader(Buffer.from(text), NOW)),
      ),
    );
    ledger.finish();
    const reader = openLedgerReader(folder);
    const json = exportPeople(folder, 'json', reader);
    const { path, people } = exportPeople(folder, 'vcard', reader);
    const rows = rowsOf(folder);
    assert.ok(rows.length > 500);
    assert.is(people, rows.length);
    assert.is(json.people, rows.length);
    const exported = JSON.parse(readFileSync(json.path, 'utf8')) as { email: string; received: number }[];
    // In the format of the interface.
    assert.equal(
      exported.map((one) => person.safeParse(one).error?.message),
      exported.map(() => undefined),
    );
    assert.equal(
      exported.map(({ email, received }) => `${email} ${received}`).sort(),
      rows.map(({ address, received }) => `${address} ${received}`).sort(),
    );
    const cards = linesOf(readFileSync(path, 'utf8'));
    assert.equal(
      cards
        .filter(([property]) => property === 'EMAIL')
        .map(([, [value]]) => value)
        .sort(),
      rows.map(({ address }) => address).sort(),
    );
    for (const name of ['people.vcf', 'people.json'])
      assert.is(statSync(join(folder, name)).mode & 0o777, 0o600);
    const gone = rows[0]?.address as string;
    // A leftover of a process that was killed while it wrote.
    writeFileSync(join(folder, 'people.json.4194303.tmp'), gone);
    assert.ok(ledger.forget(gone));
    assert.is(renewExports(folder, reader).length, 2);
    for (const name of ['people.vcf', 'people.json'])
      assert.not.ok(readFileSync(join(folder, name), 'utf8').includes(gone));
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).equals([]);
    reader.close();
  });
});

test('an empty ledger gives an empty file, and only existing exports are renewed', () => {
  const folder = freshIn(root);
  const reader = openLedgerReader(folder);
  assert.equal(renewExports(folder, reader), []);
  assert.equal(JSON.parse(readFileSync(exportPeople(folder, 'json', reader).path, 'utf8')), []);
  assert.is(readFileSync(exportPeople(folder, 'vcard', reader).path, 'utf8'), '');
  reader.close();
});

test.run();
