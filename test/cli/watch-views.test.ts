/** The views, drawn from records of whole machines, at every size. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cells, escapeTerminal, type Line, LineBuffer } from '../../src/base/terminal.ts';
import type { Known } from '../../src/cli/watch/feed.ts';
import type { KeyName } from '../../src/cli/watch/keys.ts';
import { overviewLines } from '../../src/cli/watch/overview.ts';
import { Painter } from '../../src/cli/watch/painter.ts';
import { Ui } from '../../src/cli/watch/ui.ts';
import { exit, Failure } from '../../src/desk/failure.ts';
import { detection } from '../../src/records/detection.ts';
import { liveView } from '../../src/records/live.ts';
import { page } from '../../src/records/page.ts';
import { listenerTable, processTable } from '../../src/records/tables.ts';
import { type SceneName, sceneOf } from '../support/scenes.ts';
import { stateFrom } from '../support/state.ts';
import { emulator } from '../support/terminal.ts';

const test = suite('watch: views');
const NOW = 10_000;

function knownOf(name: SceneName): Known {
  const state = stateFrom(sceneOf(name).parts);
  const seen = <T>(value: T) => ({ value, atMs: NOW - 1000 });
  const allowSources = state.snapshot.listeners.map(() => '' as const);
  return {
    seen: {
      live: seen(liveView.assemble({ state, ageMs: 0, before: null })),
      page: seen(page.assemble(state)),
      detection: seen(detection.assemble({ state })),
      processes: seen(processTable.assemble(state)),
      listeners: seen(listenerTable.assemble({ state, allowSources })),
    },
    trouble: {},
  };
}

const press = (ui: Ui, ...keys: readonly string[]): void => {
  for (const key of keys)
    if (key.length > 1) ui.handle({ kind: 'key', key: key as KeyName });
    else ui.handle({ kind: 'text', text: key });
};

async function shown(ui: Ui, columns = 80, rows = 24, nowMs = NOW): Promise<string[]> {
  const screen = emulator(columns, rows);
  const drawn = ui.draw({ columns, rows }, nowMs);
  assert.ok(drawn.length <= rows, `${drawn.length} rows of ${rows}`);
  await screen.write(`\u001b[?7l${new Painter(true).paint(drawn, columns, rows)}`);
  return screen.lines();
}

for (const scene of ['healthy', 'hostile', 'crowd'] as const)
  for (const [columns, rows] of [
    [40, 10],
    [80, 24],
    [120, 40],
    [300, 100],
  ] as const)
    test(`${scene} at ${columns}×${rows}: verdict, view and keys in every view`, async () => {
      const known = knownOf(scene);
      const ui = new Ui(() => known, 1000);
      for (const [index, name] of [
        'Overview',
        'Findings',
        'Processes',
        'Listeners',
        'Ports',
        'Startup',
      ].entries()) {
        press(ui, String(index + 1));
        for (const keys of [[], ['enter'], ['escape']]) {
          press(ui, ...keys);
          const lines = await shown(ui, columns, rows);
          assert.match(lines[0] ?? '', /^(?:The desk is|Nothing)/);
          assert.ok(lines[2]?.includes(`${index + 1} ${name}`) || index === 0, lines[2]);
          assert.ok(lines[rows - 1]?.endsWith('? help  q quit'), lines[rows - 1]);
          for (const line of lines) assert.ok(cells(line) <= columns);
          press(ui, 'escape', String(index + 1));
        }
      }
    });

const textOf = (line: Line): string =>
  line.map((one) => escapeTerminal(typeof one === 'string' ? one : one.text)).join('');
/** The text of each row as it is given to the painter, which cuts off what is too long. */
const drawnTexts = (ui: Ui, columns: number, rows: number): string[] =>
  ui.draw({ columns, rows }, NOW).map(({ line }) => textOf(line));

for (const scene of ['degraded', 'hostile'] as const)
  for (const [columns, rows] of [
    [60, 20],
    [80, 24],
    [120, 40],
  ] as const)
    test(`${scene} at ${columns}×${rows}: no text is cut off without an ellipsis`, () => {
      const ui = new Ui(() => knownOf(scene), 1000);
      for (const keys of [['1'], ['2'], ['3'], ['3', 'enter'], ['4', 'enter'], ['5', 'enter'], ['?']]) {
        press(ui, 'escape', ...keys);
        for (const text of drawnTexts(ui, columns, rows)) assert.ok(cells(text.trimEnd()) <= columns, text);
      }
    });

test('a word that is longer than a line goes on in the next one', () => {
  const buffer = new LineBuffer(40);
  buffer.wrapped('  sha256  ', 'ab'.repeat(32));
  const lines = buffer.lines.map(textOf);
  assert.ok(lines.every((line) => cells(line) <= 40));
  assert.is(lines.join('').replace(/^ {2}sha256| /g, ''), 'ab'.repeat(32));
});

test('where there is room the overview shows more findings', () => {
  const ui = new Ui(() => knownOf('hostile'), 1000);
  const severities = (rows: number): number =>
    drawnTexts(ui, 120, rows).filter((text) => /^(?:critical|high|medium|low) /.test(text)).length;
  const [few, more] = [severities(24), severities(60)];
  assert.ok(few >= 5 && more > few + 10, `${few}, ${more}`);
});

