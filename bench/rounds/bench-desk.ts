/** A desk in this process over a state folder of its own, for rounds that measure rechecks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/base/log.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Desk } from '../../src/desk/desk.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { createDesk } from '../../src/service/desk-service.ts';
import { Residents } from '../../src/service/features.ts';
import { openStore } from '../../src/service/tables.ts';
import { openStateDir } from '../../src/state-folder/state-folder.ts';
import { CannotRun } from '../cases/case.ts';

interface BenchDesk {
  readonly desk: Desk;
  close(): Promise<void>;
}

/** It runs its loop as the service does, by default with the default period. The folder is removed with it. */
export async function benchDesk(periodMs = 1000): Promise<BenchDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-bench-'));
  const file = join(folder, 'desk.toml');
  writeFileSync(file, `[loop]\nmode = "event"\nperiod_ms = ${periodMs}\n`);
  const loaded = loadConfig({ DESK_CONFIG: file });
  if (!loaded.ok) throw new Error('the default configuration is refused');
  const state = openStateDir(join(folder, 'state'));
  const store = openStore(state.path, { recover: false });
  const log = createLogger('silent');
  const residents = await Residents.open({ folder: state.path, log, native: loadNative().addon });
  const desk = await createDesk({
    config: loaded.config,
    configDate: '',
    state,
    store,
    log,
    residents: residents.partsFor(loaded.config),
    loop: true,
    role: 'service',
  });
  await desk.settle();
  return {
    desk,
    close: async () => {
      await desk.close();
      await residents.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A desk whose loop is woken by events. @throws CannotRun where it has none. */
export async function eventDesk(periodMs?: number): Promise<BenchDesk> {
  const made = await benchDesk(periodMs);
  const { mode, eventReason } = made.desk.facts().loop;
  if (mode === 'event') return made;
  await made.close();
  throw new CannotRun(`the loop has no events here: ${eventReason || 'it polls'}`);
}
