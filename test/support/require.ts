/**
 * What a test needs from the machine, and what happens when it is not there: the test is skipped, with its reason reported
 * to the runner, or fails when `DESK_REQUIRE_ALL=1`. A skipped test is never counted as passed.
 */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'uvu';
import { loadNative } from '../../src/engine/native/load.ts';
import { isRefusal } from '../../src/engine/native/types.ts';
import { cannotBoot } from './booted.ts';
import { patientMs } from './time-limit.ts';

/** The project itself, also for tests that were built elsewhere (built-tests.ts). */
export const projectRoot = dirname(
  realpathSync(fileURLToPath(new URL('../../package.json', import.meta.url))),
);

/** An ordinary user that exists on every Debian (nobody), for what must work without privileges. */
export const ordinaryUser = { uid: 65534, gid: 65534 } as const;

function program(name: string, debianPackage: string): string | null {
  for (const folder of `${process.env.PATH ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`.split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return null;
    } catch {}
  }
  return `${name} is not installed (Debian package ${debianPackage})`;
}

function runs(command: string, args: readonly string[]): string | null {
  const result = spawnSync(command, args, { timeout: patientMs(10_000), encoding: 'utf8' });
  if (result.status === 0) return null;
  return `\`${[command, ...args].join(' ')}\` does not run here: ${(result.stderr ?? String(result.error)).trim()}`;
}

/** True if a process in this network namespace listens on the TCP port (proc(5), net/tcp: state 0A = LISTEN). */
export function portTaken(port: number): boolean {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['tcp', 'tcp6'].some((file) => {
    const path = `/proc/net/${file}`;
    if (!existsSync(path)) return false;
    return readFileSync(path, 'latin1')
      .split('\n')
      .some((line) => {
        const [, local = '', , state] = line.trim().split(/\s+/);
        return state === '0A' && local.endsWith(wanted);
      });
  });
}

function overlay(): string | null {
  if (process.geteuid?.() !== 0) return 'needs root';
  const mounts =
    'mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay o -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r';
  return (
    program('unshare', 'util-linux') ??
    runs('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', mounts])
  );
}

