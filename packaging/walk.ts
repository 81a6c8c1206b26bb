/**
 * Walks the first ten minutes of README.md as a new user does: its commands, as they are written, in a fresh Debian 12 that systemd has
 * booted, by a user with sudo. The machine that looks at it is another network namespace, joined by a pair of veth(4) devices; there
 * Chromium opens the page too. What the README shows as output must come. Needs root, debootstrap, ip, curl, openssl and Chromium.
 *
 * Of the commands only `ID` and `desk_…` are replaced: the id and the token that were printed before. The package is that of
 * `npm run packages -- deb`, under the name that the README gives. Nothing is written to the system; changes are in memory.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BootedMachine, bootSystemd } from '../test/support/booted.ts';
import { type Namespace, startNamespace } from '../test/support/namespace.ts';
import { type Block, blocksOf, type Command, inlineOf, missingIn } from '../test/support/readme.ts';
import { debName } from './deb.ts';
import { systemOf } from './systems.ts';
import { TARGETS } from './targets.ts';
import { BUILD, exitOnSignals, PROJECT, Tally } from './tools.ts';

const SECTION = 'The first ten minutes';
/** Its commands are run too, before the last step of the other. */
const USUAL = 'Every day';
const FOLDER = join(BUILD, 'walk');
const PICTURE = join(FOLDER, 'page.png');
/** What was run and printed. */
const TRANSCRIPT = join(FOLDER, 'transcript.txt');
/** Addresses of the README's machine, and of the one that looks at it (RFC 5737). */
const MACHINE = '192.0.2.10';
const OTHER = '192.0.2.20';
const USER = 'you';
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
/** Generous: the machine may be busy. */
const WITHIN_MS = 180_000;
const MARK = 'desk-walk-ended';
/** The check that finds what the README plants. */
const PLANTED = 'deleted-executable';

/** A shell that keeps its variables and jobs, as a terminal does. */
class Shell {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  #output = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#ended = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    child.stdin.on('error', () => undefined);
  }

  /** Runs a command; what it printed, and its exit code. Throws when it does not end. */
  async run(command: string): Promise<{ readonly output: string; readonly code: number }> {
    this.#output = '';
    this.#child.stdin.write(`${command}\nprintf '\\n${MARK} %s\\n' "$?"\n`);
    const untilMs = Date.now() + WITHIN_MS;
    for (;;) {
      const found = new RegExp(`\\n${MARK} (\\d+)\\n`).exec(this.#output);
      if (found !== null) return { output: this.#output.slice(0, found.index), code: Number(found[1]) };
      if (this.#child.exitCode !== null || Date.now() > untilMs)
        throw new Error(`"${command}" does not end: ${this.#output}`);
      await delay(20);
    }
  }

  /** What it has started in the background ends with its machine, and may hold its output until then. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await this.#ended;
    clearTimeout(timer);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }
}

/** What was printed and is written into later commands. */
interface Printed {
  id: string;
  /** The same finding on the remote listener, where ids are keyed. */
  remoteId: string;
  token: string;
  /** SHA-256 of the certificate, as `desk token make` shows it. */
  fingerprint: string;
}

const FINGERPRINT = /\b(?:[0-9A-F]{2}:){31}[0-9A-F]{2}\b/;

/** Exit codes of commands that end with another one than 0, as they should. */
const CODES: readonly (readonly [RegExp, readonly number[]])[] = [
  // Refused, as the README says: what was planted is a finding.
  [/\bdesk secure learn\b/, [4]],
  // 1: something is found.
  [/\bdesk (?:status|findings|packages|baseline|startup|accounts|doctor)\b/, [0, 1]],
];
const codesOf = ({ text }: Command): readonly number[] => CODES.find(([of]) => of.test(text))?.[1] ?? [0];

class Walk {
  readonly #printed: Printed = { id: '', remoteId: '', token: '', fingerprint: '' };
  readonly #tally: Tally;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  get printed(): Readonly<Printed> {
    return this.#printed;
  }

  /** Runs the commands of a block. What asks for the state is asked again until it is as the README shows it. */
  async block({ step, commands }: Block, shell: Shell): Promise<void> {
    for (const command of commands) {
      const startedAt = performance.now();
      const text = this.#filled(command.text);
      const { output, code } = await this.#asShown(text, command, shell);
      const ms = Math.round(performance.now() - startedAt);
      appendFileSync(TRANSCRIPT, `$ ${text}\n${output}\n# exit code ${code}, ${ms} ms\n\n`);
      const wrong = this.#faultOf(command, output, code);
      this.#tally.add(`${step}: ${command.text.split('\n')[0]}`, {
        status: wrong === '' ? 0 : 1,
        stdout: `${ms} ms`,
        stderr: `${wrong}\n${output}\n`,
      });
      if (wrong !== '') throw new Error(`${step}: ${text} ${wrong}`);
      this.#keep(output);
    }
  }

  /** What is wrong with the answer of a command; "" when nothing is. */
  #faultOf(command: Command, output: string, code: number): string {
    if (!codesOf(command).includes(code)) return `ended with ${code}`;
    const missing = missingIn(output, command.shown);
    if (missing !== undefined) return `README.md shows, and it was not printed: ${missing}`;
    // As the README promises of its exit code.
    if (/\bdesk status\b/.test(command.text) && (code === 0) !== output.includes('The desk is well'))
      return `ended with ${code}`;
    return command.text.includes('/view.json') ? this.#faultOfView(output) : '';
  }

  #faultOfView(output: string): string {
    const { open } = JSON.parse(output) as { open: readonly Record<'id' | 'check' | 'subject', string>[] };
    const found = open.find(({ check, subject }) => check === PLANTED && subject.startsWith('backup-agent '));
    this.#printed.remoteId = found?.id ?? '';
    if (found === undefined) return 'the finding is not in the view';
    return found.id === this.#printed.id ? 'its id is not keyed' : '';
  }

  async #asShown(text: string, command: Command, shell: Shell) {
    const untilMs = Date.now() + WITHIN_MS;
    for (;;) {
      const ran = await shell.run(text);
      const isQuestion = /\bdesk (?:status|findings)\b/.test(text);
      if (!isQuestion || missingIn(ran.output, command.shown) === undefined || Date.now() > untilMs)
        return ran;
      await delay(500);
    }
  }

  #filled(text: string): string {
    return text.replace(/\bID\b/, this.#printed.id).replace('desk_…', this.#printed.token);
  }

  #keep(output: string): void {
    this.#printed.id = /^ *([0-9a-f]{16})\b/m.exec(output)?.[1] ?? this.#printed.id;
    this.#printed.token = /\bdesk_[\w-]{43}\b/.exec(output)?.[0] ?? this.#printed.token;
    const fingerprint = FINGERPRINT.exec(output)?.[0];
    if (fingerprint === undefined) return;
    // Printed on the machine first, then by the other one.
    if (this.#printed.fingerprint !== '' && this.#printed.fingerprint !== fingerprint)
      throw new Error(`the certificate has another fingerprint: ${fingerprint}`);
    this.#printed.fingerprint = fingerprint;
  }
}

