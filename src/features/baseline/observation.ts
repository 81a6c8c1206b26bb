/** B, the observation: the identities, listeners and finding classes that a state shows, as rows of a baseline. */
import type { Content } from '../../checks/content.ts';
import { DELETED, withoutDeleted } from '../../checks/executables.ts';
import { listenerKey, listenerOf } from '../../checks/subjects.ts';
import { textOf } from '../../engine/bytes.ts';
import { FACT, type NativeAddon } from '../../engine/native/types.ts';
import type { Listener, Snapshot } from '../../engine/snapshot.ts';
import type { Finding, Suppressed } from '../../findings/finding.ts';
import {
  classedOf,
  classKey,
  isClassKey,
  isKeyKnown,
  keyEvidence,
  partsOfClassKey,
} from '../../findings/finding-class.ts';
import type { DeskState } from '../../records/state.ts';
import { detailOf, detailText, mergedDetail } from './identity-detail.ts';
import { type BaselineRow, rowId } from './rows.ts';

/** What a person learns on demand although it is a scar. */
export const CHANGED_PROGRAM = 'changed-program';

/** Checks whose fails are rows of their own (identities, listeners), or are about the baseline itself: no classes. */
const CLASSLESS: ReadonlySet<string> = new Set([
  'unlearned-process',
  CHANGED_PROGRAM,
  'public-listener',
  'unknown-local-listener',
  'ownerless-socket',
  'banned-listener',
  'lost-sight',
  'learning-open',
  'baseline-tampered',
]);

/** Checks that ask whether an identity or a listener was learned: what the law alone answers is not learned. */
const UNLEARNED: ReadonlySet<string> = new Set([
  'unlearned-process',
  'public-listener',
  'unknown-local-listener',
  'ownerless-socket',
]);

const encoder = new TextEncoder();

export type RunningContents = ReadonlyMap<string, readonly Content[]>;

export type Rows = ReadonlyMap<string, BaselineRow>;

type Seen = Pick<DeskState, 'snapshot' | 'judgement'>;
type Native = Pick<NativeAddon, 'identityOf'>;

export const rowsBy = (rows: Iterable<BaselineRow>): Map<string, BaselineRow> =>
  new Map([...rows].map((row) => [rowId(row), row]));

/** What the machine starts by itself is learned up to high, as programs and listeners are; a person reviews it. */
export const isStartup = ({ severity, check }: Pick<Finding, 'severity' | 'check'>): boolean =>
  check === 'startup-entry' && severity !== 'critical';

/** Whether a finding may become a class of the baseline: up to medium, and no matter of the baseline's own rows. */
export const isLearnableClass = ({ severity, check }: Pick<Finding, 'severity' | 'check'>): boolean =>
  isStartup({ severity, check }) || ((severity === 'low' || severity === 'medium') && !CLASSLESS.has(check));

/** Whether a finding is about something that the next learning would take. */
export const isNews = (finding: Pick<Finding, 'severity' | 'check'>): boolean =>
  isLearnableClass(finding) || UNLEARNED.has(finding.check);

export function classRow(finding: Finding): BaselineRow {
  const { check, subject, severity } = finding;
  const classed = classedOf(finding);
  const key = classKey(classed);
  const { who, evidenceClass } = partsOfClassKey(key);
  const subjectText = subject.kind === 'desk' ? 'the desk' : who;
  const shown = [...keyEvidence(classed)].map(([name, value]) => `, ${name} ${value}`).join('');
  return {
    kind: 'class',
    key: encoder.encode(key),
    text: `${check}${evidenceClass === '' ? '' : ` (${evidenceClass})`}, ${severity}: ${subjectText}${shown}`,
    detail: '',
    review: severity !== 'low',
  };
}

/** A listener as a row; null for our own and for those on a banned port, which are never learned. */
function listenerRow(
  snapshot: Snapshot,
  listener: Listener,
  bannedPorts: ReadonlySet<number>,
): BaselineRow | null {
  const { deskPids } = snapshot.engine;
  const own = listener.holders.length > 0 && listener.holders.every(({ pid }) => deskPids.includes(pid));
  if (own || bannedPorts.has(listener.port)) return null;
  const key = listenerKey(snapshot, listener);
  const review = listener.scope === 'public' || listener.owner === 'ownerless';
  return { kind: 'listener', key: encoder.encode(key), text: key, detail: '', review };
}

/** Distinct running identities, by their hash. Fast: rows are not read. */
export function identityHashes({ processes }: Snapshot): ReadonlySet<bigint> {
  const hashes = new Set(processes.columns.identity.subarray(0, processes.count));
  hashes.delete(0n);
  return hashes;
}

/** Everything that B shows. Reads the columns: to be called before the sweep after the next one. */
export function observe(
  { snapshot, judgement }: Seen,
  native: Native,
  bannedPorts: ReadonlySet<number>,
  contents: RunningContents = new Map(),
): Rows {
  const listeners = snapshot.listeners
    .map((listener) => listenerRow(snapshot, listener, bannedPorts))
    .filter((row) => row !== null);
  // What is not known in full would suppress nothing.
  const classes = judgement.findings
    .filter((finding) => isLearnableClass(finding) && isKeyKnown(classedOf(finding)))
    .map(classRow);
  const rows = rowsBy([...identityRows(snapshot, native, contents), ...listeners, ...classes]);
  for (const id of byLawAlone(snapshot, judgement.suppressed)) rows.delete(id);
  return rows;
}

