import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import { createLogger, LogOutput, logLevel } from '../../src/base/log.ts';
import { Terminal } from '../../src/base/terminal.ts';
import { shortLines } from '../../src/cli/log-lines.ts';
import { projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('log');

const recorder = () => {
  const lines: string[] = [];
  return { lines, write: (line: string) => void lines.push(line) };
};

test('an unknown level is refused with the known ones', () => {
  assert.is(logLevel({}), 'info');
  assert.is(logLevel({ DESK_LOG_LEVEL: 'debug' }), 'debug');
  try {
    logLevel({ DESK_LOG_LEVEL: 'loud' });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, DeskError);
    assert.match((error as DeskError).remedy, 'debug');
  }
});

test('tokens and passwords are never logged', () => {
  const stream = recorder();
  const log = createLogger('trace', stream);
  const canary = 'canary-0123456789abcdef';
  log.info({ token: canary, mail: { password: canary }, headers: { authorization: canary } }, 'hello');
  log.warn(`asked with Bearer ${canary}`);
  log.error({ err: new Error(`Bearer ${canary} refused`) }, 'failed');
  assert.is(stream.lines.length, 3);
  assert.not.match(stream.lines.join(''), canary);
  const first = JSON.parse(stream.lines[0] ?? '') as Record<string, unknown>;
  assert.is(first.level, 'info');
  assert.is(first.msg, 'hello');
});

test('error codes are logged', () => {
  const stream = recorder();
  createLogger('info', stream).warn({ code: 'EADDRINUSE', port: 80 }, 'cannot bind');
  assert.is((JSON.parse(stream.lines[0] ?? '') as { code: string }).code, 'EADDRINUSE');
});

test('the short form has one line per entry, for any entry', () => {
  const text: string[] = [];
  const terminal = new Terminal({ write: (part) => void text.push(part) }, {});
  const log = createLogger('info', shortLines(terminal));
  log.warn({ comm: 'evil\u001b[2J\nname' }, 'seen');
  const printed = text.join('');
  assert.is(printed.split('\n').length, 2);
  assert.not.ok(printed.includes('\u001b'));
  assert.match(printed, /warn .*seen.*comm=evil/);
});

const talkative = `
  import { createLogger } from '${join(projectRoot, 'src/base/log.ts')}';
  const log = createLogger('info');
  for (let line = 0; line < 3000; line += 1) log.info({ line }, 'x'.repeat(100));
  process.stdout.write('alive');
`;

/** Runs the logging program with its stderr redirected by a shell; it may take 20 s. */
const withStderr = (redirection: string, folder: string) =>
  spawnSync(
    'sh',
    [
      '-c',
      `${redirection.replaceAll('FIFO', join(folder, 'fifo'))}; exec node --import tsx "$1" 2>&3`,
      'sh',
      join(folder, 'talk.ts'),
    ],
    { cwd: projectRoot, encoding: 'utf8', timeout: patientMs(20_000) },
  );

test('a pipe without a reader, a full disk and a closed reader do not stop the program', () => {
  const folder = tempFolder('desk-log-');
  writeFileSync(join(folder, 'talk.ts'), talkative);
  spawnSync('mkfifo', [join(folder, 'fifo')]);
  for (const redirection of ['exec 3<>FIFO', 'exec 3>/dev/full', 'exec 4<>FIFO 3>FIFO 4<&-']) {
    const { stdout, status, stderr } = withStderr(redirection, folder);
    assert.is(stdout, 'alive', `${redirection}: ${stderr}`);
    assert.is(status, 0, redirection);
  }
});

test('the first line after lost ones says how many are missing, and no line is partial', () => {
  const folder = tempFolder('desk-log-');
  const path = join(folder, 'fifo');
  spawnSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const output = new LogOutput(reader);
  try {
    const drain = (): string => {
      const bytes = Buffer.alloc(1 << 20);
      return bytes.toString('utf8', 0, readSync(reader, bytes));
    };
    // Longer than PIPE_BUF, so that a full pipe accepts only the start of a line (pipe(7)).
    const text = 'x'.repeat(5000);
    for (let line = 0; line < 40; line += 1) output.write(`${JSON.stringify({ line, text })}\n`);
    const { dropped } = output;
    assert.ok(dropped > 0);
    let read = drain();
    output.write(`${JSON.stringify({ line: 'last' })}\n`);
    read += drain();
    assert.is(output.dropped, 0);
    const lines = read
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.is(lines.at(-1)?.line, 'last');
    assert.is(lines.at(-1)?.dropped_lines, dropped);
    assert.is(lines.length - 1 + dropped, 40);
  } finally {
    output.close();
    closeSync(reader);
  }
});

test.run();