test('at 60 columns each view has a name, and the first two lines say how old all of it is', () => {
  const failure = new Failure(
    exit.unreachable,
    'The desk service does not answer at http://127.0.0.1:18772.',
  );
  const known = knownOf('healthy');
  let now = known;
  const ui = new Ui(() => now, 1000);
  for (const view of ['1', '2', '3', '4', '5', '6']) {
    press(ui, view);
    assert.is(drawnTexts(ui, 60, 20)[2], '1 Overview  2 Findings  3 Procs  4 Listen  5 Ports  6 Start');
  }
  press(ui, '1');
  now = { ...known, trouble: { live: { failure, sinceMs: NOW - 4000 } } };
  const [first = '', second = ''] = drawnTexts(ui, 60, 20);
  assert.match(first, /^Not current, 1 s old: /);
  assert.match(second, /^Tried for 4 s\. The desk service does not answer .*…$/);
  now = { ...known, trouble: { page: { failure, sinceMs: NOW - 4000 } } };
  assert.match(drawnTexts(ui, 60, 20)[1] ?? '', /^Tried for 4 s; what is shown is 1 s old\. The desk/);
});

test('a banned port that is up is not shown as a good one', () => {
  const ui = new Ui(() => knownOf('hostile'), 1000);
  press(ui, '5');
  const row = ui
    .draw({ columns: 120, rows: 40 }, NOW)
    .find(({ line }) => line.some((one) => typeof one !== 'string' && /^ *8766$/.test(one.text)));
  const state = row?.line.find((one) => typeof one !== 'string' && one.text.startsWith('up'));
  assert.equal(state, { text: 'up (banned)', style: 'bad' });
});

test('5,000 processes: sorted, filtered, and the selected one stays while others come', async () => {
  const known = knownOf('crowd');
  let now = known;
  const ui = new Ui(() => now, 1000);
  press(ui, '3');
  assert.match((await shown(ui))[3] ?? '', /^5,0\d\d processes/);
  // From the findings on, the columns in sight follow.
  press(ui, 's');
  const sorted = await shown(ui);
  press(ui, 'S');
  const turned = await shown(ui);
  assert.match(sorted[4] ?? '', /↑/);
  assert.match(turned[4] ?? '', /↓/);
  press(ui, 'down', 'down', 'enter');
  const detail = (await shown(ui)).join('\n');
  const [, pid = ''] = /pid (\d+)/.exec(detail) ?? [];
  press(ui, 'escape', '/', ...pid, 'enter');
  const lines = await shown(ui);
  assert.match(lines[3] ?? '', new RegExp(`of 5,0\\d\\d processes, filter "${pid}"`));
  assert.ok(lines.slice(5).some((line) => line.includes(pid)));
  const { processes } = known.seen;
  assert.ok(processes);
  const gone = processes.value.pid.map((one) => (String(one) === pid ? 4_000_000 : one));
  press(ui, 'escape', 'home', 'enter');
  const first = /pid (\d+)/.exec((await shown(ui)).join('\n'))?.[1];
  now = {
    ...known,
    seen: {
      ...known.seen,
      processes: {
        atMs: NOW,
        value: { ...processes.value, pid: gone.map((one) => (String(one) === first ? 4_000_001 : one)) },
      },
    },
  };
  assert.match((await shown(ui)).join('\n'), /It is gone/);
});

test('what is old is not called current, and what was never read is not empty', async () => {
  const known = knownOf('healthy');
  const failure = new Failure(
    exit.unreachable,
    'The desk service does not answer.',
    'Nothing listens there.',
  );
  let now: Known = { ...known, trouble: { live: { failure, sinceMs: NOW - 4000 } } };
  const ui = new Ui(() => now, 1000);
  let lines = await shown(ui);
  assert.match(lines[0] ?? '', /^Not current, 1 s old: /);
  assert.match(lines[1] ?? '', /does not answer\. Tried for 4 s; what is shown is 1 s old\./);
  now = known;
  assert.match((await shown(ui))[0] ?? '', /^The desk is/);
  assert.match((await shown(ui, 80, 24, NOW + 60_000))[0] ?? '', /^Not current, 61 s old: /);
  press(ui, '6');
  assert.is((await shown(ui))[3], 'Reading…');
  now = { ...known, trouble: { startup: { failure, sinceMs: NOW } } };
  lines = await shown(ui);
  assert.is(lines[3], 'The desk service does not answer.');
  assert.is(lines[4], 'Nothing listens there.');
});

test('only what is shown is asked for', () => {
  const ui = new Ui(() => knownOf('healthy'), 1000);
  const asked = ['1', '2', '3', '4', '5', '6'].map((key) => {
    press(ui, key);
    return ui.wanted[0].join(' ');
  });
  assert.equal(asked, [
    'live page',
    'live detection',
    'live processes',
    'live listeners',
    'live page listeners',
    'live startup',
  ]);
});

test('a port that is watched or listened on has one row, with who holds it and what allows it', async () => {
  const ui = new Ui(() => knownOf('hostile'), 1000);
  press(ui, '5');
  const lines = await shown(ui, 120, 40);
  assert.ok(
    lines.some((line) => /^ *8766 +up .*public +by nothing .*\(6600\)/.test(line)),
    lines.join('\n'),
  );
});

test('notes that are not in the answer are counted, also where each reason is shown', () => {
  const known = page.assemble(stateFrom());
  const [note] = page.assemble(stateFrom(sceneOf('hostile').parts)).notes;
  assert.ok(note);
  const reasons = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...note, reason: `r${at}` }));
  const textOf = (notes: (typeof note)[]) =>
    overviewLines({ ...known, notes, notes_total: notes.length + 12 }, 80, 20)
      .map((line) => line.map((one) => (typeof one === 'string' ? one : one.text)).join(''))
      .join('\n');
  assert.match(textOf(reasons(1)), /^ {2}and 12 more notes$/m);
  assert.match(textOf(reasons(30)), /^ {2}and 27 more reasons and 12 more notes$/m);
});

test.run();
