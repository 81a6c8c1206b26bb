/** What the duties rest on: each failing part breaks its own, and says what would help. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DutyState, dutiesOf } from '../src/desk-facts.ts';
import { snapshotFrom } from './support/snapshot.ts';

const test = suite('duties');

const healthy: DutyState = {
  service: true,
  residueTimer: true,
  storeTrouble: '',
  storeFailure: '',
  lawTrouble: '',
  peekTrouble: '',
  startTrouble: '',
  folderTrouble: '',
  deferred: true,
  mailTrouble: null,
};

/** Duties that are configured and not healthy, with their reasons. */
const broken = (state: Partial<DutyState>) =>
  Object.entries(dutiesOf(snapshotFrom({ processes: [{ pid: 1 }] }), { ...healthy, ...state }))
    .filter(([, duty]) => duty.configured && !duty.healthy)
    .map(([name, { reason }]) => [name, reason]);

test('nothing is wrong, and nothing is told', () => {
  assert.equal(broken({}), []);
});

test('a part that fails breaks its own duties', () => {
  assert.equal(broken({ lawTrouble: 'law' }), [['law_pack', 'law']]);
  assert.equal(broken({ storeTrouble: 'store' }), [['learning_security', 'store']]);
  assert.equal(broken({ folderTrouble: 'folder' }), [['field_clear', 'folder']]);
  assert.equal(
    broken({ storeFailure: 'disk' }).map(([name]) => name),
    ['secure_learn', 'trickle_train'],
  );
});

test('a source of mail that fails breaks the ledger and what trickles; without sources there is no such duty', () => {
  assert.equal(broken({ deferred: false, mailTrouble: 'imap: refused' }), [
    ['trickle_train', 'imap: refused'],
    ['mail_people', 'imap: refused'],
  ]);
  assert.equal(broken({ mailTrouble: '' }), []);
});

test('a helper that does not work breaks the antivirus duty, with what mends it', () => {
  const [[duty, reason] = [], ...others] = broken({ peekTrouble: 'the peek helper does not work (ENOENT)' });
  assert.equal([duty, others], ['antivirus', []]);
  assert.match(reason ?? '', /^the peek helper does not work \(ENOENT\), run "npm rebuild/);
  assert.not.match(reason ?? '', /;/);
});

test.run();
