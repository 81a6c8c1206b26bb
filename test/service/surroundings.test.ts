import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_RESIDUE, type Residue } from '../../src/checks/residue.ts';
import { Surroundings } from '../../src/service/surroundings.ts';
import type { StateDir } from '../../src/state-folder/state-folder.ts';

const log = pino({ level: 'silent' });

const state: Pick<StateDir, 'lockHolders' | 'passwordSet' | 'trouble' | 'lost'> = {
  trouble: () => '',
  lost: () => '',
  lockHolders: () => 1,
  passwordSet: () => true,
};

const watching = (parts: Partial<ConstructorParameters<typeof Surroundings>[0]>): Surroundings =>
  new Surroundings({
    state,
    residue: () => NO_RESIDUE,
    quarantine: () => '',
    passwordFile: '',
    refresh: async () => undefined,
    changed: () => undefined,
    log,
    ...parts,
  });

const stale = (count: number): Residue => ({
  files: Array.from({ length: count }, (_, at) => ({
    name: `${at}`,
    path: `/${at}`,
    what: 'temporary file',
    owner: 1,
  })),
  orphans: [{ pid: 7, start: '70', run: 6 }],
});

test('a missing state folder is reported, keeps the last values and affects nothing else', async () => {
  let gone = false;
  let refreshed = 0;
  const residue = () => {
    if (gone) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    return stale(2);
  };
  const surroundings = watching({
    residue,
    refresh: async () => {
      refreshed += 1;
    },
  });
  await surroundings.scan();
  assert.equal([surroundings.fieldDirt, surroundings.passwordSet, surroundings.trouble], [3, true, '']);
  gone = true;
  await surroundings.scan();
  assert.match(surroundings.trouble, /ENOENT/);
  assert.match(surroundings.fieldTrouble, /ENOENT/);
  assert.equal([surroundings.fieldDirt, refreshed], [3, 2]);
  gone = false;
  await surroundings.scan();
  assert.equal([surroundings.trouble, surroundings.fieldTrouble], ['', '']);
});

test('a folder that is replaced during a reading is read again at the next check', () => {
  let holders = 1;
  let replaced = false;
  const trouble = () => (replaced ? 'the state folder was replaced' : '');
  const surroundings = watching({
    state: {
      ...state,
      trouble,
      lost: trouble,
      lockHolders: () => {
        const counted = holders;
        // Right after they were counted.
        [holders, replaced] = [0, true];
        return counted;
      },
    },
  });
  surroundings.scanFolder();
  assert.ok(surroundings.glance());
  assert.equal([surroundings.lockHolders, surroundings.lost], [0, 'the state folder was replaced']);
});

test('each reading is independent: one that fails has its bad value, the others continue', async () => {
  let broken = false;
  const surroundings = watching({
    state: {
      ...state,
      lockHolders: () => (broken ? 0 : 1),
      passwordSet: () => {
        if (broken) throw new Error('closed');
        return true;
      },
    },
    residue: () => stale(1),
    quarantine: () => (broken ? 'the quarantine cannot be written' : ''),
  });
  const seen = () => {
    surroundings.scanFolder();
    const { lockHolders, passwordSet, quarantineTrouble, fieldDirt } = surroundings;
    return [lockHolders, passwordSet, quarantineTrouble, fieldDirt];
  };
  assert.equal(seen(), [1, true, '', 2]);
  broken = true;
  assert.equal(seen(), [0, false, 'the quarantine cannot be written', 2]);
});

test('a lost folder is read again at once, and the lock of the folder there now counts', () => {
  let lost = '';
  const surroundings = watching({
    state: { ...state, trouble: () => lost, lost: () => lost, lockHolders: () => (lost === '' ? 1 : 0) },
  });
  surroundings.scanFolder();
  assert.is(surroundings.lockHolders, 1);
  lost = 'the state folder is gone';
  assert.ok(surroundings.glance());
  assert.equal([surroundings.lost, surroundings.lockHolders], [lost, 0]);
  assert.not(surroundings.glance());
  lost = '';
  assert.ok(surroundings.glance());
  assert.equal([surroundings.lost, surroundings.lockHolders, surroundings.trouble], ['', 1, '']);
});

test('the timer reports whether it runs', () => {
  const surroundings = watching({});
  assert.not(surroundings.timerRuns);
  surroundings.start();
  assert.ok(surroundings.timerRuns);
  surroundings.stop();
  assert.not(surroundings.timerRuns);
});

test.run();
