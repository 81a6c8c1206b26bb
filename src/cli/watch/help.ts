/** The keys: those of the last line, and all of them. */
import { cells, dim, type Line, strong } from '../../base/terminal.ts';

type Keys = readonly (readonly [key: string, does: string])[];

const MOVE = ['↑↓', 'move'] as const;
const ENDS: Keys = [
  ['?', 'help'],
  ['q', 'quit'],
];

/** The most important first: the last line shows as many as fit, help and quit always. */
const KEYS: Readonly<Record<'overview' | 'table' | 'cover', Keys>> = {
  overview: [
    ['1-6', 'view'],
    ['Enter', 'findings'],
    ['↑↓', 'scroll'],
    ['r', 'read again'],
  ],
  table: [
    ['Enter', 'details'],
    ['/', 'filter'],
    ['s', 'sort'],
    ['S', 'reverse'],
    ['1-6', 'view'],
    MOVE,
    ['r', 'read again'],
  ],
  cover: [
    ['Esc', 'back'],
    ['↑↓', 'scroll'],
    ['1-6', 'view'],
  ],
};

export function keysLine(where: keyof typeof KEYS, width: number): Line {
  const widthOf = ([key, does]: readonly [string, string]): number => cells(key) + cells(does) + 3;
  const kept: (readonly [string, string])[] = [];
  let room = width + 2 - ENDS.reduce((sum, one) => sum + widthOf(one), 0);
  for (const one of KEYS[where]) {
    room -= widthOf(one);
    if (room < 0) break;
    kept.push(one);
  }
  return [...kept, ...ENDS].flatMap(([key, does], index) => [
    index === 0 ? '' : '  ',
    strong(key),
    dim(` ${does}`),
  ]);
}

export const HELP: Keys = [
  ['1 to 6, Tab, ← →', 'another view; a click on its name too'],
  ['↑ ↓, j k, wheel', 'move the selection, or scroll text'],
  ['PageUp, PageDown', 'a page up or down'],
  ['Home, End, g G', 'the first or the last row'],
  ['Enter', 'details of the selected row; in the overview, the findings'],
  ['Esc, Backspace', 'back; in a table, without the filter'],
  [
    '/',
    'filter: rows that contain all the words, in any column and any case. Enter keeps it, Esc clears it, Ctrl-U empties it',
  ],
  ['s', 'sort by the next column that is shown'],
  ['S', 'reverse the order'],
  ['r', 'ask the service again now'],
  ['Ctrl-L', 'paint the whole screen again'],
  ['Ctrl-Z', 'suspend; the shell command fg continues'],
  ['q, Ctrl-C', 'quit'],
  ['Mouse', 'a click selects; with Shift most terminals select text instead'],
  [
    'Order',
    'the marked column is what the rows are sorted by. A narrow terminal shows fewer columns; details show all',
  ],
];
