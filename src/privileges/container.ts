/**
 * Whether this process is in a container, and what each kind of isolation hides from the desk: namespaces(7), user_namespaces(7),
 * pivot_root(2). The kernel decides; files that container engines leave only give the name.
 */
import { statSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { linkOf, textOf } from '../base/read-or-empty.ts';
import { CAPABILITY, type Capability, PRIVILEGES } from './table.ts';

/** Numbers of the machine's first namespaces: include/uapi/linux/nsfs.h; `net` and `mnt` have theirs since Linux 6.18, dynamic ones are larger. */
const FIRST_PID = 'pid:[4026531836]';
const FIRST_NET = 'net:[4026531833]';
const FIRST_MNT = 'mnt:[4026531832]';
const NET_FIXED_SINCE = [6, 18] as const;

export interface Sight {
  readonly id: 'processes' | 'network' | 'users' | 'capability' | 'security module' | 'files';
  /** False: hidden or not the machine's. Null: not known, which is no better. */
  readonly works: boolean | null;
  /** What is missing and why; "" when nothing is. */
  readonly reason: string;
  /** The option of podman and docker that gives it; "" when there is none. */
  readonly flag: string;
}

export interface ContainerView {
  /** `podman`, `docker`, …; "" when only namespaces show that it is one. */
  readonly name: string;
  readonly sights: readonly Sight[];
}

export interface ContainerPlaces {
  /** Default `/proc`. */
  readonly proc?: string;
  /** Default `/`. */
  readonly root?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Version of the kernel, as uname(2) reports it. */
  readonly kernel?: string;
}

const CGROUPS: readonly (readonly [RegExp, string])[] = [
  [/kubepods/, 'kubernetes'],
  [/libpod/, 'podman'],
  [/docker/, 'docker'],
  [/cri-containerd|containerd/, 'containerd'],
  [/lxc\.payload|\/lxc\//, 'lxc'],
];

interface Engine {
  /** "" without a trace of one. */
  readonly name: string;
  /** Said of this process and what runs now: a root file system keeps `/.dockerenv` when a machine is made of it. */
  readonly certain: boolean;
}

/** `container` is set by engines for what they start (systemd.exec(5)). */
function engineOf(root: string, proc: string, env: NonNullable<ContainerPlaces['env']>): Engine {
  const exists = (name: string): boolean =>
    statSync(join(root, name), { throwIfNoEntry: false })?.isFile() === true;
  const groups = textOf(join(proc, 'self/cgroup'));
  const [, byGroup] = CGROUPS.find(([pattern]) => pattern.test(groups)) ?? [];
  if (byGroup !== undefined) return { name: byGroup, certain: true };
  if (exists('run/.containerenv')) return { name: 'podman', certain: true };
  const named = textOf(join(root, 'run/systemd/container')).trim() || (env.container ?? '');
  if (/^[\w.-]{1,40}$/.test(named)) return { name: named, certain: true };
  return { name: exists('.dockerenv') ? 'docker' : '', certain: false };
}

/** Whether this network namespace is the machine's first one; null: not known. */
function isFirstNetwork(proc: string, isFirstPid: boolean, kernel: string): boolean | null {
  const own = linkOf(join(proc, 'self/ns/net'));
  if (own === FIRST_NET) return true;
  const [major = 0, minor = 0] = kernel.split(/[.-]/).map(Number);
  const [since, point] = NET_FIXED_SINCE;
  if (own !== '' && (major > since || (major === since && minor >= point))) return false;
  // kthreadd never leaves it, and pid 1 rarely does.
  const first = isFirstPid ? linkOf(join(proc, '2/ns/net')) || linkOf(join(proc, '1/ns/net')) : '';
  return own === '' || first === '' ? null : own === first;
}

/** Whether `root` is the root of pid 1 of the machine; null: not known. */
function isRootOfMachine(root: string, proc: string, isFirstPid: boolean): boolean | null {
  // No container begins in the first mount namespace.
  const unknown = linkOf(join(proc, 'self/ns/mnt')) === FIRST_MNT ? true : null;
  if (!isFirstPid) return unknown;
  try {
    const [own, first] = [statSync(root), statSync(join(proc, '1/root/'))];
    return own.dev === first.dev && own.ino === first.ino;
  } catch {
    return unknown;
  }
}

/** What a service of root uses, each with what does not work without it. */
const NEEDED: Readonly<Partial<Record<Capability, string>>> = {
  ...PRIVILEGES.starter.capabilities,
  ...PRIVILEGES.service.capabilities,
  CHOWN: 'giving the ledger of mail to the mail process, which else keeps the uid of the service',
};

function capabilitySights(status: string): readonly Sight[] {
  const hex = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  const held = hex === undefined ? 0n : BigInt(`0x${hex}`);
  return (Object.keys(NEEDED) as Capability[])
    .filter((name) => ((held >> BigInt(CAPABILITY[name])) & 1n) === 0n)
    .map((name) => ({
      id: 'capability',
      works: false,
      reason: `CAP_${name} is missing: ${(NEEDED[name] ?? '').replaceAll('`', '')}`,
      flag: `--cap-add=${name}`,
    }));
}

/** Profiles that container engines give to what they start: they refuse to read processes outside, also to root. */
function securitySight(proc: string): readonly Sight[] {
  const label = textOf(join(proc, 'self/attr/current')).replace(/[\0\n]/g, '');
  const apparmor = /^((?:docker|containers|cri|lxc)[\w.-]*) \(enforce\)$/.exec(label)?.[1];
  const selinux = /^[\w.-]+:[\w.-]+:(container_\w+):/.exec(label)?.[1];
  if (apparmor === undefined && selinux === undefined) return [];
  const reason =
    apparmor === undefined
      ? `SELinux confines the desk as ${selinux}: executables, open files and namespaces of other processes are refused`
      : `the AppArmor profile ${apparmor} refuses executables, open files and namespaces of processes outside`;
  const flag = `--security-opt ${apparmor === undefined ? 'label=disable' : 'apparmor=unconfined'}`;
  return [{ id: 'security module', works: false, reason, flag }];
}

const FILES = 'startup places, accounts, packages and programs are judged by the files of this container';
const FILES_CURE = 'no option shows those of the machine: install the package there to have them judged';

/**
 * What the desk can see of the machine from here; null when nothing shows a container, and the namespaces of processes, network and
 * users are the machine's. Never throws.
 */
export function containerView({
  proc = '/proc',
  root = '/',
  env = process.env,
  kernel = release(),
}: ContainerPlaces = {}): ContainerView | null {
  const { name, certain } = engineOf(root, proc, env);
  const pid = linkOf(join(proc, 'self/ns/pid'));
  const isFirstPid = pid === FIRST_PID;
  const network = isFirstNetwork(proc, isFirstPid, kernel);
  const map = textOf(join(proc, 'self/uid_map')).trim().split(/\s+/).join(' ');
  const isFirstUser = map === '0 0 4294967295';
  const ownRoot = isRootOfMachine(root, proc, isFirstPid);
  // A machine made from an image of a container has its files, but not its walls.
  const namespaces = [isFirstPid || pid === '', network !== false, isFirstUser || map === ''];
  if ((name === '' || ownRoot === true) && namespaces.every(Boolean)) return null;
  const files = ownRoot ?? (certain || (name !== '' && !isFirstPid) ? false : null);
  return {
    name,
    sights: [
      {
        id: 'processes',
        works: pid === '' ? null : isFirstPid,
        reason: isFirstPid
          ? ''
          : 'only processes of this pid namespace are seen; all others of the machine are not',
        flag: isFirstPid ? '' : '--pid=host',
      },
      {
        id: 'network',
        works: network,
        reason:
          network === true
            ? ''
            : network === false
              ? 'listeners, connections and packet sockets are those of this network namespace, not those of the machine'
              : 'whether this is the network of the machine is not known: it is compared with that of the first processes, which takes their pid namespace and CAP_SYS_PTRACE',
        flag: network === true ? '' : '--network=host',
      },
      {
        id: 'users',
        works: map === '' ? null : isFirstUser,
        reason: isFirstUser
          ? ''
          : 'in a user namespace root has no rights over processes of other users, and their uids are not those of the machine',
        flag: isFirstUser ? '' : '--userns=host, started by root',
      },
      ...capabilitySights(textOf(join(proc, 'self/status'))),
      ...securitySight(proc),
      {
        id: 'files',
        works: files,
        reason:
          files === true
            ? ''
            : files === false
              ? `${FILES}; ${FILES_CURE}`
              : `it is not known whether / is that of the machine; if it is not, ${FILES}`,
        flag: '',
      },
    ],
  };
}
