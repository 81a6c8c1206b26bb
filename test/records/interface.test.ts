/** The three records have exactly the fields, types and constants of the interface, parsed from its document. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chargeReport } from '../../src/records/charge-report.ts';
import { type Described, describe } from '../../src/records/describe.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { interfaceTable } from '../support/interface-tables.ts';

/** A minimum of rows per table, so that a parser that finds nothing fails. */
const CASES: readonly (readonly [string, Described, number])[] = [
  ['Desk status record', deskStatus, 130],
  ['Charge report (word `H7_CHARGE`)', chargeReport, 100],
  ['Desk hygiene record (word `DESK_AV`)', deskHygiene, 50],
];

for (const [heading, record, least] of CASES) {
  const promised = interfaceTable(heading);
  const rows = describe(record);

  test(`${record.name}: the keys are those of the interface`, () => {
    assert.ok(promised.size >= least, `only ${promised.size} rows were read`);
    assert.equal(rows.map(({ path }) => path).sort(), [...promised.keys()].sort());
  });

  test(`${record.name}: every type is that of the interface`, () => {
    const ours = rows.map(({ path, type }) => `${path}: ${type}`);
    assert.equal(ours.sort(), [...promised].map(([path, { type }]) => `${path}: ${type}`).sort());
  });

  test(`${record.name}: every constant of the interface is in the schema`, () => {
    const constants = [...promised].filter(([, { constant }]) => constant !== undefined);
    assert.ok(constants.length > 0);
    for (const [path, { constant }] of constants)
      assert.is(rows.find((row) => row.path === path)?.constant, constant, path);
  });

  test(`${record.name}: every field has a description`, () => {
    for (const { path, meaning } of rows) assert.ok(meaning.length >= 8, path);
  });
}

test('the parser of the interface finds constants of every kind', () => {
  const status = interfaceTable('Desk status record');
  assert.is(status.get('constellation.kit')?.constant, '"NONOT-GOD-0001"');
  assert.is(status.get('constellation.language.word_end')?.constant, '["GO","FIRE","SHOOT"]');
  assert.is(status.get('constellation.c_is_flaw')?.constant, 'true');
  assert.is(status.get('identity.imap_port')?.constant, '993');
  assert.is(status.get('identity.ssl_mode')?.constant, '"ssl"');
  assert.is(status.get('iron.adjoin')?.type, 'int|null');
});

test.run();
