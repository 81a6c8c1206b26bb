// Installs packed files with one Node and one npm, and uses what was installed: `node inside.mjs NPM_CLI FOLDER`.
// FOLDER holds the files. Runs in any root file system, so it needs nothing but Node and `sh`: no compiler is on the PATH, npm
// has no network, an empty cache, and runs no scripts. Prints one JSON line: the times and what was seen. Run by packaging/try.ts and systems.ts.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [npmCli, files] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'desk-try-'));
let prefix = join(work, 'prefix');
const path = join(work, 'path');
mkdirSync(path);
mkdirSync(prefix);
symlinkSync(process.execPath, join(path, 'node'));
symlinkSync(realpathSync('/bin/sh'), join(path, 'sh'));
const state = join(work, 'state');
const config = join(work, 'desk.toml');
const CONTROL = 28772;
writeFileSync(config, `[listen.control]\nport = ${CONTROL}\n[listen.public]\nport = 28770\n`);
chmodSync(config, 0o644);
const env = { PATH: path, HOME: work, DESK_STATE: state, DESK_CONFIG: config, NO_COLOR: '1' };

function run(program, args, allowed = [0]) {
  const started = performance.now();
  const done = spawnSync(program, args, { cwd: prefix, env, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (done.error) throw done.error;
  if (!allowed.includes(done.status))
    throw new Error(
      `${program} ${args.slice(0, 4).join(' ')} ended with ${done.status ?? done.signal}\n${done.stdout}${done.stderr}`,
    );
  return {
    ms: Math.round(performance.now() - started),
    code: done.status,
    out: done.stdout,
    err: done.stderr,
  };
}

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];

function npm(...args) {
  const flags = [`--prefix=${prefix}`, `--cache=${join(work, 'cache')}`, '--offline', ...QUIET];
  return run(process.execPath, [npmCli, ...args, ...flags]);
}

/** A program whose file is gone while it runs: every desk reports it. */
function plant() {
  const program = join(work, 'planted');
  copyFileSync(realpathSync('/bin/sleep'), program);
  const child = spawn(program, ['3600'], { stdio: 'ignore' });
  rmSync(program);
  return child;
}

async function answerOf(service, said) {
  const started = performance.now();
  for (;;) {
    if (service.exitCode !== null) throw new Error(`desk boot ended with ${service.exitCode}\n${said()}`);
    if (performance.now() - started > 120_000) throw new Error(`desk boot does not answer\n${said()}`);
    try {
      // With the token: under emulation the kernel does not say which user asks.
      const headers = {
        authorization: `Bearer ${readFileSync(join(state, 'control.token'), 'utf8').trim()}`,
        // The service closes a connection that is idle for 5 s, and commands run in between.
        connection: 'close',
      };
      const answer = await fetch(`http://127.0.0.1:${CONTROL}/status`, { headers });
      if (answer.status === 200) {
        const { office_local: office } = (await answer.json()).whole_stick;
        return { ms: Math.round(performance.now() - started), office, headers };
      }
    } catch {
      // Not listening yet.
    }
    await delay(50);
  }
}

async function thinks(headers) {
  const answer = await fetch(`http://127.0.0.1:${CONTROL}/h7/think`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'What is a scar?' }),
  });
  return await answer.text();
}

