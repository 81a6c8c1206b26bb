/** What of a pass an answer has. */
import { suite } from 'uvu';
import { answerOf, type StartupQuestion } from '../../../src/features/startup/answer.ts';
import { expect } from '../../support/expect.ts';
import { CHANGED_MS, startupScan } from '../../support/startup.ts';
import { findingFrom } from '../../support/state.ts';

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

test('an entry has the ids of open findings about it, and when all was read', () => {
  const about = (parts: object) => findingFrom({ check: 'startup-entry', ...parts });
  const file = (path: string) => ({ kind: 'file', path }) as const;
  const own = { subject: file('/etc/cron.d/own') };
  const { entries, read } = answerOf(startupScan(), { show: 'all' }, [
    about({ ...own, id: '1111111111111111', evidence: { entry: '/opt/own --nightly' } }),
    about({ ...own, id: '2222222222222222', evidence: { entry: 'another line of the file' } }),
    about({
      ...own,
      id: '3333333333333333',
      check: 'odd-executable-path',
      evidence: { entry: '/opt/own --nightly' },
    }),
    about({
      subject: file('/usr/lib/systemd/system/cron.service'),
      id: '4444444444444444',
      check: 'packaged-file',
    }),
  ]);
  expect(entries.map(({ path, findings }) => [path, findings])).equals([
    ['/etc/sudoers', []],
    ['/etc/cron.d/own', ['1111111111111111']],
    ['/usr/lib/systemd/system/cron.service', ['4444444444444444']],
  ]);
  expect(read).equals(new Date(CHANGED_MS + 60_000).toISOString());
});

test.run();
