/** The service as a process: start report, refusals, reload, graceful end. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectRoot } from '../support/require.ts';

const test = suite('boot');
const folder = mkdtempSync(join(tmpdir(), 'desk-boot-'));
const state = join(folder, 'state');
const configPath = join(folder, 'desk.toml');
const env = { PATH: process.env.PATH ?? '', HOME: folder, DESK_CONFIG: configPath, DESK_STATE: state };
const arguments_ = (words: readonly string[]) => ['--import', 'tsx', 'src/cli/main.ts', ...words];

/** Ports nobody listens on now. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

interface Booted {
  readonly process: ChildProcess;
  readonly text: { out: string; err: string };
  readonly ended: Promise<unknown[]>;
}

function boot(words: readonly string[] = []): Booted {
  const child = spawn(process.execPath, arguments_(['boot', ...words]), {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.out += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.err += part;
  });
  const booted = { process: child, text, ended: once(child, 'exit') };
  running.add(booted);
  return booted;
}

const running = new Set<Booted>();

/** Resolves once the text has come; throws with what came instead when the process ended or 30 s have passed. */
async function says({ process: child, text }: Booted, stream: 'out' | 'err', wanted: RegExp): Promise<void> {
  for (let look = 0; look < 600; look += 1) {
    if (wanted.test(text[stream])) return;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${wanted} did not come:\n${text.out}\n${text.err}`);
}

test.after(async () => {
  for (const { process: child, ended } of running) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await ended;
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

test('starts, refuses a second one, reloads, ends on SIGTERM and leaves no token', async () => {
  const [control, office, open] = (await freePorts(3)) as [number, number, number];
  const config = `[listen.control]\nport = ${control}\n[listen.office]\nport = ${office}\n[listen.public]\nport = ${open}\n`;
  writeFileSync(configPath, config);
  const first = boot();
  await says(first, 'out', /desk status/);
  for (const port of [control, office, open]) assert.match(first.text.out, String(port));
  assert.match(first.text.out, /first sweep/);
  assert.is(statSync(state).mode & 0o7777, 0o700);
  assert.is(statSync(join(state, 'control.token')).mode & 0o7777, 0o600);

  const asked = spawnSync(process.execPath, arguments_(['scar', 'cook', 'cook', '--json']), {
    cwd: projectRoot,
    env,
    encoding: 'utf8',
  });
  assert.is((JSON.parse(asked.stdout) as { word: string }).word, 'H7_COOK', asked.stderr);

  const second = spawnSync(process.execPath, arguments_(['boot']), {
    cwd: projectRoot,
    env,
    encoding: 'utf8',
  });
  assert.is(second.status, 4);
  assert.match(second.stderr, `pid ${first.process.pid}`);
  assert.is(second.stdout, '');

  writeFileSync(configPath, `${config}\n[loop]\nmode = "nonsense"\n`);
  first.process.kill('SIGHUP');
  await says(first, 'err', /loop\.mode.*old configuration stays|old configuration stays.*/);
  assert.match(first.text.err, 'loop.mode');
  writeFileSync(configPath, config);
  first.process.kill('SIGHUP');
  await says(first, 'err', /nothing changed/);

  first.process.kill('SIGTERM');
  const [code] = await first.ended;
  assert.is(code, 0, first.text.err);
  assert.not.ok(existsSync(join(state, 'control.token')));

  const third = boot(['--json', '--no-loop']);
  await says(third, 'out', /\n/);
  const report = JSON.parse(third.text.out) as {
    word: string;
    loop: { on: boolean };
    listeners: { state: string }[];
  };
  assert.is(report.word, 'DESK_BOOT');
  assert.is(report.loop.on, false);
  assert.equal(
    report.listeners.map((listener) => listener.state),
    ['bound', 'bound', 'bound', 'off'],
  );
  third.process.kill('SIGINT');
  assert.is((await third.ended)[0], 0);
});

test('a taken office port is told and does not stop the service; a taken control port does', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const [one, two] = (await freePorts(2)) as [number, number];
  try {
    const write = (control: number, office: number): void =>
      writeFileSync(
        configPath,
        `[listen.control]\nport = ${control}\n[listen.office]\nport = ${office}\n[listen.public]\nport = ${two}\n`,
      );
    write(one, port);
    const booted = boot();
    await says(booted, 'out', /desk status/);
    assert.match(booted.text.out, `pid ${process.pid}`);
    assert.match(booted.text.out, 'listen.office');
    booted.process.kill('SIGTERM');
    assert.is((await booted.ended)[0], 0);

    write(port, one);
    const refused = spawnSync(process.execPath, arguments_(['boot']), {
      cwd: projectRoot,
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.is(refused.status, 4, refused.stderr);
    assert.match(refused.stderr, 'listen.control');
    assert.not.ok(existsSync(join(state, 'control.token')));
  } finally {
    await new Promise((resolve) => holder.close(resolve));
  }
});

test.run();
