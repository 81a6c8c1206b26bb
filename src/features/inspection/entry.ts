/** One process that tier 2 knows, and what came of looking into it. */
import type { PeekFacts } from '../../checks/peek-facts.ts';
import type { ProcessSubject } from '../../checks/subjects.ts';

/** One process that is there. */
export interface Entry {
  readonly pid: number;
  readonly start: string;
  readonly key: string;
  /** As the last snapshot shows it. */
  subject: ProcessSubject;
  /** The last look, behind another one where a check failed by it; empty until one succeeded. */
  looks: readonly PeekFacts[];
  /** Monotonic. */
  lookedMs: number;
  /** When it came, or ran another program after a rest; monotonic. */
  cameMs: number;
  queued: boolean;
  gone: boolean;
  /** Looks in a row that were not answered, and that ended the helper. */
  wedged: number;
  broken: number;
  /** Looks in a row that found another program than its subject says. */
  other: number;
}

export function entryOf(subject: ProcessSubject): Entry {
  const { pid, start } = subject;
  return {
    ...{ pid, start, key: `${pid} ${start}`, subject, looks: [], lookedMs: Number.NEGATIVE_INFINITY },
    ...{ cameMs: performance.now(), queued: false, gone: false, wedged: 0, broken: 0, other: 0 },
  };
}

/** Whether one of these looks was at another program than the last snapshot shows. */
export const showsOther = ({ subject }: Entry, looks: readonly PeekFacts[]): boolean =>
  looks.some(({ executable }) => executable !== '' && executable !== subject.executable);
