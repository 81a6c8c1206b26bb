/** Every boolean and every state of the three records changes when the fact it reports is bad. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chargeReport } from '../../src/records/charge-report.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { FLAGS } from '../support/flags.ts';
import { type StateParts, stateFrom } from '../support/state.ts';

const RECORDS = { status: deskStatus, charge: chargeReport, av: deskHygiene };

function valueAt(path: string, parts: StateParts): unknown {
  const [record = '', ...keys] = path.split('.');
  let value: unknown = RECORDS[record as keyof typeof RECORDS].assemble(stateFrom(parts));
  for (const key of keys) value = (value as Record<string, unknown>)[key];
  return value;
}

for (const [path, { good, bad }] of Object.entries(FLAGS))
  test(`${path}: ${good[1]} becomes ${bad[1]}`, () => {
    assert.is(valueAt(path, good[0]), good[1]);
    assert.is(valueAt(path, bad[0]), bad[1]);
    assert.is.not(good[1], bad[1]);
  });

test.run();
