/** The facts behind the duties: each failing part breaks its own duty, with a remedy. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DutyState, dutiesOf } from '../../src/service/desk-facts.ts';

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
  fieldTrouble: '',
  quarantineTrouble: '',
  deferred: true,
  mailTrouble: null,
};

/** Duties that are configured and not healthy, with their reasons. */
const broken = (state: Partial<DutyState>) =>
  Object.entries(dutiesOf({ ...healthy, ...state }))
    .filter(([, duty]) => duty.configured && !duty.healthy)
    .map(([name, { reason }]) => [name, reason]);

test('without faults nothing is reported', () => {
  assert.equal(broken({}), []);
});

test('a failing part breaks only its own duties', () => {
  assert.equal(broken({ lawTrouble: 'law' }), [['law_pack', 'law']]);
  assert.equal(broken({ storeTrouble: 'store' }), [['learning_security', 'store']]);
  const names = (state: Partial<DutyState>) => broken(state).map(([name]) => name);
  assert.equal(names({ folderTrouble: 'folder' }), ['secure_learn', 'av_close', 'field_clear']);
  assert.equal(names({ fieldTrouble: 'EACCES' }), ['field_hygiene', 'field_clear']);
  assert.equal(broken({ quarantineTrouble: 'EACCES' }), [['field_clear', 'EACCES']]);
  assert.equal(names({ residueTimer: false }), ['field_hygiene']);
  assert.equal(names({ storeFailure: 'disk' }), ['secure_learn', 'av_close', 'trickle_train']);
  assert.equal(names({ startTrouble: 'no desk-start' }), ['antivirus', 'av_close']);
});

test('a failing mail source breaks the duties mail_people and trickle_train; without sources there are none', () => {
  assert.equal(broken({ deferred: false, mailTrouble: 'imap: refused' }), [
    ['trickle_train', 'imap: refused'],
    ['mail_people', 'imap: refused'],
  ]);
  assert.equal(broken({ mailTrouble: '' }), []);
});

test('a helper that does not work breaks the antivirus duty and the full pass, with a remedy', () => {
  const duties = broken({ peekTrouble: 'the peek helper does not work (ENOENT)' });
  assert.equal(
    duties.map(([duty]) => duty),
    ['antivirus', 'av_close'],
  );
  const reason = duties[0]?.[1];
  assert.match(reason ?? '', /^the peek helper does not work \(ENOENT\), run "node native\/build\.mjs"/);
  assert.not.match(reason ?? '', /;/);
});

test.run();
