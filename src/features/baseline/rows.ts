/** What the baseline is made of, as the store keeps it. */
import { type Blob, bytesOf, type Value } from '../../store/database.ts';

export type RowKind = 'identity' | 'listener' | 'class';

/** A running identity, a listener, or a class of findings that counts as known. */
export interface BaselineRow {
  readonly kind: RowKind;
  /** Identities as raw bytes, listener and class keys in UTF-8. */
  readonly key: Uint8Array;
  /** For people; lossy. */
  readonly text: string;
  /** Of an identity what `detailOf` reads; else "". */
  readonly detail: string;
  /** Learned, but to be reviewed by a person: of medium severity, or a listener beyond loopback or without owner. */
  readonly review: boolean;
}

export interface HeldRow extends BaselineRow {
  readonly seen: boolean;
  readonly reviewed: boolean;
}

/**
 * `first use`: automatically, once per folder · `learned`: on demand · `auto`: what the system installed · `content`: the contents of
 * programs that an earlier version learned by their paths, or what starts by itself, which it did not know or read · `restored`.
 */
export type How = 'first use' | 'learned' | 'auto' | 'content' | 'restored';

export interface Generation {
  /** 0 = the empty baseline, which exists from creation. */
  readonly number: number;
  readonly authoritative: boolean;
  /** Uid and capabilities it was learned with; "" for generation 0. */
  readonly privilege: string;
  readonly learnedAt: string;
  readonly how: How | '';
  /** The generation it came from; null for generation 0. */
  readonly parent: number | null;
  /** 64 hex digits, keyed and chained to the parent's; "" for generation 0. */
  readonly digest: string;
  /** False: too old, its rows were deleted. */
  readonly kept: boolean;
}

export interface NewGeneration extends Pick<Generation, 'privilege' | 'learnedAt'> {
  readonly how: How;
  readonly parent: number;
  readonly rows: Iterable<BaselineRow>;
}

/** Whether a generation is the one that was learned. */
export interface Integrity {
  readonly state: 'sound' | 'tampered' | 'key-lost';
  /** What does not fit, one phrase; "" when sound. */
  readonly detail: string;
}

export interface LearningWindow {
  readonly number: number;
  readonly openedMs: number;
  readonly untilMs: number;
}

/** The same for rows of the same kind and key. */
export const rowId = ({ kind, key }: Pick<BaselineRow, 'kind' | 'key'>): string =>
  `${kind} ${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')}`;

/** A row as tables hold it: those of generations and those that an open window gathers. */
export interface RowColumns {
  readonly kind: RowKind;
  readonly key: Blob;
  readonly text: string;
  readonly detail: string;
  readonly review: number;
}

export const rowOf = ({ kind, key, text, detail, review }: RowColumns): BaselineRow => ({
  kind,
  key: bytesOf(key),
  text,
  detail,
  review: review === 1,
});

export const valuesOf = ({ kind, key, text, detail, review }: BaselineRow): Value[] => [
  kind,
  key,
  text,
  detail,
  review ? 1 : 0,
];
