/** The checks of host facts, on hand-made snapshots. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../src/config/schema.ts';
import type { Host } from '../../src/engine/snapshot.ts';
import { lawOf } from '../../src/features/law/law.ts';
import { findingId } from '../../src/findings/finding-id.ts';
import { expect } from '../support/expect.ts';
import { checkOf, explained, judgeBy } from '../support/judge.ts';
import { SMALL_MACHINE, snapshotFrom } from '../support/snapshot.ts';
import type { ProcessRow } from '../support/table.ts';

const law = lawOf(configSchema.parse({}));

function say(id: string, host: Partial<Host>, rows: readonly ProcessRow[] = []) {
  const snapshot = snapshotFrom({ processes: [...SMALL_MACHINE, ...rows], host });
  const judged = judgeBy([checkOf(id)], { snapshot, law, known: null });
  const { verdicts, suppressed } = explained(judged, law, null, snapshot.at.epochMs);
  return { ...verdicts, suppressed: suppressed.map(({ name }) => name) };
}

const HOST_CHECKS = ['preload-file', 'packet-socket', 'promiscuous-interface', 'hidden-process'];

test('a quiet host passes, a host whose sources cannot be read is blind', () => {
  const refusal = { errno: 13, code: 'EACCES', source: 'test' };
  const closed = { preload: refusal, packets: refusal, promiscuous: refusal, covers: refusal };
  for (const id of HOST_CHECKS) {
    const quiet = say(id, {});
    assert.equal([quiet.pass, quiet.fail, quiet.blind], [1, 0, 0], id);
    const blind = say(id, closed);
    assert.equal([blind.pass, blind.fail, blind.blind], [0, 0, 1], id);
    assert.match(blind.notes[0]?.reason ?? '', /EACCES/);
    assert.match(blind.notes[0]?.cure ?? '', /root/);
  }
});

test('preload-file: a library is critical and named, a file of comments passes, snoopy is explained', () => {
  const found = say('preload-file', { preload: { bytes: 20, libraries: ['/lib/evil.so', '/lib/b.so'] } });
  assert.equal([found.fail, found.fails[0]?.severity], [1, 'critical']);
  assert.is(found.fails[0]?.evidenceClass, '/lib/evil.so /lib/b.so');
  assert.equal(found.fails[0]?.subject, { kind: 'file', path: '/etc/ld.so.preload' });
  assert.is(say('preload-file', { preload: { bytes: 9, libraries: [] } }).pass, 1);
  const snoopy = (...libraries: string[]) => say('preload-file', { preload: { bytes: 9, libraries } });
  assert.equal(snoopy('/lib/x86_64-linux-gnu/libsnoopy.so').suppressed, ['snoopy']);
  // With another library in the file, nothing is explained.
  assert.is(snoopy('/lib/x86_64-linux-gnu/libsnoopy.so', '/lib/evil.so').fail, 1);
});

const socket = (inode: number, parts = {}) => ({
  inode,
  uid: 0,
  protocol: 3,
  type: 3,
  interface: 0,
  ...parts,
});
const holder = (inode: number, pid: number, start = String(pid)) => ({ inode, pid, start, fd: 5 });

test('packet-socket: each holder is reported once, with all its sockets', () => {
  const sniffer = { pid: 1000, comm: 'tcpdump', exe: '/usr/bin/tcpdump', uid: 0 };
  const packets = {
    sockets: [socket(1), socket(2, { protocol: 0x88cc }), socket(3)],
    holders: [holder(1, 1000), holder(2, 1000), holder(3, 1001)],
    complete: true,
  };
  const found = say('packet-socket', { packets }, [sniffer, { pid: 1001, comm: 'other' }]);
  expect(found.fails.map(({ subject }) => subject.kind === 'process' && subject.pid)).equals([1000, 1001]);
  assert.equal([found.fails[0]?.evidence.inodes, found.fails[0]?.evidence.protocols], ['1 2', 'all 0x88cc']);
  assert.is(found.fails[0]?.severity, 'medium');
});

test('packet-socket: network managers are explained, other programs with their names are not', () => {
  const held = (row: ProcessRow) =>
    say(
      'packet-socket',
      { packets: { sockets: [socket(1)], holders: [holder(1, row.pid)], complete: true } },
      [row],
    );
  const networkd = { pid: 1000, comm: 'systemd-network', exe: '/usr/lib/systemd/systemd-networkd', uid: 998 };
  assert.equal(held(networkd).suppressed, ['networkd']);
  assert.equal(held({ pid: 1000, comm: 'dhclient', exe: '/usr/sbin/dhclient', uid: 0 }).suppressed, [
    'dhclient',
  ]);
  assert.is(held({ pid: 1000, comm: 'dhclient', exe: '/tmp/dhclient', uid: 0 }).fail, 1);
});

test('packet-socket: a socket without a holder is ownerless when every process was searched, else blind; a reused pid is not a holder', () => {
  const sockets = [socket(1), socket(2)];
  const ownerless = say('packet-socket', { packets: { sockets, holders: [], complete: true } });
  assert.equal([ownerless.fail, ownerless.fails[0]?.subject.kind], [1, 'host']);
  const blind = say('packet-socket', { packets: { sockets, holders: [], complete: false } });
  assert.equal([blind.fail, blind.blind], [0, 2]);
  const reused = { sockets, holders: [holder(1, 500, '4711')], complete: true };
  assert.is(say('packet-socket', { packets: reused }).fails[0]?.subject.kind, 'host');
});

test('promiscuous-interface: a plain interface fails and the listening program is named; those of bridges and containers are explained', () => {
  const interfaces = (...kinds: string[]) =>
    kinds.map((kind, at) => ({ name: `if${at}`, index: at + 1, kind }));
  const found = say('promiscuous-interface', { promiscuous: interfaces('plain', 'wlan') });
  expect(found.fails.map(({ subject }) => subject.kind === 'host' && subject.name)).equals([
    'interface if0',
    'interface if1',
  ]);
  const benign = say('promiscuous-interface', { promiscuous: interfaces('bridge', 'port', 'link') });
  assert.equal([benign.fail, benign.suppressed], [0, ['bridges', 'bridges', 'veth']]);
  const watched = (exe: string) =>
    say(
      'promiscuous-interface',
      {
        promiscuous: interfaces('plain'),
        packets: { sockets: [socket(9, { interface: 1 })], holders: [holder(9, 1000)], complete: true },
      },
      [{ pid: 1000, exe }],
    );
  assert.equal(watched('/usr/sbin/arpwatch').suppressed, ['arpwatch']);
  assert.is(watched('/usr/bin/tcpdump').fails[0]?.evidence.watchers, '/usr/bin/tcpdump');
});

test('hidden-process: a mount over a process is reported once per process, as the same finding as that of the scan', async () => {
  const cover = (pid: number, place = '') => ({
    pid,
    place,
    comm: 'evil',
    executable: '/opt/evil',
    start: '77',
  });
  const found = say('hidden-process', { covers: [cover(7), cover(9, 'fd'), cover(7, 'maps')] });
  assert.equal([found.fail, found.fails.length, found.fails[0]?.severity], [2, 2, 'critical']);
  assert.is(found.fails[0]?.evidence.mounted_over, '/proc/7 /proc/7/maps');
  assert.match(found.fails[1]?.summary ?? '', /\/proc\/9\/fd/);
  const slow: Parameters<typeof findingId>[0] = {
    check: checkOf('hidden-process'),
    subject: { kind: 'process', pid: 7, start: '77', comm: '', executable: '', identity: '', uid: null },
    evidence: {},
    evidenceClass: 'covered',
    severity: 'critical',
  };
  assert.is(findingId(found.fails[0] as Parameters<typeof findingId>[0]), findingId(slow));
});

test.run();
