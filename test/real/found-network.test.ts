/** The checks about sockets and interfaces, each failing for real in a separate network namespace, next to benign ones. */
import { mkdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/findings/finding.ts';
import { compiled } from '../support/compile.ts';
import { expect } from '../support/expect.ts';
import type { Seen } from '../support/recheck.ts';
import { testsNeeding } from '../support/require.ts';
import { ALONE, causes, elsewhere, inFolder, pidOf, startActorsAlone } from './scene.ts';

const test = suite('found in a network');
const it = testsNeeding(test, 'compiler', 'root', 'namespaces', 'ip');

/** `check severity port`, sorted. */
const ports = ({ findings }: Pick<Seen, 'findings'>): readonly string[] =>
  findings
    .map(({ check, severity, subject }) =>
      [check, severity, subject.kind === 'listener' ? subject.port : '-'].join(' '),
    )
    .sort();

/** On some machines pid 1 has more capabilities than root and hides its descriptors: then no socket is reported as ownerless. */
const everybodyIsRead = (): boolean => {
  try {
    return readlinkSync('/proc/1/exe') !== '';
  } catch {
    return false;
  }
};

const LISTENER_CHECKS = ['public-listener', 'unknown-local-listener', 'banned-listener', 'ownerless-socket'];

it('public-listener, unknown-local-listener, banned-listener, ownerless-socket: each is found, with its holders', async () => {
  const program = compiled('actor.cc');
  const actors = [
    'listen=0.0.0.0:7001',
    'listen=127.0.0.1:7002',
    'listen=127.0.0.1:8766',
    'inflight=127.0.0.1:7003',
    // Learned; allowed by the law, next to the banned one; learned as ownerless; and the port of the kernel's NFS.
    'listen=0.0.0.0:7004',
    'listen=127.0.0.1:7005',
    'listen=0.0.0.0:7006',
    'listen=127.0.0.1:8765',
    'inflight=127.0.0.1:7007',
    'inflight=127.0.0.1:2049',
  ];
  const known = [
    ...[`public tcp 7004 ${program}`, `loopback tcp 7005 ${program}`, `loopback tcp 8765 ${program}`],
    'loopback tcp 7007 ownerless',
  ];
  const allowed = { ports: [7006], protocol: 'tcp', scope: 'public', executable: program } as const;
  const law = { allowedListeners: [{ ...allowed, why: 'ours', expiresMs: null }] };
  await using made = await startActorsAlone(actors);
  const scene = { checks: LISTENER_CHECKS, law, known };
  const seen = await elsewhere(scene, { networkOf: made.pid(0) });
  const ownerless = ports(seen).filter((one) => one.startsWith('ownerless'));
  expect(ports(seen).filter((one) => !ownerless.includes(one))).equals([
    'banned-listener critical 8766',
    'public-listener high 7001',
    'unknown-local-listener medium 2049',
    'unknown-local-listener medium 7002',
    'unknown-local-listener medium 7003',
    ...(everybodyIsRead() ? [] : ['unknown-local-listener medium 7007']),
  ]);
  const blind = seen.notes.filter(({ check }) => check === 'ownerless-socket');
  if (everybodyIsRead()) {
    assert.equal([ownerless, blind], [['ownerless-socket high 7003'], []]);
    expect(seen.suppressed.map(({ check, name }) => [check, name])).equals([
      ['ownerless-socket', 'kernel-nfs'],
    ]);
  } else assert.equal([ownerless, blind.map(({ subjects }) => subjects)], [[], [3]]);
  const of = (port: number) =>
    seen.findings.find(({ subject }) => subject.kind === 'listener' && subject.port === port);
  for (const [at, port] of [7001, 7002, 8766].entries()) {
    assert.is(of(port)?.evidence.holders, `${made.pid(at)}`, `${port}`);
    assert.is(of(port)?.evidence.executable, program);
  }
  assert.equal([of(7001)?.avenue, of(7002)?.avenue], ['public_listen', 'unknown_local']);
});

const NAMESPACE_CHECKS = ['public-listener', 'banned-listener'];

it('public-listener, banned-listener: in another network namespace, labelled with it', async () => {
  await using made = await startActorsAlone([
    'listen=0.0.0.0:7021',
    'listen=127.0.0.1:7022',
    'listen=127.0.0.1:8766',
  ]);
  const namespace = Number(/\d+/.exec(readlinkSync(`/proc/${made.pid(0)}/ns/net`))?.[0]);
  const there = ({ subject }: Pick<Finding, 'subject'>): boolean =>
    subject.kind === 'listener' && subject.namespace === namespace;
  const seen = await elsewhere({ checks: NAMESPACE_CHECKS, known: [], slow: {} });
  const findings = seen.findings.filter(there);
  assert.equal(ports({ findings }), ['banned-listener critical 8766']);
  const { evidence, evidenceClass } = findings[0] as Finding;
  assert.equal(
    [evidence.namespace, evidence.holders, evidence.executable, evidenceClass],
    [namespace, `${made.pid(2)}`, compiled('actor.cc'), 'other-namespace'],
  );
  expect(
    seen.suppressed
      .filter(there)
      .map(({ check, name, subject }) => [check, name, subject.kind === 'listener' && subject.port]),
  ).equals([['public-listener', 'other-namespace', 7021]]);
  const ours = [...seen.findings, ...seen.suppressed].filter(
    ({ subject }) =>
      subject.kind === 'listener' && subject.namespace === undefined && [7021, 7022].includes(subject.port),
  );
  assert.equal(ours, []);
});

it('packet-socket: only the process that reads raw frames is found', async () => {
  const seen = await elsewhere({ checks: ['packet-socket'], actors: ['packet', 'plain'] }, ALONE);
  assert.equal(seen.findings.map(pidOf), [seen.actors[0]]);
  assert.equal([seen.findings[0]?.severity, seen.findings[0]?.evidence.protocols], ['medium', 'all']);
});

it(
  'packet-socket: a DHCP client is explained by its path',
  inFolder(async (folder) => {
    // A folder of links to the files in /usr/sbin, and one more program.
    const kept = join(folder, 'sbin');
    mkdirSync(kept);
    const shell = `${ALONE.shell}; mount --bind /usr/sbin ${kept}; mount -t tmpfs tmpfs /usr/sbin; ln -s ${kept}/* /usr/sbin; cp ${compiled('actor.cc')} /usr/sbin/dhclient`;
    const scene = { checks: ['packet-socket'], actors: ['packet'], actor: '/usr/sbin/dhclient' };
    const seen = await elsewhere(scene, { ...ALONE, shell });
    assert.equal([seen.findings, causes(seen, seen.actors[0] ?? 0)], [[], ['dhclient']]);
  }),
);

it(
  'promiscuous-interface: found with the program that set it; a virtual link is explained',
  inFolder(async (folder) => {
    const sys = join(folder, 'sys');
    mkdirSync(sys);
    const scene = { checks: ['promiscuous-interface'], engine: { sys } };
    const shell = `mount -t sysfs sysfs ${sys}; ip link add v0 type veth peer name v1; ip link set v0 promisc on`;
    const seen = await elsewhere({ ...scene, actors: ['promiscuous'] }, { ...ALONE, shell });
    const [found] = seen.findings;
    assert.equal([seen.findings.length, found?.severity, found?.evidence.interface], [1, 'medium', 'lo']);
    assert.match(String(found?.evidence.watchers), /actor/);
    expect(
      seen.suppressed.map(({ name, subject }) => [name, subject.kind === 'host' && subject.name]),
    ).equals([['veth', 'interface v0']]);
  }),
);

it('hidden-port: a port missing from the kernel’s answer is found, a reported one is not', async () => {
  const rootkit = compiled('rootkit.cc', '-shared', '-fPIC', '-ldl');
  const actors = ['listen=127.0.0.1:7011', 'listen=0.0.0.0:7012', 'listen=127.0.0.1:7013'];
  const scene = { checks: ['hidden-port'], actors, slow: {} };
  const shell = `${ALONE.shell}; export HIDE_PORT=7011 LD_PRELOAD=${rootkit}`;
  const seen = await elsewhere(scene, { ...ALONE, shell });
  assert.equal(ports(seen).length, 1);
  const [found] = seen.findings;
  assert.equal([found?.severity, found?.evidence.port, found?.avenue], ['critical', 7011, 'unknown_local']);
});

test.run();
