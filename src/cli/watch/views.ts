/** The views: what each asks the service for, and its table. Pure. */
import type { Known, Part } from './feed.ts';
import { listenerSheet, portSheet, processSheet } from './record-sheets.ts';
import type { Sheet } from './sheet.ts';
import { findingSheet, startupSheet } from './sheets.ts';

type SeenParts = Known['seen'];

interface View {
  readonly name: string;
  /** Where the names of all have no room. */
  readonly short?: string;
  readonly parts: readonly Part[];
  /** Why the first answer takes long. */
  readonly wait?: string;
  /** Null while an answer is missing. The overview has no table. */
  readonly sheet: ((seen: SeenParts) => Sheet | null) | null;
}

export const VIEWS: readonly View[] = [
  { name: 'Overview', parts: ['page'], sheet: null },
  {
    name: 'Findings',
    parts: ['detection'],
    sheet: ({ detection }) => (detection ? findingSheet(detection.value) : null),
  },
  {
    name: 'Processes',
    short: 'Procs',
    parts: ['processes'],
    sheet: ({ processes }) => (processes ? processSheet(processes.value) : null),
  },
  {
    name: 'Listeners',
    short: 'Listen',
    parts: ['listeners'],
    sheet: ({ listeners }) => (listeners ? listenerSheet(listeners.value) : null),
  },
  {
    name: 'Ports',
    parts: ['page', 'listeners'],
    sheet: ({ page, listeners }) => (page && listeners ? portSheet(page.value, listeners.value) : null),
  },
  {
    name: 'Startup',
    short: 'Start',
    parts: ['startup'],
    wait: 'The first time, files are compared with those of their packages: this can take a minute.',
    sheet: ({ startup }) => (startup ? startupSheet(startup.value) : null),
  },
];

/** Makes the table of a view once for the answers that it is made from. */
export class Sheets {
  #view = -1;
  #from: readonly unknown[] = [];
  #sheet: Sheet | null = null;

  of(view: number, seen: SeenParts): Sheet | null {
    const { parts, sheet } = VIEWS[view] as View;
    const from = parts.map((part) => seen[part]?.value);
    if (view !== this.#view || from.some((one, index) => one !== this.#from[index])) {
      this.#sheet = sheet?.(seen) ?? null;
      this.#view = view;
      this.#from = from;
    }
    return this.#sheet;
  }
}
