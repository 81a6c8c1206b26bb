/** What operations use of alerts. */
import { token } from '../../desk/token.ts';
import type { AlertTarget, HeartbeatState } from '../../records/alerts.ts';
import type { Delivery, QuietTime } from './saved.ts';

export interface TestResult {
  readonly target: string;
  readonly ok: boolean;
  /** The answer, or why it was not delivered and what to do. */
  readonly detail: string;
  readonly ms: number;
}

export interface Alerts {
  targets(): readonly AlertTarget[];
  heartbeats(): readonly HeartbeatState[];
  /** Newest first. */
  deliveries(limit: number): readonly Delivery[];
  /** Sends a test to one target, or to all. @throws DeskError for a name that is not configured. */
  test(name?: string): Promise<readonly TestResult[]>;
  /** Null outside of quiet time. */
  quiet(): QuietTime | null;
  /** Begins, changes or, with null, ends quiet time. @throws DeskError when it cannot be kept. */
  setQuiet(quiet: QuietTime | null): void;
}

export const ALERTS = token<Alerts>('alerts');
