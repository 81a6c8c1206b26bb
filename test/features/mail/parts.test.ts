/** Small parts of the mail process: positions, progress, settings. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../../src/config/schema.ts';
import { parsePlace } from '../../../src/features/mail/imap-source.ts';
import { mailSettings } from '../../../src/features/mail/settings.ts';
import { SourceProgress } from '../../../src/features/mail/source-progress.ts';
import { Waker } from '../../../src/features/mail/waker.ts';
import { forAll } from '../../support/for-all.ts';

test('a wake ends the current pause, or else the next one', async () => {
  const waker = new Waker();
  const pause = waker.wait(60_000);
  waker.wake();
  await pause;
  waker.wake();
  await waker.wait(60_000);
  await waker.wait(1);
  waker.wake();
  waker.clear();
  let awake = false;
  const next = waker.wait(60_000).then(() => {
    awake = true;
  });
  await new Promise(setImmediate);
  assert.is(awake, false);
  waker.wake();
  await next;
});

test('a position is read back as it was written, and a damaged one is ignored', () => {
  const place = { uidValidity: '4294967295', nextUid: 7, highestModseq: '18446744073709551615' };
  assert.equal(parsePlace(JSON.stringify(place)), place);
  assert.is(parsePlace(null), null);
  for (const text of [
    '',
    '{}',
    '[]',
    'null',
    '7',
    '{"uidValidity":1,"nextUid":2}',
    '{"uidValidity":"1","nextUid":0}',
    '{"uidValidity":"1","nextUid":1.5}',
    '{"uidValidity":"1","nextUid":1,"highestModseq":4}',
  ])
    assert.is(parsePlace(text), null, text);
  forAll(fc.oneof(fc.string(), fc.json()), (text) => {
    const parsed = parsePlace(text);
    assert.ok(parsed === null || parsed.nextUid >= 1);
  });
});

test('progress has the recent rate and the time left, and never exceeds the total', () => {
  let now = 0;
  let reports = 0;
  const progress = new SourceProgress(
    'imap',
    () => reports++,
    () => now,
  );
  assert.equal(progress.facts, {
    source: 'imap',
    state: 'waiting',
    reason: '',
    folders: 0,
    read: 0,
    progress: null,
    completeMs: null,
  });
  progress.begin(3, 1000);
  assert.equal(progress.facts.progress, { done: 0, total: 1000, perSec: 0, leftSec: null });
  for (let second = 1; second <= 4; second++) {
    now = second * 1000;
    progress.advance(100);
  }
  assert.equal(progress.facts.progress, { done: 400, total: 1000, perSec: 100, leftSec: 6 });
  // The rate drops: work from over ten seconds ago does not count.
  for (let second = 5; second <= 20; second++) {
    now = second * 1000;
    progress.advance(10);
  }
  assert.is(progress.facts.progress?.perSec, 10);
  progress.miss(40);
  assert.equal([progress.facts.progress?.total, progress.facts.progress?.leftSec], [960, 40]);
  progress.advance(500);
  assert.equal([progress.facts.progress?.done, progress.facts.progress?.total], [1060, 1060]);
  progress.complete();
  assert.equal(
    [progress.facts.state, progress.facts.progress, progress.facts.read, progress.facts.folders],
    ['watching', null, 1060, 3],
  );
  assert.ok(Math.abs((progress.facts.completeMs ?? 0) - Date.now()) < 60_000);
  // Nothing new: the state stays complete during the scan.
  progress.begin(3, 0);
  assert.is(progress.facts.state, 'watching');
  progress.failed('the server is away');
  assert.equal([progress.facts.state, progress.facts.reason], ['failed', 'the server is away']);
  progress.begin(3, 1);
  assert.equal([progress.facts.state, progress.facts.reason], ['importing', '']);
  assert.ok(reports > 20);
});

test('the user name is that of the server, else of the identity, else the address', () => {
  const settings = (identity: Record<string, string>) =>
    mailSettings(configSchema.parse({ identity, mail: { own_addresses: ['old@example.org'] } }), '/state');
  const full = settings({
    address: 'a@example.org',
    user: 'u@example.org',
    imap_user: 'i@example.org',
    smtp_user: 's',
  });
  assert.equal([full.imap.user, full.smtp.user], ['i@example.org', 's']);
  assert.equal(full.own, ['a@example.org', 'u@example.org', 'i@example.org', 'old@example.org']);
  const less = settings({ address: 'a@example.org', user: 'u' });
  assert.equal([less.imap.user, less.smtp.user], ['u', 'u']);
  const least = settings({ address: 'a@example.org' });
  assert.equal(
    [least.imap.user, least.smtp.user, least.own],
    ['a@example.org', 'a@example.org', ['a@example.org', 'old@example.org']],
  );
});

test.run();