async function serves(desk) {
  const service = spawn(desk, ['boot'], { env, cwd: work, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [service.stdout, service.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const ended = once(service, 'exit');
  try {
    const seen = await answerOf(service, () => output);
    const asked = run(desk, ['think', 'What is a scar?'], [0, 4]);
    // Under emulation a command cannot ask the kernel who listens, and sends its token to nothing that it does not know.
    const said = asked.err.includes('EPROTONOSUPPORT') ? await thinks(seen.headers) : asked.out;
    if (!said.includes('scar')) throw new Error(`the hostess does not answer\n${said}${asked.err}`);
    const page = await fetch(`http://127.0.0.1:${CONTROL}/`, { headers: seen.headers });
    const [style] = /\/assets\/[\w.-]+\.css/.exec(await page.text()) ?? [''];
    const asset = await fetch(`http://127.0.0.1:${CONTROL}${style}`, { headers: seen.headers });
    if (style === '' || page.status !== 200 || asset.status !== 200)
      throw new Error('the page is not served whole');
    service.kill('SIGTERM');
    const [code] = await ended;
    if (code !== 0) throw new Error(`desk boot ended with ${code} after SIGTERM\n${output}`);
    return seen;
  } finally {
    service.kill('SIGKILL');
  }
}

/** A project of its own that uses the library: both examples run, and no other module can be imported. */
function usesLibrary(packed) {
  prefix = join(work, 'project');
  mkdirSync(prefix);
  writeFileSync(join(prefix, 'package.json'), '{ "type": "module" }');
  npm('install', ...packed);
  for (const example of ['listeners.mjs', 'watch.mjs'])
    copyFileSync(join(import.meta.dirname, 'examples', example), join(prefix, example));
  run('node', [join(prefix, 'listeners.mjs')]);
  // On a busy machine the first sweep alone takes seconds.
  const isSeen = (out) => /^\d+ processes, \d+ listeners$/m.test(out) && out.includes('planted');
  let out = '';
  for (const seconds of ['1', '10', '60'])
    if (!isSeen(out)) ({ out } = run('node', [join(prefix, 'watch.mjs'), seconds]));
  if (!isSeen(out)) throw new Error(`the watch of the library shows too little\n${out}`);
  const inner = run('node', [
    '-e',
    "import('hostess-desk/dist/engine/sweep.js').catch((error) => console.log(error.code))",
  ]);
  if (inner.out.trim() !== 'ERR_PACKAGE_PATH_NOT_EXPORTED')
    throw new Error(`inner modules can be imported\n${inner.out}`);
}

/** Licences of the code of others that is in the installed files. */
function hasNotices(folder) {
  const wanted = { 'hostess-desk': ['preact', 'uplot'], 'hostess-desk-linux': ['node-addon-api'] };
  for (const name of readdirSync(folder).filter((one) => one.startsWith('hostess-desk'))) {
    const text = readFileSync(join(folder, name, 'NOTICES'), 'utf8');
    const parts = [
      ...(wanted[name] ?? wanted['hostess-desk-linux']),
      ...(name.endsWith('-musl') ? ['musl'] : []),
    ];
    for (const part of parts)
      if (!text.includes(part)) throw new Error(`NOTICES of ${name} does not name ${part}\n${text}`);
    if (!/^Permission is hereby granted/m.test(text)) throw new Error(`NOTICES of ${name} has no licence`);
  }
}

const planted = plant();
try {
  const packed = readdirSync(files)
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => join(files, file));
  const install = npm('install', '--global', ...packed);
  hasNotices(join(prefix, 'lib/node_modules'));
  const desk = join(prefix, 'bin/desk');
  const version = run(desk, ['--version']).out.trim();
  const verdict = run(desk, ['status', '--local', '--json'], [0, 1]);
  const findings = run(desk, ['findings', '--local', '--json'], [0, 1]);
  // Of an emulated process the emulator is the program: something else is wrong with it.
  if (!JSON.parse(findings.out).findings.some(({ members }) => members.pids.includes(planted.pid)))
    throw new Error(`the planted process is not found\n${findings.out}`);
  const doctor = run(desk, ['doctor'], [0, 1]);
  const service = await serves(desk);
  // npm 12 installs no manual pages.
  const manual = existsSync(join(prefix, 'share/man/man1/desk.1'));
  const { version: npmVersion } = JSON.parse(readFileSync(join(npmCli, '../../package.json'), 'utf8'));
  if (!manual && Number.parseInt(npmVersion, 10) < 12) throw new Error('the manual page is not installed');
  npm(
    'uninstall',
    '--global',
    'hostess-desk',
    ...packed.map((file) => file.match(/(hostess-desk-linux-\w+-\w+)-\d/)?.[1]).filter(Boolean),
  );
  const left = existsSync(join(prefix, 'lib/node_modules'))
    ? readdirSync(join(prefix, 'lib/node_modules')).filter((name) => !name.startsWith('.'))
    : [];
  if (left.length > 0) throw new Error(`npm uninstall left ${left.join(', ')}`);
  usesLibrary(packed);
  console.log(
    JSON.stringify({
      version,
      install_ms: install.ms,
      verdict_ms: verdict.ms,
      findings_ms: findings.ms,
      doctor_ms: doctor.ms,
      serves_ms: service.ms,
      office: service.office,
    }),
  );
} finally {
  planted.kill();
  rmSync(work, { recursive: true, force: true });
}
