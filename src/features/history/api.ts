/** What operations and other features use of the history. */
import { token } from '../../desk/token.ts';
import type { HistorySpan, Sample } from '../../records/measures.ts';
import type { FindingHistory } from './finding-history.ts';

export interface History {
  /** What the charts are drawn from, oldest first, broken where nothing was sampled. */
  samples(span: HistorySpan): readonly Sample[];
  /** Events of all findings, newest first. */
  events: FindingHistory['events'];
}

export const HISTORY = token<History>('history');
