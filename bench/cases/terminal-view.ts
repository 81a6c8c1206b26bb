/** V1: `desk watch` at 5,000 processes on a real terminal: from a key to the end of the frame that it changed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deskWords } from '../../test/support/entry.ts';
import { OnTerminal } from '../../test/support/terminal.ts';
import { startBare } from '../bare.ts';
import { quantile } from '../stats.ts';
import { atMost, type Case, type Comparison } from './case.ts';

const GOAL_MS = 100;
const WARM_UP = 12;
const FRAME_END = '\u001b[?2026l';

/** Each changes the screen: a row, a page, the ends, another column, its direction, a filter typed, cleared and left. */
const KEYS = [
  '\u001b[B',
  '\u001b[6~',
  '\u001b[F',
  '\u001b[H',
  's',
  'S',
  '/',
  'n',
  '1',
  '\u0015',
  '\r',
  '\u001b[6~',
];

/** Milliseconds of each key; frames that only show another age are few, and end no wait: the key's own is waited for. */
async function measure(passes: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-bench-'));
  await using server = await startBare('think-desk.ts', [], '/status');
  writeFileSync(join(folder, 'desk.toml'), `[listen.control]\nport = ${server.port}\n`);
  const env = { DESK_CONFIG: join(folder, 'desk.toml'), DESK_STATE: join(folder, 'state'), HOME: folder };
  try {
    await using view = new OnTerminal([process.execPath, ...deskWords('dist'), 'watch'], {
      columns: 120,
      rows: 40,
      env,
    });
    await view.shows('q quit');
    view.keys('3');
    await view.shows(/ processes$/);
    const times: number[] = [];
    for (let pass = 0; pass < WARM_UP + passes; pass += 1) {
      const { length } = view.text;
      const began = performance.now();
      view.keys(KEYS[pass % KEYS.length] as string);
      await view.until(() => view.text.indexOf(FRAME_END, length) >= 0);
      times.push(performance.now() - began);
    }
    view.keys('\u0003');
    await view.ended();
    return times;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const terminalView: Case = {
  id: 'terminal-view',
  target: 'W3',
  title: 'The table of processes of desk watch at 5,000 rows',
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ rounds, full }) {
    const found: number[][] = [];
    for (let round = 0; round < rounds; round += 1)
      found.push((await measure(full ? 600 : 120)).map((ms) => Math.round(ms * 100) / 100));
    const shared = {
      a: 'from a key written to the terminal to the end of the next frame read from it, with python3 and an emulator in between',
      unit: 'ms',
      warmUp: WARM_UP,
    };
    const kept = found.map((times) => times.slice(WARM_UP));
    const comparisons: Comparison[] = [
      { ...shared, name: 'median from key to paint', goals: [], rawA: kept },
      {
        ...shared,
        name: 'p95 from key to paint',
        goals: [atMost('value', GOAL_MS)],
        rawA: kept.map((times) => [quantile(times, 0.95)]),
      },
    ];
    return { facts: { rows: 5_000, terminal: '120 by 40' }, comparisons };
  },
};

export default terminalView;
