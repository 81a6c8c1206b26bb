/** Scheduled scans that find nothing, except what a test sets. */

import type { CheckScans } from '../../src/checks/check.ts';
import type { StartupFacts } from '../../src/checks/startup.ts';
import type { ForeignReport } from '../../src/engine/foreign-listeners.ts';
import type { HiddenPidReport } from '../../src/engine/hidden-pids.ts';
import type { HiddenPortReport } from '../../src/engine/hidden-ports.ts';
import { vitalFacts } from './vitals.ts';

export const NO_HIDDEN_PIDS: HiddenPidReport = {
  judged: true,
  found: [],
  probes: [],
  blind: [],
  counts: { listed: 100, probed: 900, end: 1000, sessions: 0, suspects: 0, hiddenByOption: 0 },
  us: { start: 0, list: 1, cover: 1, probe: 1, confirm: 1, total: 4 },
  rounds: 2,
};

export const NO_HIDDEN_PORTS: HiddenPortReport = {
  judged: true,
  found: [],
  unsure: [],
  blind: [],
  counts: { tried: 1000, taken: 10, suspects: 0, refused: 0 },
  us: { start: 0, table: 1, probe: 1, confirm: 1, total: 3 },
  rounds: 2,
};

export const NO_FOREIGN: ForeignReport = {
  listeners: [],
  entered: new Set([4026532511]),
  closed: new Map(),
  left: 0,
  unread: [],
};

export const NO_STARTUP: StartupFacts = { entries: [], unread: [], packages: '', busy: false };

export const looksThat = (say: Partial<CheckScans>): CheckScans => ({
  hiddenPids: async () => NO_HIDDEN_PIDS,
  hiddenPorts: async () => NO_HIDDEN_PORTS,
  foreignListeners: async () => NO_FOREIGN,
  taint: async () => 0n,
  modules: async () => ({ onlyListed: [], onlyInSys: [], both: 90 }),
  devices: async () => ({ strange: [], strangeCount: 0, entries: 200, unseen: [], cut: false, majors: null }),
  startup: async () => NO_STARTUP,
  packages: () => null,
  vitals: async () => [vitalFacts(), vitalFacts()],
  ...say,
});
