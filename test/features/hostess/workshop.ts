/** A scene for questions that combine: a shop on a workshop machine, with what the other scenes lack. */
import type { Accepted, Finding } from '../../../src/findings/finding.ts';
import type { LedgerPerson } from '../../../src/records/ledger.ts';
import { personFrom } from '../../support/fake-desk.ts';
import { startedAgo } from '../../support/scene-machine.ts';
import { SCENE_NOW, sceneOf } from '../../support/scenes.ts';
import { findingFrom, noteFrom, type StateParts } from '../../support/state.ts';
import type { ProcessRow } from '../../support/table.ts';

/** Seconds before the scene. */
const STARTED_SEC = 12 * 3_600;
const MIN = 60;

const local = (agoSec: number): string =>
  new Date(SCENE_NOW - agoSec * 1000 + 3_600_000).toISOString().replace('Z', '+01:00');

const row = (pid: number, uid: number, exe: string, parts: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  uid,
  exe,
  comm: exe.slice(exe.lastIndexOf('/') + 1),
  start: startedAgo(STARTED_SEC),
  ...parts,
});

const PROCESSES: readonly ProcessRow[] = [
  row(1, 0, '/usr/lib/systemd/systemd', { start: 2n }),
  ...[300, 301, 302, 303, 304, 305, 306, 307, 308].map((pid) => row(pid, 0, `/usr/sbin/part${pid}`)),
  row(520, 0, '/usr/sbin/sshd'),
  row(252, 0, '/usr/local/bin/orderd', { threads: 24, start: startedAgo(STARTED_SEC - 90) }),
  row(270, 0, '/usr/bin/vault', { threads: 2 }),
  row(600, 1000, '/usr/bin/node', { threads: 16, start: startedAgo(STARTED_SEC - 200) }),
  row(601, 1000, '/usr/bin/node', { threads: 13, start: startedAgo(STARTED_SEC - 210) }),
  row(700, 1000, '/usr/bin/python3', { start: startedAgo(40 * MIN) }),
  row(710, 1000, '/tmp/.cache/helper', { start: startedAgo(30 * MIN) }),
  row(720, 1000, '/usr/bin/less', { start: startedAgo(20 * MIN) }),
  row(810, 33, '/usr/sbin/webd', { threads: 5 }),
  row(811, 33, '/usr/bin/sleep', { start: startedAgo(STARTED_SEC - 400) }),
];

const holder = (pid: number) => [
  { pid, start: String(PROCESSES.find((one) => one.pid === pid)?.start ?? 0n), fd: 7 },
];
const listener = (port: number, pid: number, executable: string, address: string, inode: number) => ({
  ...{ port, executable, address, inode },
  creatorUid: PROCESSES.find((one) => one.pid === pid)?.uid ?? 0,
  holders: holder(pid),
});

const LISTENERS = [
  listener(48_803, 252, '/usr/local/bin/orderd', '0.0.0.0', 501),
  listener(48_804, 252, '/usr/local/bin/orderd', '127.0.0.1', 502),
  listener(48_805, 252, '/usr/local/bin/orderd', '127.0.0.1', 503),
  listener(18_772, 600, '/usr/bin/node', '127.0.0.1', 504),
  listener(18_770, 600, '/usr/bin/node', '127.0.0.1', 505),
  listener(18_780, 600, '/usr/bin/node', '127.0.0.1', 506),
  listener(48_790, 700, '/usr/bin/python3', '0.0.0.0', 507),
  listener(22, 520, '/usr/sbin/sshd', '0.0.0.0', 508),
];

/** Learned listeners, by port. */
export const WORKSHOP_LEARNED: ReadonlySet<number> = new Set([48_803, 48_804, 48_805, 22]);

const processSubject = (pid: number): Finding['subject'] => {
  const { comm = '', exe = '', uid = 0, start = 0n } = PROCESSES.find((one) => one.pid === pid) as ProcessRow;
  const executable = String(exe);
  return {
    kind: 'process',
    pid,
    start: String(start),
    comm: String(comm),
    executable,
    identity: executable,
    uid,
  };
};

const seen = (sec: number) => ({ firstSeen: local(sec), lastSeen: local(2) });

