/** What is asked of the machine, or of what processes use, beside the queries. */
import type { Amount, Heard, Named, Quantity } from './hear.ts';
import type { Use } from './quantities.ts';

export type VitalKind = 'values' | 'rows' | 'top' | 'total' | 'compare' | 'why' | 'users';

/** What the answer needs beside the rows. */
export interface VitalAsked {
  readonly kind: VitalKind;
  readonly heard: Heard;
  readonly quantities: readonly Quantity[];
  readonly uses: readonly Use[];
  /** What is compared with the value of the machine. */
  readonly amount: Amount | null;
  readonly isWhether: boolean;
  readonly isMeaning: boolean;
  /** Of a time of which nothing is kept. */
  readonly isPast: boolean;
  readonly isFuture: boolean;
  readonly isCount: boolean;
  /** The mean of several processes is asked for, and not what they use together. */
  readonly isMean?: boolean;
  readonly least: boolean;
  readonly limit: number;
  /** Programs and users whose processes it is about. */
  readonly names: readonly Named[];
  /** A mount point, device or interface. */
  readonly place: string | null;
  readonly unused: readonly string[];
}
