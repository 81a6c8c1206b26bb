/** What operations and other features use of the history. */
import { token } from '../../desk/token.ts';
import type { HistorySpan, Sample } from '../../records/measures.ts';
import type { FindingHistory } from './finding-history.ts';
import type { StoredSamples } from './stored-samples.ts';

export interface History {
  /** What the charts are drawn from, oldest first, broken where nothing was sampled. */
  samples(span: HistorySpan): readonly Sample[];
  /** Events of all findings, newest first. */
  events: FindingHistory['events'];
  /** Findings, open and closed, as the store has them. */
  stored: FindingHistory['stored'];
  firstEvent: FindingHistory['firstEvent'];
  turns: FindingHistory['turns'];
  droppedUntilSec: FindingHistory['droppedUntilSec'];
  /** When the desk did not run. */
  pauses: StoredSamples['pauses'];
  /** Whether the store can be read: what it has is empty otherwise. */
  readable: FindingHistory['readable'];
}

export const HISTORY = token<History>('history');
