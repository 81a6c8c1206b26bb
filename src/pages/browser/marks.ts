/**
 * Marks of the User Timing API for the way from an event to the page record, so that anybody can see in a browser's own tools where the time
 * goes (docs/live.md). Of each name the newest is kept: a tab that is open for weeks holds no more of them.
 */
export type MarkName =
  /** An event arrived; detail: its name, and what it says of `generation`, `ts`, `age_ms` and `listener`. */
  | 'desk:event'
  /** The page record was asked for. */
  | 'desk:page-asked'
  /** It is here; detail: its `generation` and `ts`. */
  | 'desk:page-received';

export function mark(name: MarkName, detail: Readonly<Record<string, unknown>> = {}): void {
  performance.clearMarks(name);
  performance.mark(name, { detail });
}