function identityRows(snapshot: Snapshot, native: Native, contents: RunningContents): BaselineRow[] {
  const { processes, columns } = snapshot;
  const { identity, uid, seen, refused, container } = processes.columns;
  const found = new Map<bigint, { readonly row: number; readonly twins: Set<string> }>();
  for (let row = 0; row < processes.count; row++) {
    const hash = identity[row] as bigint;
    const readable = processes.exe(row).length > 0;
    // Of a process that is about to end the executable is gone, not refused: so it cannot be known by it.
    if (hash === 0n || (!readable && ((refused[row] as number) & FACT.exe) === 0)) continue;
    let one = found.get(hash);
    if (one === undefined) {
      one = { row, twins: new Set() };
      found.set(hash, one);
    }
    if (!readable) continue;
    const name = Buffer.from(processes.comm(row)).toString('latin1');
    const user = ((seen[row] as number) & FACT.status) !== 0 ? String(uid[row]) : '-';
    one.twins.add(`${name}?${user}${container[row] === 1 ? '@container' : ''}`);
  }
  return [...found.values()].map(({ row, twins }) => {
    // A copy: the columns are written again.
    const key = Uint8Array.from(native.identityOf(columns.bytes, columns.capacity, row));
    const text = textOf(key);
    const executable = textOf(processes.exe(row));
    const detail = detailText({ executable, blind: [...twins], contents: contents.get(text) ?? [] });
    return { kind: 'identity', key, text, detail, review: false };
  });
}

/** Of a learned identity: the bytes of the identities that its processes would have without a readable executable. */
export const blindTwins = (row: Pick<BaselineRow, 'kind' | 'detail'>): readonly Uint8Array[] =>
  detailOf(row).blind.map((twin) => Buffer.from(twin, 'latin1'));

/**
 * Bytes of the identities that processes of a learned program have: its own, and where its content was learned too, that with the
 * kernel's mark of a file that was deleted or replaced since (proc_pid_exe(5)): whether it is that program, its content says.
 */
export function namesOf({ key, detail }: Pick<BaselineRow, 'key' | 'detail'>): readonly Uint8Array[] {
  const { executable, contents } = detailOf({ kind: 'identity', detail });
  const path = encoder.encode(executable);
  if (contents.length === 0 || Buffer.compare(path, key.subarray(0, path.length)) !== 0) return [key];
  return [key, Buffer.concat([path, encoder.encode(DELETED), key.subarray(path.length)])];
}

/** The held row of a learned program that this row shows under the name it has since its file was replaced. */
function learnedRow({ kind, key, detail }: BaselineRow, held: Rows): BaselineRow | undefined {
  const { executable } = detailOf({ kind, detail });
  const path = withoutDeleted(executable);
  if (path === executable) return undefined;
  const rest = key.subarray(encoder.encode(executable).length);
  const learned = held.get(rowId({ kind, key: Buffer.concat([encoder.encode(path), rest]) }));
  return learned !== undefined && namesOf(learned).some((name) => Buffer.compare(name, key) === 0)
    ? learned
    : undefined;
}

/** Learned programs whose file was replaced get the name that they were learned by, with the content that still runs. */
export function underLearnedNames(rows: Rows, held: Rows): Rows {
  const named = new Map<string, BaselineRow>();
  const others: (readonly [id: string, row: BaselineRow])[] = [];
  for (const [id, row] of rows) {
    const learned = learnedRow(row, held);
    if (learned === undefined) others.push([id, row]);
    else {
      const { key, text } = learned;
      const detail = detailText({ ...detailOf(row), executable: detailOf(learned).executable });
      named.set(rowId(learned), { ...row, key, text, detail });
    }
  }
  // What lies at the path now is the newer content.
  for (const [id, row] of others) {
    const replaced = named.get(id);
    named.set(id, replaced === undefined ? row : { ...row, detail: mergedDetail(replaced, row) });
  }
  return named;
}

/** A class as an earlier version wrote it: it suppresses nothing, and is not taken into another generation. */
const isOver = ({ kind, key }: BaselineRow): boolean =>
  kind === 'class' && !isClassKey(Buffer.from(key).toString('utf8'));

/** Rows of both, less those that are over; of a row in both the newer one, with all its twins. */
export function union(older: Rows, newer: Rows): Rows {
  const rows = new Map([...older].filter(([, row]) => !isOver(row)));
  for (const [id, row] of newer) {
    const before = rows.get(id);
    rows.set(
      id,
      before === undefined || row.kind !== 'identity' ? row : { ...row, detail: mergedDetail(before, row) },
    );
  }
  return rows;
}

/** Rows of what is unlearned and suppressed by the law: learned, it would outlive its exception. */
function byLawAlone(snapshot: Snapshot, excused: readonly Suppressed[]): string[] {
  return excused
    .filter(({ source, check }) => source !== 'baseline' && UNLEARNED.has(check))
    .flatMap(({ subject }) => {
      if (subject.kind === 'process')
        return [rowId({ kind: 'identity', key: encoder.encode(subject.identity) })];
      const listener = listenerOf(subject, snapshot);
      if (listener === undefined) return [];
      return [rowId({ kind: 'listener', key: encoder.encode(listenerKey(snapshot, listener)) })];
    });
}
