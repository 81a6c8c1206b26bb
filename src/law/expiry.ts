/** What of the law has an end. */

export interface Expiring {
  /** Milliseconds since the epoch; null = it has no end. */
  readonly expiresMs: number | null;
}

/** Its end has come, so it counts for nothing. */
export const hasEnded = ({ expiresMs }: Expiring, nowMs: number): boolean =>
  expiresMs !== null && expiresMs <= nowMs;
