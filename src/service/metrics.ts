/** What the desk reports to Prometheus (text format 0.0.4): a registry per desk, filled as things happen or when it is read. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VITAL_METRICS } from '../features/vitals/api.ts';
import type { Family, MetricSource } from './metric-family.ts';
import { COUNTERS, MEMORY } from './own-metrics.ts';
import { STATE_METRICS } from './state-metrics.ts';

/** All that are read when `/metrics` is read. docs/metrics.md is made from them. */
export const FAMILIES: readonly Family[] = [
  ...STATE_METRICS,
  ...VITAL_METRICS.map(vitalFamily),
  ...COUNTERS,
  ...MEMORY,
];

function vitalFamily({ name, help, label, values }: (typeof VITAL_METRICS)[number]): Family {
  const read = (source: MetricSource) => {
    const facts = source.latest()?.desk.vitals?.facts;
    const samples = facts ? values(facts) : [];
    return label === '' ? (samples[0]?.[1] ?? null) : samples;
  };
  return { name, help, read, kind: 'gauge', labels: label === '' ? [] : [label] };
}

/** How a recheck was answered: nothing had changed, what had changed was read again, everything was. */
type RecheckKind = 'gated' | 'partial' | 'full';

const BUCKETS = [5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 5e5].map((us) => us / 1e6);

/** Observed when they happen. */
export const HISTOGRAMS = {
  recheck: {
    name: 'desk_recheck_duration_seconds',
    help: 'Duration of a recheck: gated (nothing had changed), partial, full',
    labels: ['kind'],
  },
  latency: {
    name: 'desk_change_to_snapshot_seconds',
    help: 'Time from the oldest event to the snapshot that shows it',
    labels: [],
  },
} as const;

export const BUILD = {
  name: 'desk_build_info',
  help: 'Version, CPU build of the native code and sweep backend at the start; the value is always 1',
  labels: ['version', 'build', 'backend'],
} as const;

type Build = Readonly<Record<(typeof BUILD.labels)[number], string>>;

export class Metrics {
  readonly #registry = new Registry();
  readonly #rechecks: Histogram<'kind'>;
  readonly #latency: Histogram;

  readonly #readMemory: MetricSource['memory'];
  /** While a scrape is answered: reading it for each figure would wait for a sweep each time. */
  #memory: ReturnType<MetricSource['memory']> | null = null;

  constructor(given: MetricSource, build: Build) {
    const registers = [this.#registry];
    this.#readMemory = given.memory;
    const source: MetricSource = { ...given, memory: () => this.#memory ?? given.memory() };
    const histogram = ({ name, help, labels }: (typeof HISTOGRAMS)[keyof typeof HISTOGRAMS]) =>
      new Histogram({ ...{ name, help, registers }, labelNames: labels, buckets: BUCKETS });
    this.#rechecks = histogram(HISTOGRAMS.recheck);
    this.#latency = histogram(HISTOGRAMS.latency);
    const { name, help, labels } = BUILD;
    new Gauge({ ...{ name, help, registers }, labelNames: labels }).set({ ...build }, 1);
    for (const family of FAMILIES) register(family, source, this.#registry);
  }

  recheck(kind: RecheckKind, us: number): void {
    this.#rechecks.observe({ kind }, us / 1e6);
  }

  /** Called when a snapshot shows what an event announced. */
  shown(us: number): void {
    this.#latency.observe(us / 1e6);
  }

  /** As Prometheus reads them, and their media type. */
  async read(): Promise<{ readonly text: string; readonly type: string }> {
    this.#memory = this.#readMemory();
    try {
      return { text: await this.#registry.metrics(), type: this.#registry.contentType };
    } finally {
      this.#memory = null;
    }
  }
}

function register(
  { name, kind, help, labels, read }: Family,
  source: MetricSource,
  registry: Registry,
): void {
  const samples = (): readonly (readonly [labels: Record<string, string>, value: number])[] => {
    const answer = read(source);
    if (answer === null) return [];
    if (typeof answer === 'number') return [[{}, answer]];
    return answer.map((sample) => [
      Object.fromEntries(labels.map((label, at) => [label, String(sample[at])])),
      sample.at(-1) as number,
    ]);
  };
  const options = { ...{ name, help }, labelNames: labels, registers: [registry] };
  if (kind === 'counter')
    new Counter({
      ...options,
      collect() {
        this.reset();
        for (const [of, value] of samples()) this.inc(of, value);
      },
    });
  else
    new Gauge({
      ...options,
      collect() {
        this.reset();
        const read = samples();
        if (read.length === 0 && labels.length === 0) this.remove();
        for (const [of, value] of read) this.set(of, value);
      },
    });
}
