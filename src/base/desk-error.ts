/** A refusal that a person meets: what happened, why, what to do. HTTP shows it as problem+json, the command as text. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  constructor(
    /** `unavailable` not delivered or not ready (HTTP 503, exit 4); `refused` (409, exit 4); `usage` (422, exit 2); `not-found` (404, exit 2). */
    readonly code: 'unavailable' | 'refused' | 'usage' | 'not-found',
    message: string,
    readonly remedy: string,
    /** More lines, which may name paths: shown by the command only. */
    readonly why = '',
    /** The error code of the system or of SQLite that it rests on, "" without one. */
    readonly errno = '',
  ) {
    super(message);
  }
}

/** Where in a text that was sent something is wrong. */
export interface Place {
  /** Character, from 0. */
  readonly at: number;
  /** What may have been meant. */
  readonly suggestions: readonly string[];
}

/** A `usage` error in a text. */
export class PlacedError extends DeskError {
  readonly place: Place;

  constructor(message: string, remedy: string, place: Place) {
    super('usage', message, remedy);
    this.place = place;
  }
}
