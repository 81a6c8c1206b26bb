/** Run by `ordinary-user.test.ts` as another user: prints one sweep as JSON. */
import { Engine } from '../../src/engine/sweep.ts';
import { sweptProcesses } from './swept.ts';

const engine = new Engine({ workers: 2 });
try {
  const snapshot = await engine.sweep();
  const processes = [...sweptProcesses(snapshot).values()];
  process.stdout.write(
    JSON.stringify({
      euid: process.geteuid?.(),
      processes,
      listeners: snapshot.listeners,
      counts: snapshot.counts,
      probes: snapshot.probes,
    }),
  );
} finally {
  await engine.close();
}
