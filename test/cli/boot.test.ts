/** The service as a process: start report, refusals, reload, graceful shutdown. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deskWords } from '../support/entry.ts';
import { freePorts } from '../support/free-ports.ts';
import { needs, projectRoot } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { until } from '../support/until.ts';

const test = suite('boot');
const folder = mkdtempSync(join(tmpdir(), 'desk-boot-'));
const state = join(folder, 'state');
const configPath = join(folder, 'desk.toml');
const env = { PATH: process.env.PATH ?? '', HOME: folder, DESK_CONFIG: configPath, DESK_STATE: state };
const arguments_ = (words: readonly string[]) => [...deskWords(), ...words];

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

/** Resolves once the text was printed; throws with the output when the process ended or after 30 s. */
async function says({ process: child, text }: Booted, stream: 'out' | 'err', wanted: RegExp): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
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

test('a service starts, refuses a second one, reloads, stops on SIGTERM and leaves no token', async () => {
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
  await says(first, 'err', /previous configuration stays active/);
  assert.match(first.text.err, 'loop.mode');
  const issuesOf = async (): Promise<readonly string[]> =>
    ((await (await fetch(`http://127.0.0.1:${control}/status`)).json()) as { issues: string[] }).issues;
  const refused = (issues: readonly string[]) =>
    issues.filter((issue) => /configuration.*loop\.mode/.test(issue));
  await until(async () => refused(await issuesOf()).length === 1, 'the issue');
  writeFileSync(configPath, config);
  first.process.kill('SIGHUP');
  await says(first, 'err', /nothing changed/);
  await until(async () => refused(await issuesOf()).length === 0, 'no issue');

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
    ['bound', 'bound', 'bound', 'off', 'off'],
  );
  third.process.kill('SIGINT');
  assert.is((await third.ended)[0], 0);
});

test('an office port in use is reported and does not stop the service; a control port in use does', async () => {
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
      timeout: patientMs(60_000),
    });
    assert.is(refused.status, 4, refused.stderr);
    assert.match(refused.stderr, 'listen.control');
    assert.not.ok(existsSync(join(state, 'control.token')));
  } finally {
    await new Promise((resolve) => holder.close(resolve));
  }
});

const answers = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  const up = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    once(socket, 'error').then(() => false),
  ]);
  socket.destroy();
  return up;
};

const writeConfig = async (): Promise<number> => {
  const [control, office, open] = (await freePorts(3)) as [number, number, number];
  writeFileSync(
    configPath,
    `[listen.control]\nport = ${control}\n[listen.office]\nport = ${office}\n[listen.public]\nport = ${open}\n`,
  );
  return control;
};

test('closing the reader of the start report does not stop the service', async () => {
  const control = await writeConfig();
  const booted = boot();
  booted.process.stdout?.destroy();
  await says(booted, 'err', /"msg":/).catch(() => undefined);
  await until(() => answers(control), 'the control port');
  // The report is printed after the listeners are bound.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.is(booted.process.exitCode, null);
  assert.ok(await answers(control));
  booted.process.kill('SIGTERM');
  assert.is((await booted.ended)[0], 0, booted.text.err);
  assert.match(booted.text.err, 'stopped');
});

test('a signal during the start stops the service cleanly; SIGHUP does not stop it', async () => {
  await writeConfig();
  const token = join(state, 'control.token');
  const booted = boot(['--no-loop']);
  await until(() => existsSync(token), 'the token', 30_000, 2);
  booted.process.kill('SIGHUP');
  booted.process.kill('SIGTERM');
  const [code, signal] = await booted.ended;
  assert.is(signal, null);
  assert.is(code, 0, booted.text.err);
  assert.not.ok(existsSync(token));
});

const bootWords = [process.execPath, ...arguments_(['boot', '--no-loop'])];

needs('root', 'namespaces')(
  test,
  'a full disk at the start is reported, and the service runs without a store',
  async () => {
    await writeConfig();
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    // Sizes in bytes, names and the step that fails: the lock, the database, its index, its tables, the mark, the end.
    const cases: readonly [options: string, fill: boolean, expected: RegExp][] = [
      ['size=1m,nr_inodes=20', true, /desk\.lock.*ENOSPC/],
      ['size=4k,nr_inodes=20', false, /SQLITE_FULL/],
      ['size=16k,nr_inodes=20', false, /SQLITE_IOERR_SHM/],
      ['size=64k,nr_inodes=20', false, /SQLITE_FULL/],
      ['size=1m,nr_inodes=8', false, /desk\.store.*ENOSPC/],
    ];
    for (const [options, fill, expected] of cases) {
      const script = `mount -t tmpfs -o ${options} none "$1" || exit 99
    ${fill ? 'head -c 2M /dev/zero > "$1/fill"' : ':'}
    report=$2; shift 2; "$@" >"$report" & service=$!
    tries=0; until grep -q 'desk status' "$report" || [ $tries = 300 ]; do sleep 0.1; tries=$((tries + 1)); done
    kill -TERM $service; wait $service`;
      const { status, stderr } = spawnSync(
        'unshare',
        ['--mount', 'sh', '-c', script, 'sh', disk, join(folder, 'full-report'), ...bootWords],
        {
          cwd: projectRoot,
          env: { ...env, DESK_STATE: join(disk, 'state') },
          encoding: 'utf8',
          timeout: patientMs(60_000),
        },
      );
      assert.is(status, 0, `${options}: ${stderr}`);
      assert.match(stderr, expected);
      assert.match(stderr, 'nothing can be kept in the state folder');
      assert.match(stderr, 'free space');
      rmSync(join(folder, 'full-report'));
      assert.not.match(stderr, /^ +at /m);
    }
  },
);

needs('root', 'namespaces')(
  test,
  'a disk that fills up while the service runs is reported when it stops, exit 4',
  async () => {
    await writeConfig();
    const disk = join(folder, 'disk-at-end');
    mkdirSync(disk);
    const script = `disk=$1; mount -t tmpfs -o size=1m none "$disk" || exit 99
    report=$2; shift 2; "$@" >"$report" & service=$!
    tries=0; until grep -q 'desk status' "$report" || [ $tries = 300 ]; do sleep 0.1; tries=$((tries + 1)); done
    head -c 2M /dev/zero >"$disk/fill" 2>/dev/null
    kill -TERM $service; wait $service`;
    const { status, stderr } = spawnSync(
      'unshare',
      ['--mount', 'sh', '-c', script, 'sh', disk, join(folder, 'report'), ...bootWords],
      {
        cwd: projectRoot,
        env: { ...env, DESK_STATE: join(disk, 'state') },
        encoding: 'utf8',
        timeout: patientMs(60_000),
      },
    );
    assert.is(status, 4, stderr);
    assert.match(stderr, 'could not close everything');
    assert.match(stderr, 'SQLITE_FULL');
    assert.not.match(stderr, /^ +at /m);
  },
);

test.run();
