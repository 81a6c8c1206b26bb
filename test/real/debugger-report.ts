/**
 * Runs in a separate network namespace: starts `desk boot` repeatedly, sends SIGUSR1 to it and to its mail process, and prints as
 * JSON what listened. The argument is a folder for its files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSED_INSPECTOR } from '../../src/engine/native/no-debugger.ts';
import { deskWords } from '../support/entry.ts';
import { until } from './running.ts';

/** For one program, before and after root's service executes itself again. */
export interface Signalled {
  /** Signals sent while Node's own handler was installed. */
  readonly signals: number;
  /** Samples in which something listened on port 9229, and the number of samples. */
  readonly open: number;
  readonly samples: number;
}

export interface Start {
  readonly options: readonly string[];
  readonly uid: number;
  readonly first: Signalled;
  /** All zero for an ordinary user, whose service does not execute itself again. */
  readonly second: Signalled;
  readonly openAtEnd: boolean;
  /** Whether Node printed that its debugger listens, which no sampling can miss. */
  readonly announced: boolean;
  /** Exit code or signal; null while it runs. */
  readonly ended: string | number | null;
}

export interface DebuggerReport {
  /** With and without the option that closes the inspector. */
  readonly closed: readonly Start[];
  readonly plain: readonly Start[];
  readonly running: {
    /** Service and mail process ignore SIGUSR1. */
    readonly ignored: readonly boolean[];
    readonly signals: number;
    readonly listenersBefore: readonly string[];
    readonly listenersAfter: readonly string[];
    readonly connected: readonly boolean[];
    readonly alive: readonly boolean[];
    /** For a mail process that restarts while it is signalled: samples with port 9229 open, signals sent. */
    readonly restarted: { readonly open: number; readonly signals: number };
  };
}

const folder = process.argv[2] ?? '';
const NOBODY_UID = 65534;
let runs = 0;

/** Local addresses of the listeners in this network namespace (proc(5), net/tcp: state 0A). */
const listeners = (): readonly string[] =>
  ['tcp', 'tcp6']
    .flatMap((file) => readFileSync(`/proc/net/${file}`, 'latin1').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === '0A')
    .map(([, local = '']) => local)
    .sort();
const debugPort = (): boolean => listeners().some((local) => local.endsWith(':240D'));

const USR1 = 1n << 9n;
/** Whether SIGUSR1 is in a mask of proc_pid_status(5). */
function inMask(pid: number, ...masks: readonly ('SigBlk' | 'SigIgn' | 'SigCgt')[]): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return masks.some((mask) => {
      const value = new RegExp(`^${mask}:\\s*(\\w+)`, 'm').exec(status)?.[1] ?? '0';
      return (BigInt(`0x${value}`) & USR1) !== 0n;
    });
  } catch {
    return false;
  }
}
const handled = (pid: number): boolean => inMask(pid, 'SigBlk', 'SigIgn', 'SigCgt');

/** Whether it is the program that root's service executed itself as (privileges/limit.ts). */
function isSecond(pid: number): boolean {
  try {
    return /(?:^|\0)DESK_LIMITED=/.test(readFileSync(`/proc/${pid}/environ`, 'latin1'));
  } catch {
    return false;
  }
}

interface Booted {
  readonly child: ChildProcess;
  readonly output: { readonly stdout: string; readonly stderr: string };
}

