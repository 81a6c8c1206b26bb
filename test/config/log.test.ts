import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shortLines } from '../../src/cli/log-lines.ts';
import { Terminal } from '../../src/cli/terminal.ts';
import { DeskError } from '../../src/desk.ts';
import { createLogger, logLevel } from '../../src/log.ts';

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

test('tokens and passwords never reach a line', () => {
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

test('error codes stay', () => {
  const stream = recorder();
  createLogger('info', stream).warn({ code: 'EADDRINUSE', port: 80 }, 'cannot bind');
  assert.is((JSON.parse(stream.lines[0] ?? '') as { code: string }).code, 'EADDRINUSE');
});

test('the short form keeps one line per entry, whatever the entry holds', () => {
  const text: string[] = [];
  const terminal = new Terminal({ write: (part) => void text.push(part) }, {});
  const log = createLogger('info', shortLines(terminal));
  log.warn({ comm: 'evil\u001b[2J\nname' }, 'seen');
  const printed = text.join('');
  assert.is(printed.split('\n').length, 2);
  assert.not.ok(printed.includes('\u001b'));
  assert.match(printed, /warn .*seen.*comm=evil/);
});

test.run();
