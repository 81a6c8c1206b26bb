/**
 * A private network for a test, as root: a network and mount namespace with the loopback up, its own /etc/hosts and
 * /etc/resolv.conf, and a packet capture. Ports such as 443, 465 and 993 are free in it. It ends with the test.
 */
import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { projectRoot } from './require.ts';
import { tempFolder } from './temp-folder.ts';
import { patientMs } from './time-limit.ts';

const captureScript = fileURLToPath(new URL('./capture.py', import.meta.url));

/** What `needs` of a test that starts one. */
export const NAMESPACE_NEEDS = ['root', 'namespaces', 'ip', 'python3'] as const;

export interface NamespaceOptions {
  /** Lines of /etc/hosts beside those of localhost, e.g. `{ 'imap.example.org': ['127.0.0.2'] }`. */
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
  /** Address of the DNS server, which the test starts. Default 127.0.0.1. */
  readonly nameserver?: string;
  /** Every address of IPv4 and IPv6 is this host: a connection to any of them reaches what listens on `0.0.0.0` or `::`. */
  readonly everywhere?: boolean;
  /** A private process list too: other processes of the machine are not visible. */
  readonly alone?: boolean;
}

type RunOptions = Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> & {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
};

export interface Namespace extends AsyncDisposable {
  /** Pid of the process that holds it. */
  readonly pid: number;
  /** Arguments before a command to run it there. */
  readonly enter: readonly string[];
  /** Starts a command there. It is ended with the namespace, if not before. */
  spawn(words: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
  /** Runs a command there to its end; `code` is null when it had to be ended (default: after 60 s). */
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs a program (`programWords`) there with words as its arguments. */
  program(program: readonly string[], words?: readonly string[], options?: RunOptions): Promise<Ran>;
  capture(): Promise<Capture>;
  /** Sends a signal to a command that `spawn` started. */
  signal(child: ChildProcessWithoutNullStreams, name: NodeJS.Signals): void;
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** TCP connection attempts, DNS queries, and all other packets. */
export type Sent =
  | { readonly kind: 'connect'; readonly address: string; readonly port: number }
  | { readonly kind: 'query'; readonly address: string; readonly name: string }
  | { readonly kind: 'other'; readonly address: string; readonly protocol: number };

export interface Capture {
  /** Ends it; returns everything that was sent so far, in order. Throws if packets were dropped. */
  stop(): Promise<readonly Sent[]>;
}

/** Distinct `address:port` of connection attempts, sorted; IPv6 in brackets. */
export const connectedTo = (sent: readonly Sent[]): readonly string[] =>
  [
    ...new Set(
      sent.flatMap((one) =>
        one.kind === 'connect'
          ? [`${one.address.includes(':') ? `[${one.address}]` : one.address}:${one.port}`]
          : [],
      ),
    ),
  ].sort();

/** Distinct names of DNS queries, sorted. */
export const namesAsked = (sent: readonly Sent[]): readonly string[] =>
  [...new Set(sent.flatMap((one) => (one.kind === 'query' ? [one.name.toLowerCase()] : [])))].sort();

const SETUP = `set -e
ip link set lo up
mount --bind "$1/hosts" /etc/hosts
mount --bind "$1/resolv.conf" /etc/resolv.conf
if [ "$2" = everywhere ]; then ip route add local 0.0.0.0/0 dev lo; ip -6 route add local ::/0 dev lo; fi
echo ready
exec cat`;

export async function startNamespace({
  hosts = {},
  nameserver = '127.0.0.1',
  everywhere = false,
  alone = false,
}: NamespaceOptions = {}): Promise<Namespace> {
  const folder = tempFolder('desk-net-');
  const lines = Object.entries(hosts).flatMap(([name, addresses]) =>
    addresses.map((address) => `${address} ${name}`),
  );
  writeFileSync(join(folder, 'hosts'), ['127.0.0.1 localhost', '::1 localhost', ...lines, ''].join('\n'));
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${nameserver}\noptions timeout:1 attempts:1\n`);
  const children = new Set<ChildProcessWithoutNullStreams>();
  const start = (words: readonly string[], { env, timeoutMs: _, ...options }: RunOptions = {}) => {
    const [command = '', ...args] = words;
    const child = spawn(command, args, {
      cwd: projectRoot,
      ...options,
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir(), NO_COLOR: '1', ...env },
    }) as ChildProcessWithoutNullStreams;
    children.add(child);
    child.once('close', () => children.delete(child));
    child.once('error', () => children.delete(child));
    return child;
  };
  // Ends when its input closes: nothing is left behind even if the test fails.
  const kinds = alone ? ['--net', '--mount', '--pid'] : ['--net', '--mount'];
  const own = ['unshare', ...kinds, '--propagation', 'private', ...(alone ? ['--fork', '--mount-proc'] : [])];
  const holder = start([...own, 'sh', '-c', SETUP, 'sh', folder, everywhere ? 'everywhere' : '']);
  const dispose = async (): Promise<void> => {
    for (const child of children) if (child !== holder) child.kill('SIGKILL');
    holder.stdin.end();
    await Promise.all([...children].map((child) => once(child, 'close')));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await firstLine(holder);
  } catch (error) {
    await dispose();
    throw error;
  }
  const enter = ['nsenter', '--target', `${alone ? childOf(holder) : holder.pid}`, ...kinds];
  const inside: Namespace['spawn'] = (words, options) =>
    start([...enter, `--wd=${options?.cwd ?? projectRoot}`, '--', ...words], options);
  const run: Namespace['run'] = async (words, options = {}) => {
    const child = inside(words, options);
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? patientMs(60_000));
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    return { code, ...output };
  };
  return {
    pid: holder.pid as number,
    enter,
    spawn: inside,
    run,
    program: (program, words = [], options) => run([process.execPath, ...program, ...words], options),
    capture: () => capture(inside(['python3', captureScript])),
    signal: (child, name) => {
      if (alone) process.kill(childOf(child), name);
      else child.kill(name);
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** Pid of what nsenter(1) or unshare(1) forked into the process list of its own. */
const childOf = ({ pid }: ChildProcessWithoutNullStreams): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());

/** Rejects with the output of the child if it ends before printing a line. */
async function firstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'close').then(() => {
    throw new Error(`it ended before it was ready: ${errors.trim()}`);
  });
  ended.catch(() => undefined);
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  return line;
}

async function capture(child: ChildProcessWithoutNullStreams): Promise<Capture> {
  const sent: Sent[] = [];
  let dropped: number | null = null;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Sent | { kind: 'ready' } | { kind: 'end'; dropped: number };
    if (message.kind === 'end') dropped = message.dropped;
    else if (message.kind !== 'ready') sent.push(message);
  });
  await firstLine(child);
  return {
    async stop() {
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
      if (dropped !== 0)
        throw new Error(dropped === null ? 'the capture failed' : `the capture missed ${dropped} packets`);
      return sent;
    },
  };
}
