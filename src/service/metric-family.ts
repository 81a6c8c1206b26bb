/** What a metric is: declared as data, read when `/metrics` is read. */
import type { CheckTotals } from '../checks/check-runs.ts';
import type { EgressTotals } from '../egress/guard.ts';
import type { EventTotals } from '../engine/events.ts';
import type { Loop } from '../engine/loop.ts';
import type { LookCounts } from '../engine/native/watch-types.ts';
import type { EngineMemory } from '../engine/sweep.ts';
import type { PeekTotals } from '../features/inspection/index.ts';
import type { DeskState, LoopFacts } from '../records/state.ts';

/** What is read when the metrics are read. */
export interface MetricSource {
  latest(): DeskState | null;
  /** Null while the loop does not ask for events. */
  events(): EventTotals | null;
  loop(): Pick<Loop, 'cpuUs' | 'missed'>;
  /** Null where there are none. */
  looks(): Pick<LookCounts, 'held' | 'us'> | null;
  loopFacts(): Pick<LoopFacts, 'on' | 'quietMs'>;
  peeks(): PeekTotals;
  /** By check. */
  checks(): ReadonlyMap<string, Readonly<CheckTotals>>;
  /** Whether each part works, by its name. */
  parts(): Readonly<Record<string, { readonly ok: boolean }>>;
  /** What the guard let out and what it refused. */
  egress(): EgressTotals;
  /** When the certificate of the remote listener ends, RFC 3339; null without one. */
  remoteCertificateEnds(): string | null;
  memory(): EngineMemory & {
    /** The most that the store keeps of its file in memory. */
    readonly storeCacheBytes: number;
  };
}

/** Labels in the order of the family, and the value. */
export type Sample = readonly [...labels: string[], value: number];

export interface Family {
  readonly name: string;
  readonly kind: 'counter' | 'gauge';
  readonly help: string;
  /** Names of the labels; each has few values: none is a pid, a user or the address of a peer, and a path only where it is a mount point. */
  readonly labels: readonly string[];
  /** Null, or no samples: the metric is absent. */
  read(source: MetricSource): number | null | readonly Sample[];
}

export type Row<Read> = readonly [name: string, help: string, read: Read];
export type LabelledRow<Read> = readonly [...Row<Read>, ...labels: string[]];

export const plain =
  (kind: Family['kind']) =>
  ([name, help, read]: Row<(source: MetricSource) => number | null>): Family => ({
    ...{ name, kind, help, read },
    labels: [],
  });

export const labelled =
  (kind: Family['kind']) =>
  ([name, help, read, ...labels]: LabelledRow<(source: MetricSource) => readonly Sample[]>): Family => ({
    ...{ name, kind, help, read, labels },
  });

export const byName = (values: Readonly<Record<string, number>>): readonly Sample[] => Object.entries(values);
export const flag = (value: boolean): number => (value ? 1 : 0);
export const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** What is absent before the first state. */
export const ofState =
  (read: (state: DeskState) => number | null) =>
  (source: MetricSource): number | null => {
    const state = source.latest();
    return state === null ? null : read(state);
  };
export const eachOfState =
  (read: (state: DeskState) => readonly Sample[]) =>
  (source: MetricSource): readonly Sample[] => {
    const state = source.latest();
    return state === null ? [] : read(state);
  };
