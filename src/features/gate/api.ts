/** What operations and other features use of the gate. */
import { token } from '../../desk/token.ts';
import type { GateStep } from '../../findings/pipeline.ts';
import type { PastRun, Remedy } from '../../records/scar.ts';
import type { DeskState } from '../../records/state.ts';

export interface ScarRun {
  readonly state: DeskState;
  readonly steps: readonly GateStep[];
}

export interface CookRun extends ScarRun {
  readonly mode: 'check' | 'cook';
  readonly remedies: readonly Remedy[];
}

export interface Gate {
  /** Runs cook, scar check and gate over a fresh sweep; touches nothing outside the store. */
  check(): Promise<ScarRun>;
  /** `check` says what cook-off would do; `cook` does it. `only`: ids of the findings that it may work on, others are left. */
  cook(mode: 'check' | 'cook', only?: readonly string[]): Promise<CookRun>;
  /** Runs of the gate, newest first; none where the store cannot be read. */
  runs(limit: number): readonly PastRun[];
}

export const GATE = token<Gate>('gate');
