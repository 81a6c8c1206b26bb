/** `desk watch` on a terminal: what keys and the mouse show, and that the terminal is given back however it ends. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTER, LEAVE } from '../../src/cli/watch/tty.ts';
import { detection } from '../../src/records/detection.ts';
import { liveView } from '../../src/records/live.ts';
import { page } from '../../src/records/page.ts';
import { processTable } from '../../src/records/tables.ts';
import { FakeService } from '../support/cli.ts';
import { deskWords } from '../support/entry.ts';
import { needs } from '../support/require.ts';
import { findingFrom, stateFrom } from '../support/state.ts';
import { OnTerminal } from '../support/terminal.ts';

const test = suite('watch');
const service = new FakeService();
test.before(() => service.start());
test.after(() => service.stop());

const findings = Array.from({ length: 40 }, (_, index) =>
  findingFrom({
    id: String(index).padStart(16, '0'),
    severity: 'high',
    summary: `process ${index} is traced by a program with a long name, of which there is much to be said`,
  }),
);
const state = stateFrom({ findings });
const bodies: Readonly<Record<string, () => unknown>> = {
  '/h7/live': () => liveView.assemble({ state, ageMs: 1, before: null }),
  '/h7/page': () => page.assemble(state),
  '/detection': () => detection.assemble({ state }),
  '/h7/processes': () => processTable.assemble(state),
};

interface Given {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: readonly string[];
  readonly options?: readonly string[];
}

/** The view on a terminal of this size, when it shows its keys. */
async function watch({
  columns = 80,
  rows = 24,
  env = {},
  node = [],
  options = [],
}: Given = {}): Promise<OnTerminal> {
  service.answer = ({ path }) => ({ body: bodies[path]?.() });
  service.asked.length = 0;
  const words = [process.execPath, ...node, ...deskWords(), 'watch', '--every', '100', ...options];
  const on = new OnTerminal(words, { columns, rows, env: { ...service.env, ...env } });
  await on.until(() => on.status !== null || on.screen.lines().some((line) => /high {5}/.test(line)));
  return on;
}

/** The modes of the terminal are as before, and the last thing it was sent gives it back. */
function assertGivenBack(on: OnTerminal): void {
  assert.ok(on.text.includes(ENTER));
  assert.ok(on.text.lastIndexOf(LEAVE) > on.text.lastIndexOf(ENTER), 'the screen was left');
  assert.not.ok(
    on.text.slice(on.text.lastIndexOf(LEAVE)).includes('\u001b[?2026h'),
    'nothing is painted after that',
  );
  assert.is(on.modes.at(-1), on.modes[0], 'termios');
}

/** A process that is continued before it has stopped then stops for good. */
async function stopped(pid: number): Promise<void> {
  while (!/\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await delay(10);
}

const define = needs('python3');

define(test, 'the first screen: the verdict, the worst findings, and the keys; q quits', async () => {
  await using on = await watch();
  const lines = on.screen.lines();
  assert.match(lines[0] ?? '', /^The desk is not well: 40 scars/);
  assert.match(lines[1] ?? '', /40 open, .* old$/);
  assert.match(lines[2] ?? '', /1 Overview {2}2 Findings {2}3 Processes/);
  assert.match(lines.join('\n'), /40 open findings/);
  assert.match(lines[23] ?? '', /\? help {2}q quit$/);
  assert.is.not(await on.askModes(), on.modes[0], 'raw mode');
  assert.equal(new Set(service.asked.map(({ path }) => path)), new Set(['/h7/live', '/h7/page']));
  on.keys('q');
  await on.ended();
  assert.is(on.status, 0);
  assertGivenBack(on);
});

define(test, 'keys and the mouse: views, filter, help, another size', async () => {
  await using on = await watch();
  on.keys('2');
  await on.shows('40 open findings');
  on.keys('/process 37 ');
  await on.shows('filter "process 37 "');
  on.keys('\r\u001b[B');
  await on.shows('1 of 40 open findings');
  on.keys('\u001b');
  await on.shows(/^40 open findings/);
  // A click on "1 Overview".
  on.keys('\u001b[<0;3;3M');
  await on.shows('2 lists them');
  on.keys('?');
  await on.shows('paint the whole screen again');
  on.keys('\u001b');
  on.resize(40, 12);
  await on.shows(/^1 Overview {2}2 {2}3/);
  assert.match(on.screen.lines()[11] ?? '', /q quit$/);
  on.keys('\u0003');
  await on.ended();
  assertGivenBack(on);
});

define(
  test,
  'a service that is away is reported, with the age of what is shown, and asked again',
  async () => {
    await using on = await watch();
    service.answer = () => 'no desk';
    await on.shows('Not current');
    await on.shows('does not answer');
    service.answer = ({ path }) => ({ body: bodies[path]?.() });
    await on.shows(/^The desk is not well/);
    on.keys('q');
    await on.ended();
  },
);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  define(test, `${signal} gives the terminal back`, async () => {
    await using on = await watch();
    on.kill(signal);
    await on.ended();
    assert.is(on.status, 0);
    assertGivenBack(on);
  });

for (const how of ['SIGTSTP', 'Ctrl-Z'] as const)
  define(test, `${how} gives the terminal back, and SIGCONT takes it again`, async () => {
    await using on = await watch();
    if (how === 'SIGTSTP') on.kill('SIGTSTP');
    else on.keys('\u001a');
    await stopped(on.pid);
    assert.is(await on.askModes(), on.modes[0]);
    await on.until(() => on.text.endsWith(LEAVE));
    on.kill('SIGCONT');
    await on.until(() => on.text.split(ENTER).length === 3);
    await on.shows('q quit');
    assert.is.not(await on.askModes(), on.modes[0]);
    on.keys('q');
    await on.ended();
    assertGivenBack(on);
  });

define(test, 'an exception gives the terminal back, and its stack is printed after that', async () => {
  const crash = "process.on('SIGUSR2', () => { throw new Error('a bug'); })";
  await using on = await watch({ node: ['--import', `data:text/javascript,${encodeURIComponent(crash)}`] });
  on.kill('SIGUSR2');
  await on.ended();
  assert.is(on.status, 1);
  assertGivenBack(on);
  assert.match(on.text.slice(on.text.lastIndexOf(LEAVE)), /Error: a bug/);
});

define(test, 'it ends when its terminal is closed', async () => {
  await using on = await watch();
  on.hangUp();
  await on.ended();
  assert.ok(on.status !== null);
});

define(test, 'a service that does not answer at all is refused before the screen is taken', async () => {
  await using on = new OnTerminal([process.execPath, ...deskWords(), 'watch'], {
    ...{ columns: 80, rows: 24 },
    env: { ...service.env, DESK_CONFIG: '/nonexistent/desk.toml' },
  });
  await on.ended();
  assert.is.not(on.status, 0);
  assert.not.ok(on.text.includes(ENTER));
});

for (const [name, given] of [
  ['TERM=dumb', { env: { TERM: 'dumb' }, options: ['--times', '2'] }],
  ['--times', { options: ['--times', '2'] }],
] as const)
  define(test, `${name} prints lines`, async () => {
    await using on = await watch(given);
    await on.ended();
    assert.is(on.status, 0);
    assert.not.ok(on.text.includes(ENTER));
    assert.is(on.text.split('findings, ').length, 3);
  });

test.run();
