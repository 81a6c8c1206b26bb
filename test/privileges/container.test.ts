/** What a container hides from the desk, read from made-up files of /proc. The real thing: test/real/container.test.ts. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ContainerView, containerView } from '../../src/privileges/container.ts';
import { CAPABILITY } from '../../src/privileges/table.ts';

const test = suite<{ folder: string }>('container', { folder: '' });
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-container-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

const ALL = Object.values(CAPABILITY).reduce((bits, bit) => bits | (1n << BigInt(bit)), 0n);

interface Scene {
  readonly pid?: string;
  readonly net?: string;
  readonly mnt?: string;
  /** The network namespace of kthreadd; "" when it may not be read. */
  readonly first?: string;
  /** `own`: the root of pid 1 is another folder than ours. */
  readonly machineRoot?: 'same' | 'own' | 'refused';
  readonly uidMap?: string;
  readonly capabilities?: bigint;
  readonly label?: string;
  readonly cgroup?: string;
  /** Files of the root. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly kernel?: string;
}

/** The machine itself, of a kernel without fixed numbers for all namespaces, unless the scene says otherwise. */
function seen(folder: string, scene: Scene): ContainerView | null {
  const [proc, root] = [join(folder, 'proc'), join(folder, 'root')];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const link = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    if (text !== '') symlinkSync(text, path);
  };
  mkdirSync(root);
  mkdirSync(join(folder, 'another'));
  link(join(proc, 'self/ns/pid'), scene.pid ?? 'pid:[4026531836]');
  link(join(proc, 'self/ns/net'), scene.net ?? 'net:[4026531992]');
  link(join(proc, 'self/ns/mnt'), scene.mnt ?? 'mnt:[4026531841]');
  link(join(proc, '2/ns/net'), scene.first ?? 'net:[4026531992]');
  const { machineRoot = 'same' } = scene;
  if (machineRoot !== 'refused')
    link(join(proc, '1/root'), machineRoot === 'same' ? root : join(folder, 'another'));
  write(join(proc, 'self/uid_map'), `${scene.uidMap ?? '         0          0 4294967295'}\n`);
  write(join(proc, 'self/status'), `Name:\tnode\nCapEff:\t${(scene.capabilities ?? ALL).toString(16)}\n`);
  write(join(proc, 'self/attr/current'), scene.label ?? 'unconfined\n');
  write(join(proc, 'self/cgroup'), scene.cgroup ?? '0::/user.slice\n');
  for (const [name, text] of Object.entries(scene.files ?? {})) write(join(root, name), text);
  return containerView({ proc, root, env: scene.env ?? {}, kernel: scene.kernel ?? '6.1.0-9-amd64' });
}

/** Sights that do not work, as id and option. */
const lost = (view: ContainerView | null): readonly string[] =>
  (view?.sights ?? []).filter(({ works }) => works !== true).map(({ id, flag }) => `${id} ${flag}`.trim());

test('the machine itself is no container', ({ folder }) => {
  assert.is(seen(folder, {}), null);
});

test('a file of Docker in the root of the machine shows no container', ({ folder }) => {
  assert.is(seen(folder, { files: { '.dockerenv': '' } }), null);
});

test('a container with every option hides only the files of the machine', ({ folder }) => {
  const view = seen(folder, { files: { 'run/.containerenv': '' }, machineRoot: 'own' });
  assert.is(view?.name, 'podman');
  assert.equal(lost(view), ['files']);
});

test('namespaces of its own are reported with the option that removes each', ({ folder }) => {
  const view = seen(folder, {
    files: { '.dockerenv': '' },
    pid: 'pid:[4026532200]',
    net: 'net:[4026532300]',
    uidMap: '0 1000 1',
    kernel: '6.18.2',
  });
  assert.is(view?.name, 'docker');
  assert.equal(lost(view), [
    'processes --pid=host',
    'network --network=host',
    'users --userns=host, started by root',
    'files',
  ]);
});

test('the network is compared with that of kthreadd; where that is hidden it is not known', ({ folder }) => {
  const scene = { cgroup: '0::/system.slice/docker-0a1b.scope\n', machineRoot: 'own' } as const;
  const networkOf = (name: string, more: Scene) => {
    mkdirSync(join(folder, name));
    return seen(join(folder, name), { ...scene, ...more })?.sights.find(({ id }) => id === 'network');
  };
  assert.is(networkOf('same', {})?.works, true);
  assert.is(networkOf('other', { net: 'net:[4026532300]' })?.works, false);
  const unknown = networkOf('hidden', { first: '' });
  assert.is(unknown?.works, null);
  assert.match(unknown?.reason ?? '', /not known/);
  assert.is(networkOf('fixed', { first: '', net: 'net:[4026531833]' })?.works, true);
});

test('each missing capability is named, with what does not work and its option', ({ folder }) => {
  const without = (1n << BigInt(CAPABILITY.SYS_PTRACE)) | (1n << BigInt(CAPABILITY.BPF));
  const view = seen(folder, {
    env: { container: 'podman' },
    machineRoot: 'own',
    capabilities: ALL & ~without,
  });
  assert.equal(lost(view), ['capability --cap-add=SYS_PTRACE', 'capability --cap-add=BPF', 'files']);
  assert.match(
    view?.sights.find(({ flag }) => flag.endsWith('BPF'))?.reason ?? '',
    /CAP_BPF is missing: .*listeners are polled/,
  );
});

test('profiles of container engines are reported, others are not', ({ folder }) => {
  const labelled = (name: string, label: string) => {
    mkdirSync(join(folder, name));
    return lost(seen(join(folder, name), { env: { container: 'docker' }, machineRoot: 'own', label }));
  };
  assert.equal(labelled('apparmor', 'docker-default (enforce)\n'), [
    'security module --security-opt apparmor=unconfined',
    'files',
  ]);
  assert.equal(labelled('selinux', 'system_u:system_r:container_t:s0:c1,c2\0'), [
    'security module --security-opt label=disable',
    'files',
  ]);
  assert.equal(labelled('complain', 'docker-default (complain)\n'), ['files']);
});

test('whose files these are is not known where the root of pid 1 is refused', ({ folder }) => {
  const view = seen(folder, { files: { '.dockerenv': '' }, machineRoot: 'refused' });
  const files = view?.sights.find(({ id }) => id === 'files');
  assert.is(files?.works, null);
  assert.match(files?.reason ?? '', /not known/);
});

test('a name is taken only in a harmless form, and nothing throws where nothing can be read', ({
  folder,
}) => {
  assert.is(seen(folder, { env: { container: '\u001b[31mx' } }), null);
  assert.is(containerView({ proc: join(folder, 'none'), root: join(folder, 'none'), env: {} }), null);
});

test.run();
