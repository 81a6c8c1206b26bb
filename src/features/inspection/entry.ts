/** What the inspector keeps of a process. */
import type { PeekFacts } from '../../checks/peek-facts.ts';
import type { ProcessSubject } from '../../checks/subjects.ts';

/** A process that is inspected, and what its inspections have read. */
export interface Entry {
  readonly pid: number;
  readonly start: string;
  readonly key: string;
  subject: ProcessSubject;
  /** The last inspection, after an earlier one where a check failed by it; empty until one succeeded. */
  read: readonly PeekFacts[];
  /** Monotonic, here and below. */
  readMs: number;
  /** When it started, or executed another program after a pause. */
  cameMs: number;
  queued: boolean;
  gone: boolean;
  /** Inspections in a row that were not answered, and that ended the helper. */
  hung: number;
  broken: number;
  /** Inspections in a row that found another program than its subject. */
  other: number;
}

export function entryOf(subject: ProcessSubject): Entry {
  const { pid, start } = subject;
  return {
    ...{ pid, start, key: `${pid} ${start}`, subject, read: [], readMs: Number.NEGATIVE_INFINITY },
    ...{ cameMs: performance.now(), queued: false, gone: false, hung: 0, broken: 0, other: 0 },
  };
}
