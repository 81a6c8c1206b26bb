/** What the duties rest on: each failing part breaks its own, and says what would help. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DutyState, dutiesOf, runs } from '../../src/service/desk-facts.ts';
import { snapshotFrom } from '../support/snapshot.ts';

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

test('nothing is wrong, and nothing is told', () => {
  assert.equal(broken({}), []);
});

test('a part that fails breaks its own duties', () => {
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

test('a source of mail that fails breaks the ledger and what trickles; without sources there is no such duty', () => {
  assert.equal(broken({ deferred: false, mailTrouble: 'imap: refused' }), [
    ['trickle_train', 'imap: refused'],
    ['mail_people', 'imap: refused'],
  ]);
  assert.equal(broken({ mailTrouble: '' }), []);
});

test('a helper that does not work breaks the antivirus duty and the full pass, with what helps', () => {
  const duties = broken({ peekTrouble: 'the peek helper does not work (ENOENT)' });
  assert.equal(
    duties.map(([duty]) => duty),
    ['antivirus', 'av_close'],
  );
  const reason = duties[0]?.[1];
  assert.match(reason ?? '', /^the peek helper does not work \(ENOENT\), run "npm rebuild/);
  assert.not.match(reason ?? '', /;/);
});

test('the mail client runs when its executable does, not what merely bears its name', () => {
  const client = (name: string, exe: string | undefined): boolean => {
    const process = { pid: 7, comm: 'claws-mail', ...(exe === undefined ? {} : { exe }) };
    const snapshot = snapshotFrom({ processes: [process], programs: [{ name, pids: [7] }] });
    return runs(snapshot, name);
  };
  assert.ok(client('claws-mail', '/usr/bin/claws-mail'));
  assert.ok(client('thunderbird', '/usr/lib/thunderbird/thunderbird'));
  assert.ok(client('/home/ada/bin/claws-mail', '/home/ada/bin/claws-mail'));
  assert.not.ok(client('claws-mail', '/tmp/claws-mail'));
  assert.not.ok(client('claws-mail', '/home/eve/claws-mail'));
  assert.not.ok(client('claws-mail', ''), 'its executable could not be read');
  assert.not.ok(client('/usr/bin/claws-mail', '/opt/usr/bin/claws-mail'));
  assert.not.ok(runs(snapshotFrom({ programs: [{ name: 'claws-mail', pids: [9] }] }), 'claws-mail'));
});

test.run();