export const WORKSHOP_FINDINGS: readonly Finding[] = [
  findingFrom({
    ...{ ...seen(45 * MIN), id: 'a000000000000001', check: 'ld-preload', severity: 'high' },
    subject: processSubject(720),
    summary: 'Process 720 (less) was started with LD_PRELOAD=/home/ann/lib.so',
    benign: 'a developer traces a program of their own',
    remedy: 'end process 720, and start it without LD_PRELOAD',
  }),
  findingFrom({
    ...{
      ...seen(35 * MIN),
      id: 'a000000000000002',
      check: 'public-listener',
      avenue: 'public_listen',
      severity: 'medium',
    },
    subject: { kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 48_790, inode: 507 },
    summary: 'tcp 0.0.0.0:48790 is held by python3 and was never learned',
    benign: 'a service that you installed',
    remedy: 'end process 700, or learn it with desk secure learn once',
  }),
  findingFrom({
    ...{ ...seen(30 * MIN), id: 'a000000000000003', check: 'temp-executable', severity: 'medium' },
    subject: processSubject(710),
    summary: 'Process 710 runs /tmp/.cache/helper from a folder that everybody can write to',
    benign: 'an installer that is running',
    remedy: 'end process 710 and remove the file',
  }),
];

/** Findings that have closed: of the banned port, and an older one. */
export const WORKSHOP_CLOSED: readonly Finding[] = [
  findingFrom({
    ...{ id: 'a000000000000004', check: 'banned-listener', avenue: 'public_listen', severity: 'critical' },
    subject: { kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port: 8_766, inode: 420 },
    summary: 'tcp 127.0.0.1:8766 is a banned port and it is up, held by vault',
    firstSeen: local(3 * 3_600),
    lastSeen: local(3 * 3_600 - 4),
  }),
  findingFrom({
    ...{ id: 'a000000000000005', check: 'traced', severity: 'medium' },
    summary: 'Process 500 was traced by process 800',
    firstSeen: local(2 * 86_400),
    lastSeen: local(86_400 + 14 * 3_600),
  }),
];

export const WORKSHOP_ACCEPTED: readonly Accepted[] = [
  {
    id: '00aa11bb22cc',
    covers: [
      { key: 'check', value: 'writable-code' },
      { key: 'executable', value: '/usr/bin/node' },
    ],
    why: 'it compiles while it runs',
    expiresMs: null,
    acceptedMs: SCENE_NOW - 4 * 86_400_000,
  },
];

export const WORKSHOP_PEOPLE: readonly LedgerPerson[] = [
  personFrom({
    ...{ address: 'bob.keller@example.net', name: 'Bob Keller', names: ['Bob Keller'] },
    ...{ received: 2, sent: 1, firstContact: 'out' },
  }),
  personFrom({
    ...{ address: 'marie.dubois@examp1e.org', name: 'Marie Dubois', names: ['Marie Dubois'] },
    ...{ received: 1, sent: 0, firstContact: 'in' },
    warnings: [{ kind: 'look-alike', about: 'marie.dubois@example.org' }] as never,
  }),
];

export function workshopParts(): StateParts {
  const good = sceneOf('healthy').parts;
  return {
    ...good,
    config: {
      ...good.config,
      ports: [
        { name: 'control', port: 18_772 },
        { name: 'shop-api', port: 48_800, required: true },
        { name: 'orders', port: 48_803, required: true },
      ],
    },
    snapshot: { ...good.snapshot, processes: PROCESSES, listeners: LISTENERS },
    findings: WORKSHOP_FINDINGS,
    suppressed: [],
    notes: [
      noteFrom({
        check: 'hidden-port',
        reason: '2 sockets could not be tried',
        cure: 'run the service as root',
      }),
    ],
    blind: 1,
    remedies: {
      pending: [],
      refused: [],
      shutDown: [
        {
          ...{ at: local(3 * 3_600 - 4), finding: 'a000000000000004', protocol: 'tcp', address: '127.0.0.1' },
          ...{
            port: 8_766,
            executable: '/usr/bin/vault',
            uid: 0,
            ended: 'SIGTERM',
            by: 'policy',
            times: 1,
            about: null,
          },
        },
      ],
    },
  };
}
