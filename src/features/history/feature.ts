/** The history of findings, and of the figures that the charts show. */
import { feature } from '../../desk/feature.ts';
import { EVERY_MS } from '../../engine/bounds.ts';
import { HISTORY } from './api.ts';
import { migrations } from './migrations.ts';

export * from './operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature({
  id: 'history',
  migrations,
  async make({ config, role, store, provide }) {
    const [{ FindingHistory }, { Samples }, { StoredSamples }] = await Promise.all([
      import('./finding-history.ts'),
      import('./samples.ts'),
      import('./stored-samples.ts'),
    ]);
    // On a quiet machine without a client on the event stream, states come every 5 s.
    const periodMs = Math.max(config.loop.recheck_ms, EVERY_MS.all);
    const stored = new StoredSamples(store);
    const samples = new Samples({ stored, periodMs });
    const findings = new FindingHistory(store);
    provide(HISTORY, {
      samples: (span) => samples.history(span),
      events: (limit) => findings.events(limit),
      stored: (limit, atSec) => findings.stored(limit, atSec),
      firstEvent: () => findings.firstEvent(),
      turns: (...asked) => findings.turns(...asked),
      droppedUntilSec: () => findings.droppedUntilSec(),
      pauses: (...asked) => stored.pauses(...asked),
      readable: () => findings.readable(),
    });
    return {
      ...(role === 'service' && { observe: (state) => samples.take(state) }),
      stop: () => samples.close(),
    };
  },
});
