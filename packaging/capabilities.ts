/**
 * What is lost without each capability of the unit, made by trying: node --import tsx packaging/capabilities.ts [SETTING=VALUE…]
 *
 * Starts the built service as root without a unit, in the unit, and in the unit with one capability less (or with one more setting) in
 * turn, and prints what it reports as blind, which kernel sources report nothing, and whether it ends a banned listener of another user.
 * Needs root, and a machine whose initial namespaces this is (packaging/trial-manager.sh).
 */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CLOSED_INSPECTOR } from '../src/engine/native/no-debugger.ts';
import { UNIT_CAPABILITIES, unitText } from '../src/install/unit.ts';
import { ordinaryUser } from '../test/support/require.ts';

const PORTS = { control: 38_772, office: 38_780, public: 38_770, themed: 38_771 };
const BANNED = 38_766;
/** The first scans have ended well before. */
const SETTLE_MS = 30_000;
const UNIT = 'desk-trial.service';
const ENTRY = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const COMMAND = [process.execPath, CLOSED_INSPECTOR, ENTRY, 'boot'];

/** An account that every system has, and that may be in no use. */
const ACCOUNT = 'daemon';
const uid = Number(/^daemon:[^:]*:(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1]);

const top = mkdtempSync('/var/lib/desk-trial-');
const config = join(top, 'desk.toml');
const state = join(top, 'state');
writeFileSync(
  config,
  [
    ...Object.entries(PORTS).map(([role, port]) => `[listen.${role}]\nport = ${port}\n`),
    `[banned]\nalso = [${BANNED}]\nshut_down = "auto"\n`,
  ].join(''),
);
spawnSync('chmod', ['755', top]);

const manager = spawn('unshare', ['--mount', fileURLToPath(new URL('trial-manager.sh', import.meta.url))], {
  stdio: 'ignore',
});

const inManager = (words: readonly string[], input?: string) =>
  spawnSync(
    'nsenter',
    ['--mount', `--target=${manager.pid}`, 'env', 'XDG_RUNTIME_DIR=/run/user/0', ...words],
    {
      encoding: 'utf8',
      input,
    },
  );
const control = (...words: string[]) => inManager(['systemctl', '--user', ...words]);

interface Source {
  readonly id: string;
  readonly works: boolean;
  readonly reason: string;
}

interface Seen {
  readonly backend: string;
  readonly blind: number;
  /** Checks with the reason why they are blind. */
  readonly notes: readonly string[];
  readonly silent: readonly string[];
  /** Sources of events, and probes, that do not work. */
  readonly sources: readonly string[];
  /** Whether a banned listener of another user was ended. */
  readonly ends: boolean;
}