/** Each need: null when it is met, else the reason in one sentence. */
const probes = {
  root: () => (process.geteuid?.() === 0 ? null : 'needs root'),
  compiler: () => program('g++', 'g++'),
  bpf: () => {
    if (process.geteuid?.() !== 0) return 'needs root';
    const { available, reason } = loadNative().addon.bpfState();
    return available ? null : `the bpf backend cannot run: ${reason}`;
  },
  'open-coded iterator': () => {
    if (process.geteuid?.() !== 0) return 'needs root';
    const { iterator } = loadNative().addon.bpfState();
    return iterator === 'open_coded'
      ? null
      : 'the kernel has no open-coded task iterator that its verifier accepts here';
  },
  'UDP by cgroup hooks': () => {
    if (process.geteuid?.() !== 0) return 'needs root';
    const { addon } = loadNative();
    const state = addon.watchStart(
      { listenPollMs: 1000, rereadMs: [], allMs: 1000, tracepoint: true },
      () => undefined,
    );
    if (isRefusal(state)) return `no watch starts: ${state.code}`;
    addon.watchStop(state.watch);
    return state.udp || (state.udpExits === '' ? "the kernel's functions are hooked themselves" : null);
  },
  bwrap: () =>
    program('bwrap', 'bubblewrap') ?? runs('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true']),
  'bootable systemd': () => cannotBoot() ?? overlay(),
  'systemd-analyze': () => program('systemd-analyze', 'systemd'),
  make: () => program('make', 'make'),
  bash: () => program('bash', 'bash'),
  zsh: () => program('zsh', 'zsh'),
  fish: () => program('fish', 'fish'),
  groff: () => program('groff', 'groff-base'),
  cron: () => program('cron', 'cron'),
  'dbus-daemon': () => program('dbus-daemon', 'dbus-daemon'),
  dnsmasq: () => program('dnsmasq', 'dnsmasq-base'),
  setpriv: () => program('setpriv', 'util-linux'),
  chromium: () => program('chromium', 'chromium'),
  ps: () => program('ps', 'procps'),
  ss: () => program('ss', 'iproute2'),
  ip: () => program('ip', 'iproute2'),
  curl: () => program('curl', 'curl'),
  nginx: () => program('nginx', 'nginx-light'),
  caddy: () => program('caddy', 'caddy'),
  sshd: () => program('sshd', 'openssh-server') ?? program('ssh', 'openssh-client'),
  openssl: () => program('openssl', 'openssl'),
  prometheus: () => program('prometheus', 'prometheus') ?? program('promtool', 'prometheus'),
  python3: () => program('python3', 'python3'),
  dovecot: () => program('dovecot', 'dovecot-imapd'),
  alertmanager: () => program('prometheus-alertmanager', 'prometheus-alertmanager'),
  'user namespaces': () => program('unshare', 'util-linux') ?? runs('unshare', ['--user', 'true']),
  dpkg: () => program('dpkg', 'dpkg'),
  apt: () => program('apt', 'apt'),
  lz4: () => program('lz4', 'lz4'),
  rpm: () => program('rpmbuild', 'rpm'),
  pacman: () => program('pacman', 'pacman-package-manager') ?? program('bsdtar', 'libarchive-tools'),
  overlay,
  namespaces: () =>
    program('unshare', 'util-linux') ?? runs('unshare', ['--pid', '--fork', '--mount', '--net', 'true']),
  // The kernel's own name for it.
  'proc connector': () =>
    existsSync('/proc/net/connector') && readFileSync('/proc/net/connector', 'latin1').includes('cn_proc')
      ? null
      : 'this kernel, or this network namespace, has no proc connector',
  'IPv6 loopback': () =>
    existsSync('/proc/net/if_inet6') && / lo$/m.test(readFileSync('/proc/net/if_inet6', 'latin1'))
      ? null
      : 'the loopback interface has no IPv6 address',
  'UDP-Lite': () => (existsSync('/proc/net/udplite') ? null : 'this kernel has no UDP-Lite'),
  FUSE: () => {
    if (process.geteuid?.() !== 0) return 'needs root';
    try {
      closeSync(openSync('/dev/fuse', 'r+'));
      return null;
    } catch (error) {
      return `/dev/fuse cannot be opened (${(error as NodeJS.ErrnoException).code})`;
    }
  },
  'port 80 free': () => (portTaken(80) ? 'another program listens on port 80' : null),
  'port 443 free': () => (portTaken(443) ? 'another program listens on port 443' : null),
  'port 8766 free': () => (portTaken(8766) ? 'another program listens on port 8766' : null),
  'privileged ports': () =>
    Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'latin1')) > 80
      ? null
      : 'any user may bind port 80 here (net.ipv4.ip_unprivileged_port_start)',
  'tree readable by others': () =>
    process.geteuid?.() !== 0
      ? 'needs root'
      : spawnSync('test', ['-r', join(projectRoot, 'package.json')], { ...ordinaryUser }).status === 0
        ? null
        : `an ordinary user cannot read ${dirname(projectRoot)}`,
  dist: () => {
    const built = join(projectRoot, 'dist/cli/main.js');
    if (!existsSync(built)) return 'not built yet: run `npm run build` first';
    const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' });
    const newest = Math.max(...sources.map((file) => statSync(join(projectRoot, 'src', file)).mtimeMs));
    return newest <= statSync(built).mtimeMs ? null : 'dist is older than src: run `npm run build` first';
  },
} satisfies Record<string, () => string | null>;

export type Need = keyof typeof probes;

const answers = new Map<Need, string | null>();

/** The first unmet need in one sentence, or null when all are met. */
export function missing(...needs: readonly Need[]): string | null {
  for (const need of needs) {
    if (!answers.has(need)) answers.set(need, probes[need]());
    const reason = answers.get(need);
    if (reason) return reason;
  }
  return null;
}

/**
 * Registers a test that runs only where its needs are met:
 * `needs('bwrap', 'root')(test, 'finds a sandboxed process', async () => { … })`.
 */
export function needs(...wanted: readonly Need[]) {
  return <T>(test: Test<T>, name: string, handler: Parameters<Test<T>>[1]): void => {
    const reason = missing(...wanted);
    if (reason === null) {
      test(name, handler);
    } else if (process.env.DESK_REQUIRE_ALL === '1') {
      test(name, () => {
        throw new Error(`a requirement is missing and DESK_REQUIRE_ALL=1 forbids skipping: ${reason}`);
      });
    } else {
      test.skip(name, handler);
      const line = `${name}: ${reason}`;
      const file = process.env.DESK_SKIPPED_FILE;
      if (file) appendFileSync(file, `${line}\n`);
      else process.stderr.write(`skipped ${line}\n`);
    }
  };
}

/** For many tests with the same needs: `const it = testsNeeding(test, 'root'); it('finds …', async () => { … })`. */
export const testsNeeding =
  <T>(test: Test<T>, ...wanted: readonly Need[]) =>
  (name: string, handler: Parameters<Test<T>>[1]): void =>
    needs(...wanted)(test, name, handler);
