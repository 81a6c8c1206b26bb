/**
 * A synthetic machine, for tests of learning: programs, listeners and planted findings, judged naively against what is
 * held. Its states have real columns, so that it is read as in the service.
 */
import type { Known } from '../../src/checks/check.ts';
import { listenerKey, listenerSubject, processSubject, type Subject } from '../../src/checks/subjects.ts';
import type { Missed } from '../../src/checks/unread.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { offsetTime } from '../../src/engine/time.ts';
import { isNews } from '../../src/features/baseline/observation.ts';
import type { HeldState } from '../../src/features/baseline/tables.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { Finding, Judgement, Suppressed } from '../../src/findings/finding.ts';
import { classKey } from '../../src/findings/finding-class.ts';
import type { Severity } from '../../src/policy/severity.ts';
import type { DeskState } from '../../src/records/state.ts';
import { hashText } from './judge.ts';
import { snapshotFrom } from './snapshot.ts';
import { findingFrom } from './state.ts';

export interface Planted {
  /** Index of the program it is about. */
  readonly program: number;
  readonly severity: Severity;
  /** Default: `plantedCheck`. */
  readonly check?: string;
  /** A startup place: the finding is about the program as its file. */
  readonly place?: string;
}

/** The running programs, with the pids 100, 101, …; listener i is held by program i. */
export interface WorldState {
  readonly programs: readonly number[];
  readonly listeners: readonly number[];
  readonly planted: readonly Planted[];
  /** Ids of findings that only one sample has shown. */
  readonly once?: readonly string[];
  /** Startup places that could not be read. */
  readonly missed?: readonly Missed[];
  readonly refused?: readonly Missed[];
}

export const law = lawOf(configSchema.parse({}));
export const programOf = (index: number): string => `/usr/bin/p${index}`;
export const portOf = (index: number): number => 2000 + index;
/** Odd ones are public. */
export const listenerKeyOf = (index: number): string =>
  `${index % 2 === 1 ? 'public' : 'loopback'} tcp ${portOf(index)} ${programOf(index)}`;
export const plantedCheck = 'odd-thing';
export const plantedKey = ({ program, severity, check = plantedCheck, place = '' }: Planted): string =>
  classKey({
    check: { id: check },
    subject: place === '' ? subjectOf(program) : fileOf(program),
    evidence: {},
    evidenceClass: place,
    severity,
  });

const fileOf = (program: number): Subject => ({ kind: 'file', path: programOf(program) });

const subjectOf = (program: number): Subject => ({
  kind: 'process',
  pid: 100 + program,
  start: '1',
  comm: `p${program}`,
  executable: programOf(program),
  identity: programOf(program),
  uid: 0,
});

const snapshots = new Map<string, Snapshot>();

function snapshotOf({ programs, listeners }: WorldState): Snapshot {
  const key = `${[...programs].sort()} ${[...listeners].sort()}`;
  let snapshot = snapshots.get(key);
  if (snapshot === undefined) {
    snapshot = snapshotFrom({
      processes: [...programs].sort().map((program) => ({
        pid: 100 + program,
        uid: 0,
        start: 1n,
        comm: `p${program}`,
        exe: programOf(program),
        identity: hashText(programOf(program)),
      })),
      listeners: [...listeners].sort().map((index) => ({
        port: portOf(index),
        address: index % 2 === 1 ? '0.0.0.0' : '127.0.0.1',
        executable: programOf(index),
        holders: [{ pid: 100 + index, start: '1', fd: 3 }],
      })),
    });
    snapshots.set(key, snapshot);
  }
  return snapshot;
}

/** Ids by what a finding is about, stable as those of the service. */
function findingOf(
  check: string,
  severity: Severity,
  subject: Subject,
  at: string,
  evidenceClass = '',
): Finding {
  const about =
    subject.kind === 'process'
      ? subject.pid
      : subject.kind === 'listener'
        ? subject.port
        : evidenceClass && subject.kind === 'file'
          ? subject.path
          : 0;
  return findingFrom({
    id: `${check} ${severity} ${about}`,
    check,
    avenue: 'new_comm',
    severity,
    subject,
    summary: `${check} of ${about}`,
    evidence: {},
    evidenceClass,
    firstSeen: at,
    lastSeen: at,
  });
}

/** A state of this machine with the given baseline. `excused`: ids of findings that the law explains. */
export function stateOfDesk(
  world: WorldState,
  { generation, epochMs }: { readonly generation: number; readonly epochMs: number },
  known: (snapshot: Snapshot) => Known | null,
  state: Pick<HeldState, 'baseline' | 'god'>,
  lawful: ReadonlySet<string> = new Set(),
): DeskState {
  const snapshot = { ...snapshotOf(world), generation, at: { epochMs, monotonicMs: epochMs, offsetMin: 0 } };
  const held = known(snapshot);
  const at = offsetTime(snapshot.at);
  const failed: Finding[] = [];
  const suppressed: Suppressed[] = [];
  const fail = (finding: Finding): void => {
    if (!lawful.has(finding.id)) failed.push(finding);
    else
      suppressed.push({
        check: finding.check,
        avenue: finding.avenue,
        severity: finding.severity,
        subject: finding.subject,
        summary: '',
        source: 'law',
        name: '',
        why: 'ours',
      });
  };
  const { processes } = snapshot;
  let unlearned = 0;
  for (let row = 0; row < processes.count; row++) {
    if (held?.identities.has(processes.columns.identity[row] ?? 0n)) continue;
    unlearned++;
    if (held !== null) fail(findingOf('unlearned-process', 'low', processSubject(processes, row), at));
  }
  for (const listener of snapshot.listeners) {
    if (held === null || held.listeners.has(listenerKey(snapshot, listener))) continue;
    const [check, severity] =
      listener.scope === 'public'
        ? (['public-listener', 'high'] as const)
        : (['unknown-local-listener', 'medium'] as const);
    fail(findingOf(check, severity, listenerSubject(listener), at));
  }
  for (const planted of world.planted) {
    if (!world.programs.includes(planted.program) || held?.classes.has(plantedKey(planted))) continue;
    const { check = plantedCheck, program, severity, place = '' } = planted;
    // As in the check: the finding is about the file, not the process.
    const subject = check === 'changed-program' || place !== '' ? fileOf(program) : subjectOf(program);
    fail(findingOf(check, severity, subject, at, place));
  }
  const { once = [], missed = [], refused = [] } = world;
  const unconfirmed = failed.filter(({ id, scar }) => scar && once.includes(id));
  const findings = failed.filter(({ id }) => !once.includes(id));
  const scars = findings.filter(({ scar }) => scar);
  const clean = scars.length === 0 && state.god === 1;
  return {
    snapshot,
    judgement: {
      findings,
      scars,
      unconfirmed,
      suppressed,
      missed,
      refused,
      generation,
    } as unknown as Judgement,
    recheckUs: 0,
    desk: {
      baseline: { ...state.baseline },
      gate: { god: state.god, differs: clean && (unlearned > 0 || failed.some(isNews)) },
    } as unknown as DeskState['desk'],
  };
}
