/** What checks of tier 3 read by: the scans of the engine, and the places that start something. */
import type { CheckScans } from '../checks/check.ts';
import type { StartupFacts } from '../checks/startup.ts';
import type { Desk } from '../desk/desk.ts';
import { PACKAGES } from '../desk/packages.ts';
import { STARTUP } from '../desk/startup.ts';
import { VITALS } from '../desk/vitals.ts';
import { EngineScans, machineDev } from '../engine/scheduled-scans.ts';
import type { Engine } from '../engine/sweep.ts';

const reason = 'this build cannot read them';
const UNREAD: StartupFacts = { entries: [], unread: [{ path: '/', reason }], packages: reason, busy: false };

export const scansOf = (engine: Engine, find: Desk['find']): CheckScans =>
  Object.assign(new EngineScans(engine, { dev: machineDev() }), {
    packages: () => find(PACKAGES)?.latest() ?? null,
    vitals: async () => (await find(VITALS)?.both()) ?? null,
    startup: async (check: string) => (await find(STARTUP)?.settledFor(check)) ?? UNREAD,
  });