function boot(options: readonly string[], sections = '', uid = 0): Booted {
  const home = join(folder, `run-${++runs}`);
  mkdirSync(join(home, 'mail', 'cur'), { recursive: true });
  mkdirSync(join(home, 'state'), { mode: 0o700 });
  const config = join(home, 'desk.toml');
  writeFileSync(
    config,
    `[banned]\nshut_down = "never"\n[listen.office]\nport = 8080\n${sections.replaceAll('HOME', home)}`,
  );
  for (const path of [home, config, join(home, 'state')]) chownSync(path, uid, uid);
  const child = spawn(process.execPath, [...options, ...deskWords(), 'boot', '--no-loop'], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: home,
      DESK_CONFIG: config,
      DESK_STATE: join(home, 'state'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    uid,
    gid: uid,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return { child, output };
}

const ended = ({ exitCode, signalCode }: ChildProcess): string | number | null => signalCode ?? exitCode;

async function end(child: ChildProcess): Promise<void> {
  if (ended(child) !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** For hangs: a start beside builds takes half a minute. */
const MOST_MS = 90_000;

/**
 * Signals a start from `fromMs` on while Node's own handler is installed, at random times at most `gapMs` apart, until the last
 * program has ignored SIGUSR1 for 300 ms. Only the desk's ignoring replaces that handler, and execve(2) keeps it: no signal meets
 * the kernel's default action, which ends the process.
 */
async function start(options: readonly string[], fromMs: number, gapMs: number, uid = 0): Promise<Start> {
  const { child, output } = boot(options, '', uid);
  const pid = child.pid as number;
  const started = performance.now();
  const first = { signals: 0, open: 0, samples: 0 };
  const second = { signals: 0, open: 0, samples: 0 };
  let nextMs = started + fromMs;
  let ignoredMs = Number.POSITIVE_INFINITY;
  while (ended(child) === null && performance.now() - ignoredMs < 300) {
    if (performance.now() - started > MOST_MS) {
      await end(child);
      throw new Error(`SIGUSR1 is not ignored within ${MOST_MS / 1000} s: ${output.stderr}`);
    }
    const again = uid === 0 && isSecond(pid);
    const program = again ? second : first;
    program.samples += 1;
    if (debugPort()) program.open += 1;
    if (performance.now() >= nextMs && inMask(pid, 'SigCgt')) {
      child.kill('SIGUSR1');
      program.signals += 1;
      nextMs = performance.now() + Math.random() * gapMs;
    }
    // A program that was just executed inherits the ignored signals of the one before it.
    const last = (again && second.signals > 0) || uid !== 0;
    if (!last || !inMask(pid, 'SigIgn')) ignoredMs = Number.POSITIVE_INFINITY;
    else ignoredMs = Math.min(ignoredMs, performance.now());
    await sleep(1);
  }
  const result = {
    options,
    uid,
    first,
    second,
    openAtEnd: debugPort(),
    announced: /Debugger listening/.test(output.stderr),
    ended: ended(child),
  };
  await end(child);
  return result;
}

const reaches = (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(9229, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);

async function mailProcess(service: number, not = 0): Promise<number> {
  return until(
    async () =>
      childrenOf(service).find(
        (pid) => pid !== not && /\/mail\/process\.[jt]s/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1')),
      ),
    'the mail process',
  );
}

async function running(): Promise<DebuggerReport['running']> {
  const { child, output } = boot([], '[mail]\nsources = ["maildir:HOME/mail"]\n');
  const service = child.pid as number;
  await until(async () => output.stdout !== '', 'the start report');
  const mail = await mailProcess(service);
  await until(async () => inMask(mail, 'SigIgn'), 'a mail process that ignores SIGUSR1');
  const ignored = [service, mail].map((pid) => inMask(pid, 'SigIgn'));
  const listenersBefore = listeners();
  let signals = 0;
  for (const until = performance.now() + 1000; performance.now() < until; signals += 2) {
    for (const pid of [service, mail]) process.kill(pid, 'SIGUSR1');
    await sleep(Math.random() * 20);
  }
  await sleep(500);
  const listenersAfter = listeners();
  const connected = await Promise.all(['127.0.0.1', '::1'].map(reaches));
  const alive = [ended(child) === null, handled(mail)];
  process.kill(mail, 'SIGKILL');
  const again = await mailProcess(service, mail);
  const restarted = { open: 0, signals: 0 };
  for (const until = performance.now() + 1500; performance.now() < until; await sleep(1)) {
    if (handled(again)) {
      process.kill(again, 'SIGUSR1');
      restarted.signals += 1;
    }
    if (debugPort()) restarted.open += 1;
  }
  alive.push(handled(again));
  await end(child);
  return { ignored, signals, listenersBefore, listenersAfter, connected, alive, restarted };
}

const closed = [await start([CLOSED_INSPECTOR], 0, 5), await start([CLOSED_INSPECTOR], 0, 50)];
// Bursts, few signals, and one user whose service does not execute itself again.
const plain = [
  await start([], 0, 5),
  await start([], Math.random() * 60, 200),
  await start([], 0, 20, NOBODY_UID),
];
process.stdout.write(JSON.stringify({ closed, plain, running: await running() } satisfies DebuggerReport));