async function get(path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${PORTS.control}${path}`)).text();
}

/** Listens on the banned port as another user; whether the service ends it within the time that scans take. */
async function endsBanned(): Promise<boolean> {
  const program = `require('node:net').createServer().listen(${BANNED}, '127.0.0.1'); setTimeout(() => 0, 600_000)`;
  const listener = spawn(process.execPath, ['-e', program], {
    cwd: '/',
    stdio: 'ignore',
    ...ordinaryUser,
  });
  const ended = new Promise<boolean>((resolve) => listener.once('exit', () => resolve(true)));
  const outcome = await Promise.race([ended, delay(SETTLE_MS, false)]);
  if (!outcome) listener.kill('SIGKILL');
  return outcome;
}

/** What the running service reports, after its first scans. */
async function look(): Promise<Seen> {
  const untilMs = Date.now() + 120_000;
  while (Date.now() < untilMs && (await get('/version').catch(() => '')) === '') await delay(500);
  await delay(SETTLE_MS);
  const detection = JSON.parse(await get('/detection')) as {
    readonly counts: { readonly blind: number };
    readonly notes: readonly { readonly check: string; readonly reason: string }[];
  };
  const metrics = await get('/metrics');
  const version = JSON.parse(await get('/version')) as Record<'events' | 'sights', readonly Source[]>;
  const events = [...metrics.matchAll(/^desk_events_total\{kind="(\w+)"\} (\d+)/gm)];
  return {
    backend: /backend="(\w+)"/.exec(metrics)?.[1] ?? '?',
    blind: detection.counts.blind,
    notes: detection.notes.map(({ check, reason }) => `${check}: ${reason}`),
    silent: ['fork', 'exec', 'socket'].filter(
      (kind) => !events.some(([, name, count]) => name === kind && count !== '0'),
    ),
    sources: [...version.events, ...version.sights]
      .filter(({ works }) => !works)
      .map(({ id, reason }) => `${id}: ${reason}`),
    ends: await endsBanned(),
  };
}

function freshState(owner: number): void {
  rmSync(state, { recursive: true, force: true });
  mkdirSync(state, { mode: 0o700 });
  chownSync(state, owner, owner);
}

/** In the unit, with its text changed. ProtectProc= is left out: pid 1 of a container may refuse to be traced, which a real one does not. */
async function inUnit(change: (text: string) => string): Promise<Seen> {
  freshState(uid);
  const text = unitText({
    manager: 'system',
    command: COMMAND,
    user: ACCOUNT,
    passwordFile: '',
    config,
    network: 'localhost',
  })
    .replace(/^Environment=DESK_STATE=.*$/m, `Environment=DESK_STATE=${state}\nReadWritePaths=${state}`)
    // A manager of root lets no other user notify it.
    .replace('Type=notify', 'Type=exec')
    .replace(
      /^(?:WatchdogSec|StateDirectory|StateDirectoryMode|ConfigurationDirectory|ProtectProc)=.*\n/gm,
      '',
    );
  inManager(['tee', `/run/user/0/config/systemd/user/${UNIT}`], change(text));
  control('daemon-reload');
  const started = control('start', UNIT);
  if (started.status !== 0) throw new Error(`the unit does not start: ${started.stderr}`);
  try {
    return await look();
  } finally {
    control('stop', UNIT);
  }
}

async function asRoot(): Promise<Seen> {
  freshState(0);
  const child = spawn(COMMAND[0] ?? '', COMMAND.slice(1), {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, DESK_STATE: state, DESK_CONFIG: config },
  });
  try {
    return await look();
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function print(name: string, seen: Seen, than: Seen | null): void {
  console.log(
    `${name}: backend ${seen.backend}, ${seen.blind} blind, no events: ${seen.silent.join(', ') || 'none missing'}, a banned listener of another user ${seen.ends ? 'is ended' : 'STAYS'}`,
  );
  for (const source of seen.sources) if (!than?.sources.includes(source)) console.log(`    off: ${source}`);
  for (const note of seen.notes)
    if (than === null || !than.notes.includes(note)) console.log(`    + ${note}`);
  for (const note of than?.notes ?? []) if (!seen.notes.includes(note)) console.log(`    - ${note}`);
}

try {
  await delay(2_000);
  const outside = await asRoot();
  print('root, no unit', outside, null);
  const whole = await inUnit((text) => text);
  print('the unit', whole, outside);
  const settings = process.argv.slice(2);
  for (const setting of settings)
    print(setting, await inUnit((text) => text.replace('\n\n[Install]', `\n${setting}\n\n[Install]`)), whole);
  if (settings.length === 0) {
    const withMore = (name: string) =>
      inUnit((text) => text.replace(/^(AmbientCapabilities|CapabilityBoundingSet)=.*$/gm, `$& ${name}`));
    print('with CAP_NET_ADMIN', await withMore('CAP_NET_ADMIN'), whole);
    for (const name of Object.keys(UNIT_CAPABILITIES))
      print(
        `without ${name}`,
        await inUnit((text) => text.replaceAll(new RegExp(` ?\\b${name}\\b`, 'g'), '')),
        whole,
      );
  }
} finally {
  manager.kill('SIGKILL');
  await delay(1_000);
  rmSync(top, { recursive: true, force: true });
}
