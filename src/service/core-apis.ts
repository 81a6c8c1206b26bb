/** What operations and features may use of the parts that every recheck needs. */
import type { FeatureHost } from '../desk/feature.ts';
import { INSPECTION, type Inspection } from '../desk/inspection.ts';
import { BASELINE, type Learning } from '../features/baseline/index.ts';
import { type CookRun, GATE } from '../features/gate/index.ts';
import { acceptedIn, acceptFinding, LAW, type LawBook } from '../features/law/index.ts';
import { QUARANTINE, type Quarantine } from '../features/quarantine/index.ts';
import { REMEDIES, type Remedies } from '../features/remedies/index.ts';
import type { Finding } from '../findings/finding.ts';
import type { Tables } from './tables.ts';

interface CoreParts {
  readonly book: LawBook;
  readonly tables: Tables;
  readonly quarantine: Quarantine;
  readonly learning: Learning;
  readonly remedies: Remedies;
  readonly inspection: Inspection;
  /** The open ones. */
  readonly findings: () => readonly Finding[];
  readonly recheck: () => Promise<unknown>;
  /** Scans the state folder. */
  readonly scanFolder: () => void;
  /** Runs everything once that runs by schedule. */
  readonly scanAll: () => Promise<unknown>;
}

export function provideCore(
  provide: FeatureHost['provide'],
  {
    book,
    tables,
    quarantine,
    learning,
    remedies,
    inspection,
    findings,
    recheck,
    scanFolder,
    scanAll,
  }: CoreParts,
): void {
  const { gate } = learning;
  const cook = async (mode: CookRun['mode'], cookOff = remedies.cookOff('cook')): Promise<CookRun> => ({
    mode,
    ...(await gate.run(mode, { cookOff })),
  });
  provide(BASELINE, learning);
  provide(INSPECTION, inspection);
  provide(QUARANTINE, quarantine);
  provide(GATE, {
    check: () => gate.run('scar', { cookOff: remedies.cookOff('cook') }),
    cook: (mode, only) => cook(mode, remedies.cookOff('cook', only)),
    runs: (limit) => tables.gate.list(limit),
  });
  provide(REMEDIES, {
    avClose: async (mode) => {
      await scanAll();
      return cook(mode);
    },
    fieldClear: (mode) => {
      scanFolder();
      return cook('cook', remedies.cookOff(mode));
    },
  });
  provide(LAW, {
    accept: async (id, accepts, why, expires) => {
      const request = { id, accepts, why, expires, findings: findings() };
      const accepting = acceptFinding(request, { book, tables, gate });
      // It holds whether this recheck succeeds or not.
      await recheck().catch(() => undefined);
      return accepting;
    },
    accepted: acceptedIn(book, recheck),
    current: () => book.law,
  });
}
