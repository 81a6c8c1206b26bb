/** What a look at the configured public site brings, and the lines of its history. Made by `features/site`. */

/** Days that a certificate must last, and more: by then it should have been renewed. */
export const FEWEST_DAYS = 14;

export interface ProbedName {
  readonly name: string;
  readonly resolves: boolean;
  readonly addresses: number;
  /** "" when it resolves; else why not and what to do. */
  readonly reason: string;
}

interface ProbedCertificate {
  /** The chain leads to a trusted authority, holds now and is for the name that was asked for. */
  readonly verified: boolean;
  /** Why not; "" when verified. */
  readonly problem: string;
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  /** When the first of the chain ends, RFC 3339. */
  readonly validTo: string;
  /** Whole days until then, at the time of the look; negative when it has ended. */
  readonly daysLeft: number;
  /** Certificates from the server's to the authority's, as far as known. */
  readonly chain: number;
}

export interface ProbedMagazine {
  readonly url: string;
  /** 0 = no answer. */
  readonly status: number;
  /** "" when it answers 2xx or 3xx. */
  readonly reason: string;
}

export interface SiteProbe {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** "" when only names or a magazine are configured. */
  readonly url: string;
  /** 0 = no answer. */
  readonly status: number;
  readonly ms: number;
  /** "" when it answers 2xx or 3xx; else why not and what to do. */
  readonly reason: string;
  /** Where a redirect points, "" without one. It is not followed. */
  readonly redirect: string;
  readonly names: readonly ProbedName[];
  /** Null without https, or when nothing answered. */
  readonly certificate: ProbedCertificate | null;
  /** Null when none is configured. */
  readonly magazine: ProbedMagazine | null;
}

/** What of a look is compared with the one before. */
export interface SiteState {
  readonly url: string;
  readonly status: number;
  readonly reason: string;
  readonly names: number;
  readonly unresolved: readonly string[];
  /** "" without a certificate. */
  readonly validTo: string;
  readonly problem: string;
  /** Null when none is configured. */
  readonly magazine: number | null;
}

/** A line of history: something changed, or an hour has passed. */
export interface SiteLine {
  readonly atMs: number;
  readonly ms: number;
  /** What is otherwise than before, "" when nothing is. */
  readonly changed: string;
  readonly state: SiteState;
}
