/** The tables of the desk and of every feature in the one store of a state folder. */
import * as baseline from '../features/baseline/index.ts';
import * as gate from '../features/gate/index.ts';
import * as history from '../features/history/index.ts';
import * as remedies from '../features/remedies/index.ts';
import { stepsOf } from '../store/migrations.ts';
import type { Form, OpenOptions } from '../store/open.ts';
import { type Access, fileStore, memoryStore, type Store } from '../store/store.ts';
import { FEATURES } from './features.ts';

export const form: Form = {
  migrations: stepsOf(...[baseline, gate, remedies, ...FEATURES].map(({ migrations }) => migrations ?? [])),
  holdsLearned: baseline.holdsLearned,
};

export interface Tables {
  readonly access: Access;
  readonly baseline: baseline.BaselineTables;
  readonly findings: history.FindingHistory;
  readonly gate: gate.GateRuns;
  readonly shutdowns: remedies.Shutdowns;
}

export function tablesOf(access: Access): Tables {
  const findings = new history.FindingHistory(access);
  return {
    access,
    baseline: new baseline.BaselineTables(access),
    findings,
    gate: new gate.GateRuns(access, findings),
    shutdowns: new remedies.Shutdowns(access),
  };
}

/** @throws DeskError when the database of the folder cannot be opened. */
export const openStore = (folder: string, options: OpenOptions = { recover: true }): Store =>
  fileStore(form, folder, options);

/** As `memoryStore` says. */
export const openMemoryStore = (folder: string, reason: string, wrote: () => void): Store =>
  memoryStore(form, folder, reason, wrote);
