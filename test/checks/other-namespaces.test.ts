/** Listeners of other network namespaces, with prepared scans: labelled, explained, or blind; and confirmed by a second scan. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isScan, type ScanCheck } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import type { ListenerSubject } from '../../src/checks/subjects.ts';
import { Gathering } from '../../src/checks/verdicts.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { ForeignListener, ForeignReport } from '../../src/engine/foreign-listeners.ts';
import type { Refusal } from '../../src/engine/native/types.ts';
import { lawOf, NO_FILES } from '../../src/features/law/law.ts';
import { endpointKey, memberKey } from '../../src/findings/finding-id.ts';
import { bannedSuppression } from '../../src/findings/suppression.ts';
import type { Suppression } from '../../src/policy/law.ts';
import { expect } from '../support/expect.ts';
import { explained } from '../support/judge.ts';
import { looksThat, NO_FOREIGN } from '../support/looks.ts';
import { snapshotFrom } from '../support/snapshot.ts';

const config = configSchema.parse({ banned: { also: [4444] } });
const law = lawOf(config, NO_FILES);
const within = { pid: 700, start: '5', comm: 'sh', executable: '/bin/sh' };
const nginx = { pid: 812, start: '7', comm: 'nginx', executable: '/usr/sbin/nginx' };

const listener = (more: Partial<ForeignListener> = {}): ForeignListener => ({
  ...{ namespace: 4026532511, protocol: 'tcp', family: 4, address: '0.0.0.0', port: 80, scope: 'public' },
  ...{ inode: 9, creatorUid: 33, service: true, holders: [nginx], within },
  ...more,
});
const report = (...listeners: ForeignListener[]): ForeignReport => ({ ...NO_FOREIGN, listeners });

/** `answers` one scan after the other, then repeats the last one. */
async function say(id: string, answers: readonly (ForeignReport | Refusal)[], judgedBy = law) {
  const check = CHECKS.filter(isScan).find((one) => one.id === id) as ScanCheck;
  const gathering = new Gathering({ confirmed: true });
  let asked = 0;
  const scans = looksThat({
    foreignListeners: async () => answers[Math.min(asked++, answers.length - 1)] as ForeignReport,
  });
  const context = { snapshot: snapshotFrom(), law: judgedBy, known: null, scans };
  await check.scan(context, gathering.report(check), new AbortController().signal);
  const raw = gathering.verdicts();
  return { raw, asked, ...explained(raw, judgedBy, null, 0) };
}

test('public-listener: a listener of another namespace is labelled, and explained unless the cause is disabled', async () => {
  const seen = await say('public-listener', [report(listener())]);
  const [fail] = seen.raw.fails;
  assert.equal(
    [fail?.severity, fail?.avenue, fail?.evidence],
    [
      'high',
      'public_listen',
      {
        ...{ endpoint: 'tcp 0.0.0.0:80', inode: 9, creator_uid: 33, holders: '812' },
        ...{ executable: '/usr/sbin/nginx', namespace: 4026532511, pid: 700, comm: 'sh' },
      },
    ],
  );
  assert.match(fail?.summary ?? '', /held by pid 812 \(nginx\) in the network namespace 4026532511/);
  assert.equal([seen.verdicts.fails, seen.suppressed.map(({ name }) => name)], [[], ['other-namespace']]);
  const files = { ...NO_FILES, user: { ...NO_FILES.user, benign: { 'other-namespace': false } } };
  const strict = await say('public-listener', [report(listener())], lawOf(config, files));
  assert.equal([strict.verdicts.fail, strict.suppressed], [1, []]);
});

test('loopback, an ephemeral UDP port and a banned port are not public listeners', async () => {
  const others = [{ scope: 'loopback' }, { service: false }, { port: 8766 }, { port: 4444 }] as const;
  const seen = await say('public-listener', [report(...others.map(listener))]);
  assert.equal([seen.raw.pass, seen.raw.fail, seen.asked], [1, 0, 1]);
});

test('banned-listener: on any address, a critical finding that nothing suppresses', async () => {
  const loopback = listener({ address: '127.0.0.1', scope: 'loopback', port: 8766, holders: [] });
  const seen = await say('banned-listener', [
    report(loopback, listener({ port: 4444, inode: 10 }), listener()),
  ]);
  expect(seen.verdicts.fails.map(({ severity, avenue, confirmed }) => [severity, avenue, confirmed])).equals([
    ['critical', 'unknown_local', true],
    ['critical', 'public_listen', true],
  ]);
  assert.equal(seen.suppressed, []);
  assert.match(seen.verdicts.fails[0]?.summary ?? '', /of pid 700 \(sh\)$/);
});

test('a listener that only one scan shows is not reported; without one there is no second scan', async () => {
  const moved = listener({ namespace: 4026532999 });
  const once = await say('public-listener', [report(listener()), report(moved)]);
  assert.equal([once.raw.pass, once.raw.fail, once.asked], [1, 0, 2]);
  assert.is((await say('public-listener', [NO_FOREIGN])).asked, 1);
});

test('a namespace that cannot be read is blind, with a remedy, and affects no other namespace', async () => {
  const refusal = (code: string): Refusal => ({ errno: 1, code, source: 'test' });
  const closed = new Map([
    [11, refusal('EPERM')],
    [12, refusal('EPERM')],
    [13, refusal('EAGAIN')],
  ] as const);
  const seen = await say('banned-listener', [{ ...NO_FOREIGN, closed, left: 3, unread: [1, 50] }]);
  expect(seen.raw.notes.map(({ subjects }) => subjects)).equals([2, 2, 1, 3]);
  assert.match(seen.raw.notes[0]?.cure ?? '', /root.*CAP_SYS_ADMIN/);
  const at = { kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 8766, inode: 1 } as const;
  const some = await say('banned-listener', [{ ...NO_FOREIGN, closed }]);
  const hidden = (namespace?: number) =>
    some.raw.hidden('banned-listener', namespace === undefined ? at : { ...at, namespace });
  assert.equal([hidden(11), hidden(13), hidden(14), hidden()], [true, true, false, false]);
  const elsewhere = async (unread: readonly number[]) =>
    (await say('banned-listener', [{ ...NO_FOREIGN, entered: new Set([15]), unread }])).raw;
  const hides = (raw: Awaited<ReturnType<typeof elsewhere>>, namespace: number) =>
    raw.hidden('banned-listener', { ...at, namespace });
  const [init, several] = [await elsewhere([1]), await elsewhere([1, 50])];
  assert.equal([hides(init, 14), hides(several, 14), hides(several, 15)], [false, true, false]);
  const nothing = await say('public-listener', [refusal('EACCES')]);
  assert.equal([nothing.raw.blind, nothing.raw.pass], [1, 0]);
});

test('a listener of another namespace is not confused with ours on the same port and inode', () => {
  const ours = { kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 8766, inode: 1 } as const;
  const theirs: ListenerSubject = { ...ours, namespace: 4026532511 };
  assert.is.not(memberKey('banned-listener', ours), memberKey('banned-listener', theirs));
  assert.is.not(endpointKey('banned-listener', ours), endpointKey('banned-listener', theirs));
  const accepted: Suppression = {
    ...{ checks: ['banned-listener'], port: 8766, evidenceClass: ['other-namespace'], why: 'a container' },
    ...{ expiresMs: null, source: 'accepted', name: '' },
  };
  const suppressed = (subject: ListenerSubject): boolean =>
    bannedSuppression({ suppressions: [accepted] }, { ...subject, executable: '', creatorUid: 0 }, 0) !==
    null;
  assert.equal([suppressed(theirs), suppressed(ours)], [true, false]);
});

test.run();
