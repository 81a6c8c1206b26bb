/** A desk that has learned the machine, in the private copy of the root in which it runs. */
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { configSchema } from '../../src/config/schema.ts';
import type { Desk } from '../../src/desk/desk.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { createDesk } from '../../src/service/desk-service.ts';
import { Residents } from '../../src/service/features.ts';
import { openStore } from '../../src/service/tables.ts';
import { openStateDir } from '../../src/state-folder/state-folder.ts';

export async function withLearnedDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  const state = openStateDir('/tmp/desk-state');
  const store = openStore(state.path);
  const log = pino({ level: 'silent' });
  const config = configSchema.parse({});
  const residents = await Residents.open({ folder: state.path, log, native: loadNative().addon });
  const desk = await createDesk({
    config,
    configDate: '',
    state,
    store,
    log,
    residents: residents.partsFor(config),
    loop: true,
    role: 'service',
  });
  await desk.settle();
  while ((desk.latest()?.desk.baseline.generation ?? 0) === 0) await delay(100);
  try {
    await work(desk);
  } finally {
    await desk.close();
    await residents.close();
    store.close();
  }
}
