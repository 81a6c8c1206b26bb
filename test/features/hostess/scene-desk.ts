/** The desk of a scene, whose tables queries read: the same state, history and ledger that the records of the scene are made from. */
import { PACKAGES } from '../../../src/desk/packages.ts';
import { SITE } from '../../../src/desk/site-seen.ts';
import { STARTUP } from '../../../src/desk/startup.ts';
import { type SlowProcess, VITALS } from '../../../src/desk/vitals.ts';
import { BASELINE } from '../../../src/features/baseline/api.ts';
import { GATE } from '../../../src/features/gate/api.ts';
import { HISTORY } from '../../../src/features/history/api.ts';
import { LAW } from '../../../src/features/law/api.ts';
import type { WatchedSite } from '../../../src/records/sites.ts';
import type { DeskState } from '../../../src/records/state.ts';
import { processTable } from '../../../src/records/tables.ts';
import { FakeDesk } from '../../support/fake-desk.ts';
import { watchedSite } from '../../support/site.ts';
import type { SceneName } from './questions/question.ts';
import { type Stage, stageOf } from './scenes.ts';
import { startupOf } from './workshop-startup.ts';

class SceneDesk extends FakeDesk {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    super(stage.parts.state.desk.config);
    this.#stage = stage;
  }

  override latest(): DeskState {
    return this.#stage.parts.state;
  }

  override async state(): Promise<DeskState> {
    return this.#stage.parts.state;
  }

  override allowSources(): ReturnType<FakeDesk['allowSources']> {
    return this.#stage.parts.allowSources();
  }
}

/** What processes of a scene use: by their pids, so that each has its own. */
const usedBy = (state: DeskState): readonly SlowProcess[] =>
  (rowsOf(processTable.assemble(state)) as ProcessFacts[]).map(({ pid, comm, executable, uid }) => ({
    ...{ pid, start: '1', name: comm, executable, uid, state: 'S' },
    ...{ cpuPercent: pid % 100, residentBytes: pid * 1024 ** 2 },
    ...{ readPerSec: (pid % 3) * 1024, writtenPerSec: (pid % 7) * 2048 },
  }));

interface ProcessFacts {
  readonly pid: number;
  readonly comm: string;
  readonly executable: string;
  readonly uid: number;
}

const rowsOf = (table: Readonly<Record<string, unknown>>): unknown[] => {
  const columns = Object.entries(table).filter(([, list]) => Array.isArray(list)) as [string, unknown[]][];
  return Array.from({ length: columns[0]?.[1].length ?? 0 }, (_, at) =>
    Object.fromEntries(columns.map(([key, list]) => [key, list[at]])),
  );
};

/** The public site as a site that is watched, with the outage that its history has. */
function sitesOf({ site, state }: Stage['parts']): readonly WatchedSite[] {
  const { probe } = site();
  if (probe === null) return [];
  const from = state.snapshot.at.epochMs - 5 * HOUR_MS - 600_000;
  return [
    watchedSite({
      ...{ name: new URL(probe.url).hostname, main: true, url: probe.url },
      ...{
        status: probe.status,
        ms: probe.ms,
        reason: probe.reason,
        state: probe.reason === '' ? 'up' : 'down',
      },
      uptime: { day: KNOWN, week: KNOWN, month: KNOWN, quarter: KNOWN },
      downs: [
        {
          from: new Date(from).toISOString(),
          to: new Date(from + 600_000).toISOString(),
          ...{ seconds: 600, reason: 'answers 503' },
        },
      ],
    }),
  ];
}
const KNOWN = { up: 0.999, known: 1 };
const HOUR_MS = 3_600_000;

const desks = new Map<SceneName, FakeDesk>();

export function sceneDesk(name: SceneName): FakeDesk {
  const known = desks.get(name);
  if (known !== undefined) return known;
  const stage = stageOf(name);
  const { parts } = stage;
  const desk = new SceneDesk(stage);
  const { epochMs } = parts.state.snapshot.at;
  const { startup, accounts, packages } = startupOf(name, epochMs);
  desk.provide(HISTORY, {
    ...desk.use(HISTORY),
    events: parts.findingEvents,
    stored: (_limit, atSec) => stage.stored(atSec === null ? null : atSec * 1000),
    firstEvent: () => parts.findingEvents().at(-1)?.at ?? null,
    readable: () => true,
  });
  desk.provide(SITE, { seen: async () => parts.site(), known: parts.site });
  desk.sites = sitesOf(parts);
  desk.provide(LAW, {
    ...desk.use(LAW),
    current: () => parts.law,
    accepted: { ...desk.accepted, list: () => stage.accepted },
  });
  desk.provide(GATE, { ...desk.use(GATE), runs: parts.gateRuns });
  desk.provide(BASELINE, {
    ...desk.use(BASELINE),
    generations: () =>
      parts.generations().map((one, at) => ({
        ...one,
        ...{ authoritative: at === 0, privilege: 'root', parent: 0, digest: 'x', kept: true },
      })),
    difference: async () => ({ state: parts.state, ...parts.difference() }),
    differenceAt: (state) => ({ state, ...parts.difference() }),
  });
  desk.provide(STARTUP, {
    ...desk.use(STARTUP),
    scan: async () => startup,
    recent: async () => startup,
    accounts: async () => accounts,
  });
  desk.provide(PACKAGES, { ...desk.use(PACKAGES), latest: () => packages });
  desk.provide(VITALS, {
    ...desk.use(VITALS),
    slow: async (_by, intervalMs) => {
      const processes = usedBy(parts.state);
      return { intervalMs, processes, all: processes.length, passing: 0, ioUnread: 0 };
    },
  });
  desks.set(name, desk);
  return desk;
}
