/** What is open in a state, and what of it is not decided yet. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { itemsOf } from '../../../src/features/alerts/items.ts';
import type { AlertItem } from '../../../src/features/alerts/message.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import type { FurtherFacts, SiteFacts } from '../../../src/records/state.ts';
import { findingFrom, type StateParts, stateFrom } from '../../support/state.ts';

const shop = (parts: Partial<FurtherFacts>): FurtherFacts => ({
  ...{ name: 'shop', url: 'https://shop.example/', state: 'unknown', isProbed: true, isFailing: false },
  ...{ reason: 'it does not answer', certificateDays: null, advice: [] },
  ...parts,
});

const main = (parts: Partial<SiteFacts>): SiteFacts => ({
  ...stateFrom().desk.site,
  ...{ configured: true, url: 'https://example.org/', status: 0, reason: 'it does not answer', probedMs: 1 },
  ...parts,
});

function sitesOf(sites: readonly FurtherFacts[], site: SiteFacts = stateFrom().desk.site) {
  const state = stateFrom();
  const items = itemsOf({ ...state, desk: { ...state.desk, sites, site } }, new Map(), true);
  return [...items.values()]
    .filter(({ check }) => check === 'site')
    .map(({ id, tentative = false }) => [id, tentative]);
}

test('a site that has not been probed, or has failed one probe, is not decided', () => {
  const id = 'reason:site:shop';
  assert.equal(sitesOf([shop({ isProbed: false })]), [[id, true]]);
  assert.equal(sitesOf([shop({ isFailing: true })]), [[id, true]]);
  assert.equal(sitesOf([shop({ state: 'down', isFailing: true })]), [[id, false]]);
  assert.equal(sitesOf([shop({})]), [[id, false]]);
  assert.equal(sitesOf([shop({ state: 'up' })]), []);
  assert.equal(sitesOf([], main({ probedMs: null })), [['reason:site:https://example.org/', true]]);
  assert.equal(sitesOf([], main({ isFailing: true })), [['reason:site:https://example.org/', true]]);
  assert.equal(sitesOf([], main({})), [['reason:site:https://example.org/', false]]);
});

test('each gap and each duty is an item of its own, with an id that does not depend on what else is open', () => {
  const counts = { userSpace: 40, descriptorsBlind: 39 };
  const probes = [{ id: 'sock_diag tcp4', works: false, reason: 'refused', cure: '' }];
  const idle = (reason: string) => ({ configured: true, healthy: false, reason });
  const idsOf = (parts: StateParts) =>
    [...itemsOf(stateFrom(parts), new Map(), true).values()].map(({ id, title }) => [id, title]);
  const idsWith = (parts: StateParts) => idsOf(parts).map(([id]) => id);
  assert.equal(idsWith({ snapshot: { counts } }), ['reason:blind:holders']);
  assert.equal(idsWith({ snapshot: { counts, probes } }), ['reason:blind:sockets', 'reason:blind:holders']);
  assert.equal(idsWith({ snapshot: { counts: { userSpace: 40, blindProcesses: 20 } } }), [
    'reason:blind:hidden',
  ]);
  const full = idle('the disk is full');
  assert.equal(idsOf({ duties: { av_close: full } }), [
    ['reason:duty:av_close', 'The duty av_close does not run; the disk is full.'],
  ]);
  // They are one issue, because they have one reason.
  assert.equal(idsOf({ duties: { secure_learn: full, av_close: full } }), [
    ['reason:duty:secure_learn', 'The duty secure_learn does not run; the disk is full.'],
    ['reason:duty:av_close', 'The duty av_close does not run; the disk is full.'],
  ]);
});

test('a loop that is late for a second is no item', () => {
  assert.equal([...itemsOf(stateFrom({ loop: { fresh: false, staleSec: 1 } }), new Map(), true).keys()], []);
});

test('a listener of a program that starts again is the same alert, that of another program, user or namespace another', () => {
  const listener = (
    inode: number,
    evidence: object = {},
    subject: object = {},
    more: Partial<Finding> = {},
  ) =>
    findingFrom({
      ...{ id: inode.toString(16).padStart(16, '0'), check: 'unknown-local-listener' },
      subject: {
        ...{ kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port: 8080, inode },
        ...subject,
      },
      evidence: {
        endpoint: 'tcp 127.0.0.1:8080',
        inode,
        creator_uid: 1000,
        executable: '/opt/app',
        ...evidence,
      },
      ...more,
    });
  const itemsWith = (...findings: readonly Finding[]) => [
    ...itemsOf(stateFrom({ findings }), new Map(), true).values(),
  ];
  const [{ id, next }] = itemsWith(listener(1)) as [AlertItem];
  assert.match(id, /^listener:[0-9a-f]{16}$/);
  assert.is(next, 'desk findings 0000000000000001');
  const same = [listener(2), listener(2, { executable: '/opt/app (deleted)' })];
  for (const one of same)
    assert.equal(
      itemsWith(one).map((item) => item.id),
      [id],
    );
  const others = [
    listener(2, { executable: '/opt/other' }),
    listener(2, { creator_uid: 0 }),
    listener(2, {}, { port: 8081 }),
    listener(2, {}, { namespace: 4026532511 }),
    listener(2, {}, {}, { check: 'public-listener' }),
  ];
  assert.is(new Set([id, ...others.flatMap((one) => itemsWith(one).map((item) => item.id))]).size, 6);
  const two = itemsWith(listener(2, {}, {}, { severity: 'high' }), listener(3));
  assert.equal(
    two.map((item) => [item.id, item.severity]),
    [[id, 'high']],
  );
});

test('before the first learning only critical findings are decided', () => {
  const findings = [
    findingFrom({ id: 'a', severity: 'high' }),
    findingFrom({ id: 'b', severity: 'critical' }),
  ];
  const state = stateFrom();
  const judged = { ...state, judgement: { ...state.judgement, findings } };
  const decided = (learned: boolean) =>
    ['a', 'b'].filter((id) => !itemsOf(judged, new Map(), learned).get(id)?.tentative);
  assert.equal(decided(false), ['b']);
  assert.equal(decided(true), ['a', 'b']);
});

test.run();
