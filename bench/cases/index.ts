/** Every case, in the order of the targets. */
import alertFaults from './alert-faults.ts';
import banned from './banned.ts';
import batch from './batch.ts';
import busy from './busy.ts';
import busyHour from './busy-hour.ts';
import busyMemory from './busy-memory.ts';
import type { Case } from './case.ts';
import everything from './everything.ts';
import gateSequences from './gate-sequences.ts';
import hiddenPids from './hidden-pids.ts';
import http from './http.ts';
import listeners from './listeners.ts';
import longTable from './long-table.ts';
import maildirImport from './maildir-import.ts';
import marks from './marks.ts';
import packages from './packages.ts';
import pidChurn from './pid-churn.ts';
import quarantineAttack from './quarantine-attack.ts';
import query from './query.ts';
import recheck from './recheck.ts';
import service from './service.ts';
import snapshotToPage from './snapshot-to-page.ts';
import sweepBpf from './sweep-bpf.ts';
import sweepProcfs from './sweep-procfs.ts';
import terminalView from './terminal-view.ts';
import think from './think.ts';
import wedged from './wedged.ts';
import who from './who.ts';

export const CASES: readonly Case[] = [
  sweepBpf,
  sweepProcfs,
  recheck,
  listeners,
  hiddenPids,
  batch,
  http,
  service,
  who,
  think,
  query,
  banned,
  wedged,
  gateSequences,
  pidChurn,
  quarantineAttack,
  alertFaults,
  busyHour,
  maildirImport,
  snapshotToPage,
  longTable,
  terminalView,
  marks,
  busy,
  everything,
  busyMemory,
  packages,
];
