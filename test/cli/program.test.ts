import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION } from '../../src/base/version.ts';
import { allCommands } from '../../src/cli/commands/index.ts';
import { programOf } from '../../src/cli/program.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { cli } from '../support/cli.ts';
import { deskWords } from '../support/entry.ts';
import { projectRoot } from '../support/require.ts';
import { stateFrom } from '../support/state.ts';
import { patientMs } from '../support/time-limit.ts';

const commands = await allCommands();
const VERSION_LINE = new RegExp(
  `^${VERSION.replaceAll('.', '\\.')} \\((?:x86_64|avx512_mark|aarch64), (?:bpf|procfs), Linux [^,]+, Node [^)]+\\)\n$`,
);

const test = suite('command line');
const folder = mkdtempSync(join(tmpdir(), 'desk-program-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const env = { DESK_STATE: join(folder, 'state'), XDG_CONFIG_HOME: folder, HOME: folder };

/** Splits a printed command line as a shell would: words, and double-quoted ones. */
const split = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** The command that a line resolves to, without running it; undefined when it does not parse. */
async function leadsTo(line: string): Promise<string | undefined> {
  const [program, ...rest] = split(line);
  if (program !== 'desk') return undefined;
  let name: string | undefined;
  const silent = { write: () => true } as unknown as NodeJS.WriteStream;
  const tree = programOf(commands, { out: silent, err: silent }, async (command) => {
    name = command.name;
  });
  await tree.parseAsync(rest, { from: 'user' }).catch(() => undefined);
  return name;
}

/** The command lines design §10 names. */
const promised =
  `boot · status · stats · av close once · field clear soft · field clear resolute · scar check ·
  scar cook check · scar cook cook · spv antivirus once · secure learn once · baseline list · baseline diff ·
  baseline review · baseline restore · web check · public · mail · findings · findings 00 · accept 00 --why x ·
  hidden pid · hidden port · law show · law check · law diff · quarantine list · quarantine restore · quarantine purge · people · who a@b.c ·
  think "a b" · consult "a b" · open · watch · history · doctor · config check · bench`
    .split('·')
    .map((line) => `desk ${line.trim()}`);

test('every documented command line resolves to a command', async () => {
  for (const line of promised) assert.ok(await leadsTo(line), line);
  for (const line of promised) assert.ok(await leadsTo(`${line} --json`), line);
});

test('every command that a record prints resolves to a command', async () => {
  const state = stateFrom();
  const lines = [
    ...Object.values(deskStatus.assemble(state).cli),
    ...Object.values(deskHygiene.assemble(state).cli),
  ];
  assert.ok(lines.length >= 12);
  for (const line of lines) assert.ok(await leadsTo(line), line);
});

for (const command of commands)
  test(`desk ${command.name}: help lists arguments, options and examples that resolve to it`, async () => {
    const { code, out, err } = await cli([...split(command.name), '--help'], env);
    assert.is(code, 0);
    assert.is(err, '');
    assert.match(out, command.summary.split(' ')[0] ?? '');
    assert.match(out, '--json');
    assert.is(out.includes('--local'), command.local === true);
    for (const { name } of command.arguments ?? []) assert.match(out, name);
    assert.ok(command.examples.length > 0);
    for (const [line] of command.examples) {
      assert.match(out, line);
      const bare = line.replace(/^(\S+=\S+ )*(sudo )?/, '');
      assert.is(await leadsTo(bare), command.name, line);
    }
  });

const misuse: readonly [string, RegExp][] = [
  ['statsu', /Did you mean.*status/s],
  ['av', /close/],
  ['av close twice', /once/],
  ['av close', /once/],
  ['scar cook fry', /check, cook|check.*cook/],
  ['status --jsno', /--json/],
  ['status extra', /argument/],
  ['accept 00', /--why/],
  ['think', /message/],
  ['law', /action/],
  ['boot --local', /--local/],
  ['watch --every 1', /--every/],
  ['history --limit many', /--limit/],
];

for (const [line, expected] of misuse)
  test(`invalid usage exits 2 and prints the usage: desk ${line}`, async () => {
    const { code, out, err } = await cli(split(line), env);
    assert.is(code, 2);
    assert.is(out, '');
    assert.match(err, expected);
  });

test('the user’s input is escaped on the terminal', async () => {
  const { code, err } = await cli(['\u001b[2Jboo'], env);
  assert.is(code, 2);
  assert.not.ok(err.includes('\u001b'));
});

test('help and version are printed', async () => {
  const bare = await cli([], env);
  assert.is(bare.code, 0);
  assert.is((await cli(['--help'], env)).out, bare.out);
  for (const { name } of commands) assert.match(bare.out, name.split(' ')[0] ?? '');
  assert.match((await cli(['--version'], env)).out, VERSION_LINE);
});

const spawned = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, [...deskWords(), ...words], {
    cwd: projectRoot,
    encoding: 'utf8',
    timeout: patientMs(60_000),
    env: { PATH: process.env.PATH ?? '', ...env, ...more },
  });

test('the process has its exit codes, and only JSON on stdout', () => {
  const version = spawned(['--version']);
  assert.is(version.status, 0);
  assert.match(version.stdout, VERSION_LINE);
  assert.is(spawned(['nonsense']).status, 2);
  const config = spawned(['config', 'check', '--json']);
  assert.is(config.status, 0);
  assert.is((JSON.parse(config.stdout) as { ok: boolean }).ok, true);
  assert.is(config.stderr, '');
});

test('output that cannot be written is reported without a stack, exit 4', () => {
  for (const line of ['config check', '--version', 'status --local --json']) {
    const full = openSync('/dev/full', 'w');
    try {
      const { status, stderr } = spawnSync(process.execPath, [...deskWords(), ...split(line)], {
        cwd: projectRoot,
        encoding: 'utf8',
        timeout: patientMs(60_000),
        env: { PATH: process.env.PATH ?? '', ...env },
        stdio: ['ignore', full, 'pipe'],
      });
      assert.is(status, 4, `${line}: ${stderr}`);
      assert.match(stderr, /output.*ENOSPC/);
      assert.not.match(stderr, /^ +at /m);
    } finally {
      closeSync(full);
    }
  }
});

test('local commands run without a service', () => {
  writeFileSync(join(folder, 'local.toml'), '[listen.office]\nport = 18080\n');
  const more = { DESK_CONFIG: join(folder, 'local.toml') };
  const status = spawned(['status', '--local', '--json'], more);
  assert.is(status.stderr, '');
  assert.ok(status.status === 0 || status.status === 1);
  const record = deskStatus.schema.parse(JSON.parse(status.stdout));
  assert.is(record.ok, status.status === 0);
  const spv = spawned(['spv', 'antivirus', 'once', '--json'], more);
  const sweep = JSON.parse(spv.stdout) as {
    pids: number;
    wrapped: number;
    unwrapped: number;
    blind: number;
    processes: { state: string }[];
  };
  assert.is(sweep.pids, sweep.wrapped + sweep.unwrapped + sweep.blind);
  assert.is(sweep.processes.length, sweep.unwrapped + sweep.blind);
  const findings = spawned(['findings', '--local', '--severity', 'grave'], more);
  assert.is(findings.status, 2);
  assert.match(findings.stderr, 'critical');
});

test('a native build that cannot run is reported with its remedy', () => {
  const { status, stderr, stdout } = spawned(['status', '--local'], { DESK_MARK: 'z80' });
  assert.is(status, 4);
  assert.is(stdout, '');
  assert.match(stderr, 'DESK_MARK');
  assert.not.match(stderr, 'at ');
});

test.run();