/** The package under the name that the README gives, in a folder of its own. */
function packaged(blocks: readonly Block[]): string {
  const target = TARGETS.find(({ name }) => name === `${process.arch}-glibc`);
  if (target === undefined) throw new Error(`there is no package for ${process.arch}`);
  const name = debName(target.cpu);
  const installs = blocks.flatMap(({ commands }) => commands).some(({ text }) => text.includes(`./${name}`));
  if (!installs) throw new Error(`README.md does not install ${name}`);
  const made = join(BUILD, name);
  if (!existsSync(made)) throw new Error(`${made} is missing: run "npm run packages -- deb" first`);
  const packedAt = statSync(join(BUILD, `linux-${target.name}`)).mtimeMs;
  if (statSync(made).mtimeMs < packedAt)
    throw new Error(`${made} is older than what was packed: run "npm run packages -- deb" first`);
  mkdirSync(FOLDER, { recursive: true });
  copyFileSync(made, join(FOLDER, name));
  return made;
}

/** Joins two network namespaces, given by processes in them, by a cable. */
function connect(machine: number, other: number): void {
  const ip = (namespace: number, ...words: readonly string[]): void => {
    const { status, stderr } = spawnSync('nsenter', [`--net=/proc/${namespace}/ns/net`, 'ip', ...words], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
  };
  ip(machine, 'link', 'add', 'lan0', 'type', 'veth', 'peer', 'name', 'lan0', 'netns', `${other}`);
  for (const [namespace, address] of [
    [machine, MACHINE],
    [other, OTHER],
  ] as const) {
    ip(namespace, 'address', 'add', `${address}/24`, 'dev', 'lan0');
    ip(namespace, 'link', 'set', 'lan0', 'up');
  }
}

async function userOf(machine: BootedMachine): Promise<void> {
  const line = `set -e
useradd --create-home --shell /bin/bash ${USER}
echo '${USER} ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/${USER}
rm -f /usr/sbin/policy-rc.d
# As the installer of Debian does: sudo looks the name up.
echo "127.0.1.1 $(cat /proc/sys/kernel/hostname)" >>/etc/hosts
cp /mnt/*.deb /home/${USER}`;
  const { code, stderr } = await machine.run(['sh', '-c', line]);
  if (code !== 0) throw new Error(stderr);
}

/** Fails when the last command of the README has left something. */
async function left(machine: BootedMachine) {
  const paths = ['/usr/bin/desk', '/usr/lib/hostess-desk', '/var/lib/desk', '/etc/desk'];
  const { code, stdout } = await machine.run(['sh', '-c', 'ls -d "$@" 2>/dev/null', 'sh', ...paths]);
  return { status: code === 0 ? 1 : 0, stdout, stderr: '' };
}

/** The page in Chromium on the other machine, with a picture of it in build/packages/walk. */
async function seenInChromium(
  tally: Tally,
  other: Namespace,
  { token, fingerprint, remoteId }: Readonly<Printed>,
): Promise<void> {
  const startedAt = performance.now();
  // The file that the README has saved there, compared with what the machine itself has printed.
  const certificate = new X509Certificate(readFileSync(join(FOLDER, 'desk.crt')));
  if (certificate.fingerprint256 !== fingerprint) throw new Error('desk.crt has another fingerprint');
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
  const pin = createHash('sha256').update(key).digest('base64');
  const words = [
    join(PROJECT, 'packaging/walk-page.ts'),
    `https://${MACHINE}:18773/`,
    pin,
    PICTURE,
    remoteId,
  ];
  const child = other.spawn([process.execPath, '--import', 'tsx', ...words]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  child.stdin.end(token);
  // It closes its browser then.
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  const [status] = (await once(child, 'close')) as [number | null];
  process.off('exit', end);
  const ms = Math.round(performance.now() - startedAt);
  tally.add('the page in Chromium', { status, stdout: `${ms} ms, ${PICTURE}: ${stdout}`, stderr });
}

/** `npm run packages -- walk`. */
export async function walk(): Promise<Tally> {
  const tally = new Tally();
  const startedAt = performance.now();
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
  const blocks = blocksOf(readme, SECTION);
  rmSync(FOLDER, { recursive: true, force: true });
  const deb = packaged(blocks);
  const root = systemOf({
    name: 'bookworm-amd64-bare',
    suite: 'bookworm',
    arch: 'amd64',
    include: ['systemd', 'systemd-sysv', 'sudo', 'dbus', 'ca-certificates'],
  });
  console.log(
    `${basename(deb)} and the system are ready after ${Math.round(performance.now() - startedAt)} ms`,
  );
  exitOnSignals();
  const machine = await bootSystemd({ root, shared: [[FOLDER, '/mnt']] });
  try {
    await using other = await startNamespace();
    await walkIn(tally, readme, blocks, machine, other);
  } catch (error) {
    tally.add('walk', { status: 1, stdout: '', stderr: (error as Error).message });
  } finally {
    await machine.stop();
  }
  return tally;
}

/** All steps but the first, on the machine and on the other one that looks at it. */
async function walkIn(
  tally: Tally,
  readme: string,
  blocks: readonly Block[],
  machine: BootedMachine,
  other: Namespace,
): Promise<void> {
  await userOf(machine);
  connect(machine.pid, other.pid);
  const bootedAt = performance.now();
  const inside = ['nsenter', '--all', `--target=${machine.pid}`, 'env', '-i', 'TERM=dumb', `PATH=${PATH}`];
  const [command = '', ...words] = [...inside, 'runuser', '--login', USER, '--command', 'exec bash'];
  const here = new Shell(spawn(command, words));
  const there = new Shell(other.spawn(['bash'], { cwd: FOLDER, env: { LC_ALL: 'C.UTF-8' } }));
  const walked = new Walk(tally);
  try {
    const walks = blocks.filter(({ place }) => place !== 'build');
    const last = walks.at(-1)?.step;
    for (const [index, block] of walks.entries()) {
      if (block.step === last && walks[index - 1]?.step !== last)
        await walked.block({ step: USUAL, place: 'machine', commands: inlineOf(readme, USUAL) }, here);
      await walked.block(block, block.place === 'other' ? there : here);
      // While what was planted still runs.
      const isLast = block.place === 'other' && walks[index + 1]?.place !== 'other';
      if (isLast) await seenInChromium(tally, other, walked.printed);
    }
    tally.add('nothing is left', await left(machine));
    console.log(`walked in ${Math.round(performance.now() - bootedAt)} ms`);
  } finally {
    await Promise.all([here.end(), there.end()]);
  }
}
