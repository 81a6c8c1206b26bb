/**
 * Runs in a network of its own: starts `desk boot` again and again, sends SIGUSR1 to it and to its mail process, and prints as
 * JSON what listened. Its argument is a folder for its files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSED_INSPECTOR } from '../../src/native/no-debugger.ts';
import { deskWords } from '../support/entry.ts';
import { until } from './running.ts';

export interface EarlySignal {
  readonly delayMs: number;
  /** SIGUSR1 was blocked, caught or ignored when it was sent: it must not end the process. */
  readonly handled: boolean;
  /** Samples in which port 9229 was listened on, and how many there were. */
  readonly open: number;
  readonly samples: number;
  readonly openAtEnd: boolean;
  /** Node said that its debugger listens: no moment of it is missed. */
  readonly announced: boolean;
  /** Exit code or signal; null while it runs. */
  readonly ended: string | number | null;
}

export interface DebuggerReport {
  readonly closed: readonly EarlySignal[];
  /** Without the option that closes the inspector. */
  readonly plain: readonly EarlySignal[];
  readonly running: {
    /** Service and mail process ignore SIGUSR1. */
    readonly ignored: readonly boolean[];
    readonly signals: number;
    readonly listenersBefore: readonly string[];
    readonly listenersAfter: readonly string[];
    readonly connected: readonly boolean[];
    readonly alive: readonly boolean[];
    /** Of a mail process that starts again while it is signalled: samples with port 9229 open, signals sent. */
    readonly restarted: { readonly open: number; readonly signals: number };
  };
}

const folder = process.argv[2] ?? '';
let runs = 0;

/** Local addresses of what listens in this network namespace (proc(5), net/tcp: state 0A). */
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

interface Booted {
  readonly child: ChildProcess;
  readonly output: { readonly stdout: string; readonly stderr: string };
}

function boot(options: readonly string[], sections = ''): Booted {
  const home = join(folder, `run-${++runs}`);
  mkdirSync(join(home, 'mail', 'cur'), { recursive: true });
  mkdirSync(join(home, 'state'), { mode: 0o700 });
  const config = join(home, 'desk.toml');
  writeFileSync(config, `[banned]\nshut_down = "never"\n${sections.replaceAll('HOME', home)}`);
  const child = spawn(process.execPath, [...options, ...deskWords(), 'boot', '--no-loop'], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: home,
      DESK_CONFIG: config,
      DESK_STATE: join(home, 'state'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
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

/** Signals a start after `delayMs`, and looks until the process has ignored SIGUSR1 for half a second, or has ended. */
async function early(options: readonly string[], delayMs: number): Promise<EarlySignal> {
  const { child, output } = boot(options);
  const started = performance.now();
  let sent = -1;
  let took = false;
  let open = 0;
  let samples = 0;
  let ignoredMs = Number.POSITIVE_INFINITY;
  while (sent < 0 || (ended(child) === null && performance.now() - ignoredMs < 500)) {
    if (inMask(child.pid as number, 'SigIgn')) ignoredMs = Math.min(ignoredMs, performance.now());
    if (performance.now() - started > 20_000) throw new Error('SIGUSR1 is not ignored within 20 s');
    if (sent < 0 && performance.now() - started >= delayMs) {
      took = handled(child.pid as number);
      child.kill('SIGUSR1');
      sent = performance.now();
    }
    samples += 1;
    if (debugPort()) open += 1;
    await sleep(1);
  }
  const result = {
    delayMs,
    handled: took,
    open,
    samples,
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
  const { child, output } = boot([CLOSED_INSPECTOR], '[mail]\nsources = ["maildir:HOME/mail"]\n');
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

/** Moments from the first millisecond on; two are drawn anew each time. */
const moments = [0, 2, 5, 10, 15, 20, 25, 30, 40, 60, 100, 300, Math.random() * 50, Math.random() * 1000];
const closed: EarlySignal[] = [];
for (const delayMs of moments) closed.push(await early([CLOSED_INSPECTOR], delayMs));
const plain: EarlySignal[] = [];
for (const delayMs of [5, 10, 15, 20, 25, 30, 300]) plain.push(await early([], delayMs));
process.stdout.write(JSON.stringify({ closed, plain, running: await running() } satisfies DebuggerReport));
