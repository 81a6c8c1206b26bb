/**
 * What the charts are drawn from, one entry per measure: its name in the record, in samples and as a column of the store. Browsers load
 * this too, so it has no zod.
 */
import type { Live } from './live.ts';
import type { Page } from './page.ts';
import type { DeskState } from './state.ts';

export const HISTORY_SPANS = ['15m', '24h', '7d'] as const;
export type HistorySpan = (typeof HISTORY_SPANS)[number];

/** How far each span reaches back and how far apart its samples are, seconds. */
export const SPAN_SEC: Readonly<Record<HistorySpan, { readonly reach: number; readonly step: number }>> = {
  '15m': { reach: 900, step: 1 },
  '24h': { reach: 86_400, step: 60 },
  '7d': { reach: 604_800, step: 600 },
};

interface Measure {
  readonly meaning: string;
  /** Of several samples in a row the greatest counts; default the last, and the mean of stored minutes. */
  readonly most?: true;
  /** It may be below 0. */
  readonly signed?: true;
  /** Of a state; null when it cannot be measured. */
  readonly of: (state: DeskState) => number | null;
  /** The same on a page, from the newest live record if there is one. */
  readonly onPage: (page: Page, live: Live | null) => number | null;
}

export const MEASURES = {
  recheck_us: {
    meaning: 'recheck, µs: the last of the second; the median of a minute; the mean of ten minutes',
    of: ({ recheckUs }) => recheckUs,
    onPage: (page, live) => live?.recheck_us ?? page.recheck.last_us,
  },
  recheck_max_us: {
    meaning: 'the longest recheck, µs',
    most: true,
    of: ({ recheckUs }) => recheckUs,
    onPage: (page, live) => live?.recheck_us ?? page.recheck.last_us,
  },
  pids: {
    meaning: 'user-space processes: the last of the second and minute, the mean of ten minutes',
    of: ({ snapshot }) => snapshot.counts.userSpace,
    onPage: (page, live) => live?.counts.pids ?? page.processes.all,
  },
  wrapped: {
    meaning: 'wrapped ones, in the same way',
    of: ({ snapshot }) => snapshot.counts.wrapped,
    onPage: (page, live) => live?.counts.wrapped ?? page.processes.wrapped,
  },
  public_listen: {
    meaning: 'listeners bound beyond loopback, in the same way',
    of: ({ snapshot }) => snapshot.counts.publicListeners,
    onPage: (page, live) => live?.counts.public_listen ?? page.status.hostess_charge.antivirus.public_n,
  },
  bgl: {
    meaning: 'loopback listeners, in the same way',
    of: ({ snapshot }) => snapshot.counts.loopbackListeners,
    onPage: (page, live) => live?.counts.bgl ?? page.status.iron.bgl,
  },
  findings: {
    meaning: 'open findings, the maximum',
    most: true,
    of: ({ judgement }) => judgement.findings.length,
    onPage: (page, live) => live?.findings_open ?? page.findings_total,
  },
  scars: {
    meaning: 'scars, the most of the time',
    most: true,
    of: ({ judgement }) => judgement.scars.length,
    onPage: (page, live) => live?.scar_count ?? page.status.scar_count,
  },
  temp_c: {
    meaning: 'warmest sensor, °C, like the processes; null without one',
    signed: true,
    of: ({ snapshot: { machine } }) =>
      machine.temperatures?.length ? Math.max(...machine.temperatures) : null,
    onPage: ({ status: { iron } }) => (iron.THERMO > 0 ? iron.temp_C : null),
  },
} as const satisfies Readonly<Record<string, Measure>>;

export type MeasureName = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as readonly MeasureName[];
export const TAKES_MOST: ReadonlySet<MeasureName> = new Set(
  MEASURE_NAMES.filter((name) => 'most' in MEASURES[name]),
);

/** What was measured in the second, minute or ten minutes that begin at a time; null everywhere in a gap between samples. */
export type Sample = Readonly<Record<MeasureName, number | null>> & {
  /** Whole seconds since the epoch. */
  readonly at: number;
};

/** A value for each measure. */
export const measured = <T>(make: (name: MeasureName) => T): Record<MeasureName, T> =>
  Object.fromEntries(MEASURE_NAMES.map((name) => [name, make(name)])) as Record<MeasureName, T>;
