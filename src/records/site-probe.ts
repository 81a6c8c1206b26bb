/** What a probe of the configured public site brings, and the lines of its history. Made by `src/features/site/`. */
import type { z } from 'zod';
import type { Source } from './define.ts';
import type { certificateSchema, magazineSchema, nameSchema } from './site.ts';

/** Days that a certificate must last, and more: by then it should have been renewed. */
export const FEWEST_DAYS = 14;

export type ProbedName = Source<z.output<typeof nameSchema>>;
type Certificate = Source<z.output<typeof certificateSchema>>;
export type ProbedMagazine = Omit<Source<z.output<typeof magazineSchema>>, 'ok'>;

export interface SiteProbe {
  readonly atMs: number;
  /** "" when only names or a magazine are configured. */
  readonly url: string;
  readonly status: number;
  /** False when the guard or this machine itself refused the connection. */
  readonly asked: boolean;
  readonly ms: number;
  /** "" when it answers 2xx or 3xx; else why not and what to do. */
  readonly reason: string;
  /** Where a redirect points, "" without one. It is not followed. */
  readonly redirect: string;
  readonly names: readonly ProbedName[];
  /** Null without https or an answer. */
  readonly certificate: (Omit<Certificate, 'days'> & { readonly daysLeft: number }) | null;
  /** Null when not configured. */
  readonly magazine: ProbedMagazine | null;
}

/** What of a probe is compared with the one before. */
export interface SiteState {
  readonly url: string;
  readonly status: number;
  readonly reason: string;
  readonly names: number;
  readonly unresolved: readonly string[];
  /** "" without a certificate. */
  readonly validTo: string;
  readonly problem: string;
  /** Null when not configured. */
  readonly magazine: number | null;
}

/** A line of history: something changed, or an hour has passed. */
export interface SiteLine {
  readonly atMs: number;
  readonly ms: number;
  /** What changed, "" without a change. */
  readonly changed: string;
  readonly state: SiteState;
}
