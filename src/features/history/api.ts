/** What operations and other features use of the history. */
import { token } from '../../desk/token.ts';
import type { HistorySpan, Sample } from '../../records/measures.ts';
import type { FindingHistory } from './finding-history.ts';

export interface History {
  /** What the charts are drawn from, oldest first, broken where nothing was sampled. */
  samples(span: HistorySpan): readonly Sample[];
  /** Events of all findings, newest first. */
  events: FindingHistory['events'];
  /** Findings, open and closed, as the store has them. */
  stored: FindingHistory['stored'];
  firstEvent: FindingHistory['firstEvent'];
  /** Whether the store can be read: what it has is empty otherwise. */
  readable: FindingHistory['readable'];
}

export const HISTORY = token<History>('history');
