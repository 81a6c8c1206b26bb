import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_RESIDUE, type Residue } from '../src/checks/residue.ts';
import type { StateDir } from '../src/state-dir.ts';
import { Surroundings } from '../src/surroundings.ts';

const log = pino({ level: 'silent' });

const state: Pick<StateDir, 'lockHolders' | 'passwordSet' | 'trouble'> = {
  trouble: () => '',
  lockHolders: () => 1,
  passwordSet: () => true,
};

const stale = (count: number): Residue => ({
  files: Array.from({ length: count }, (_, at) => ({
    name: `${at}`,
    path: `/${at}`,
    what: 'temporary file',
    owner: 1,
  })),
  orphans: [{ pid: 7, start: '70', run: 6 }],
});

test('a state folder that is gone is told, keeps the last values and hurts nothing else', async () => {
  let gone = false;
  const residue = () => {
    if (gone) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    return stale(2);
  };
  const surroundings = new Surroundings({
    state,
    residue,
    passwordFile: '',
    changed: () => undefined,
    probeSite: async () => 204,
    log,
  });
  await surroundings.look();
  assert.equal([surroundings.fieldDirt, surroundings.passwordSet, surroundings.trouble], [3, true, '']);
  gone = true;
  await surroundings.look();
  assert.match(surroundings.trouble, /ENOENT/);
  assert.equal([surroundings.fieldDirt, surroundings.siteStatus], [3, 204]);
  gone = false;
  await surroundings.look();
  assert.is(surroundings.trouble, '');
});

test('a site probe that fails is no answer', async () => {
  const probeSite = () => Promise.reject(new Error('no'));
  const surroundings = new Surroundings({
    state,
    residue: () => NO_RESIDUE,
    passwordFile: '',
    changed: () => undefined,
    probeSite,
    log,
  });
  await surroundings.look();
  assert.is(surroundings.siteStatus, 0);
});

test('the timer says whether it runs', () => {
  const surroundings = new Surroundings({
    state,
    residue: () => NO_RESIDUE,
    passwordFile: '',
    changed: () => undefined,
    probeSite: undefined,
    log,
  });
  assert.not(surroundings.timerRuns);
  surroundings.start();
  assert.ok(surroundings.timerRuns);
  surroundings.stop();
  assert.not(surroundings.timerRuns);
});

test.run();
