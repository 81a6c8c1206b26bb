/** What of a pass an answer has. */
import { suite } from 'uvu';
import { answerOf, type StartupQuestion } from '../../../src/features/startup/answer.ts';
import { expect } from '../../support/expect.ts';
import { CHANGED_MS, startupScan } from '../../support/startup.ts';

const test = suite('startup answer');

const asked = (question: Partial<StartupQuestion>) => {
  const { entries, packaged } = answerOf(startupScan(), { show: 'unvouched', ...question }, []);
  return [entries.map(({ path, vouched }) => `${path} ${vouched}`), packaged];
};

test('what packages vouch for is counted, and listed when asked for, the most severe first', () => {
  expect(asked({})).equals([['/etc/sudoers changed', '/etc/cron.d/own none'], 1]);
  expect(asked({ show: 'all' })).equals([
    ['/etc/sudoers changed', '/etc/cron.d/own none', '/usr/lib/systemd/system/cron.service package'],
    0,
  ]);
});

test('by user, kind of place and time', () => {
  expect(asked({ user: 'ada' })).equals([['/etc/sudoers changed'], 0]);
  expect(asked({ place: 'crontab' })).equals([['/etc/cron.d/own none'], 0]);
  expect(asked({ place: 'nothing', show: 'all' })).equals([[], 0]);
  const since = new Date(CHANGED_MS).toISOString();
  expect(asked({ since, show: 'all' })).equals([['/etc/sudoers changed', '/etc/cron.d/own none'], 0]);
  // In another zone.
  expect(asked({ since: '2026-01-02T05:04:06+02:00', show: 'all' })).equals([[], 0]);
});

test.run();
