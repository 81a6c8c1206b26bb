/** A, the held generation, as the checks see it: read from the store when it changes, verified, hashed. */
import type { BaselineState, Known } from '../../checks/check.ts';
import { type Content, mergeContents, programKey } from '../../checks/content.ts';
import { listenerKey } from '../../checks/subjects.ts';
import { FACT, type NativeAddon } from '../../engine/native/types.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import { capabilitiesOf, PRIVILEGES } from '../../privileges/table.ts';
import { detailOf } from './identity-detail.ts';
import { blindTwins, identityHashes, namesOf, type Rows, rowsBy } from './observation.ts';
import type { BaselineRow, HeldRow, Integrity } from './rows.ts';
import type { BaselineTables, HeldState } from './tables.ts';

/** A file of the database may be changed behind SQLite's back: the digest is verified again this often. */
const VERIFY_EVERY_MS = 3_600_000;

/** The capabilities that decide what can be seen: a command of root has others beside them, and sees no more. */
const SEEING = capabilitiesOf(PRIVILEGES.service).reduce((bits, bit) => bits | (1n << BigInt(bit)), 0n);

/** Uid and effective capabilities of this process, as a sweep read them; "" when it did not see us. */
function privilegeOf({ processes, engine }: Snapshot, pid: number): string {
  const row = processes.rowOf(pid);
  if (row < 0 || ((processes.columns.seen[row] ?? 0) & FACT.status) === 0) return '';
  return seeing(`uid ${engine.euid}, capabilities ${(processes.columns.capEff[row] ?? 0n).toString(16)}`);
}

/** A privilege as it is stored, without the capabilities that do not count; earlier versions stored all of them. */
function seeing(privilege: string): string {
  return privilege.replace(/[0-9a-f]+$/, (set) => (BigInt(`0x${set}`) & SEEING).toString(16));
}

const UNREAD = { state: 'unread', detail: '' } as const;

interface Held {
  readonly revision: string;
  readonly privilege: string;
  readonly verifiedMs: number;
  readonly integrity: Integrity | typeof UNREAD;
  readonly rows: Rows;
  readonly known: Known | null;
  /** Rows not observed again yet, by hash or by listener key. */
  readonly unseen: Map<bigint | string, BaselineRow>;
}

type Native = Pick<NativeAddon, 'hashIdentity'>;

interface JudgedBy {
  readonly known: Known | null;
  readonly baseline: BaselineState;
}

export class HeldBaseline {
  readonly #tables: BaselineTables;
  readonly #native: Native;
  #held: Held | null = null;
  #privilegeNow = '';
  #answer: { readonly state: HeldState; readonly held: Held; readonly judgedBy: JudgedBy } | null = null;

  constructor(tables: BaselineTables, native: Native) {
    this.#tables = tables;
    this.#native = native;
  }

  /**
   * By one read of the store; the same object while nothing of it changes. `known`: same object for the same generation and
   * privileges; null while nothing was learned.
   */
  at(snapshot: Snapshot): JudgedBy {
    this.#privilegeNow = privilegeOf(snapshot, process.pid);
    const state = this.#tables.state();
    const held = this.#fresh(state);
    if (this.#answer?.state !== state || this.#answer.held !== held)
      this.#answer = { state, held, judgedBy: this.#judgedBy(state, held) };
    return this.#answer.judgedBy;
  }

  #judgedBy(state: HeldState, { known, integrity }: Held): JudgedBy {
    const { baseline, window, firstUse } = state;
    const learnedMs = Date.parse(baseline.learnedAt);
    return {
      known,
      baseline: {
        generation: baseline.generation,
        learnedMs: Number.isNaN(learnedMs) ? null : learnedMs,
        privilege: seeing(state.privilege),
        privilegeNow: this.#privilegeNow,
        window: window && { openedMs: window.openedMs, untilMs: window.untilMs },
        firstUse,
        integrity: integrity.state,
        integrityDetail: integrity.detail,
      },
    };
  }

  get privilegeNow(): string {
    return this.#privilegeNow;
  }

  get known(): Known | null {
    return this.#fresh().known;
  }

  get rows(): Rows {
    return this.#fresh().rows;
  }

  get sound(): boolean {
    return this.#fresh().integrity.state === 'sound';
  }

  /** Rows of A that this observation shows for the first time since they were learned. */
  seenNow(snapshot: Snapshot): readonly BaselineRow[] {
    const { unseen } = this.#fresh();
    if (unseen.size === 0) return [];
    const listeners = snapshot.listeners.map((listener) => listenerKey(snapshot, listener));
    return [...identityHashes(snapshot), ...listeners].flatMap((key) => unseen.get(key) ?? []);
  }

  markedSeen(rows: readonly BaselineRow[]): void {
    const { unseen } = this.#fresh();
    const marked = new Set(rows);
    for (const [key, row] of unseen) if (marked.has(row)) unseen.delete(key);
  }

  #fresh(state = this.#tables.state()): Held {
    const { revision } = state;
    const held = this.#held;
    const late = held !== null && performance.now() - held.verifiedMs >= VERIFY_EVERY_MS;
    if (held === null || late || held.revision !== revision || held.privilege !== this.#privilegeNow)
      this.#held = this.#read(state);
    return this.#held as Held;
  }

  /** The baseline is not judged by while its digest does not verify: what was written into it is not known good. */
  #read({ revision, baseline, privilege }: HeldState): Held {
    const integrity = this.#tables.verifyHeld() ?? UNREAD;
    const rows = integrity.state === 'sound' ? this.#tables.rows(baseline.generation) : [];
    const samePrivilege = seeing(privilege) === this.#privilegeNow;
    return {
      revision,
      privilege: this.#privilegeNow,
      verifiedMs: performance.now(),
      integrity,
      rows: rowsBy(rows),
      known: rows.length === 0 ? null : this.#knownOf(rows, samePrivilege),
      unseen: this.#unseenOf(rows),
    };
  }

  #hash(row: BaselineRow): bigint {
    return this.#native.hashIdentity(row.key);
  }

  #knownOf(rows: readonly BaselineRow[], samePrivilege: boolean): Known {
    const of = (kind: BaselineRow['kind']) => rows.filter((row) => row.kind === kind);
    const identities = of('identity');
    return {
      identities: new Set(identities.flatMap(namesOf).map((key) => this.#native.hashIdentity(key))),
      listeners: new Set(of('listener').map(textOfKey)),
      classes: new Set(of('class').flatMap((row) => milder(textOfKey(row)))),
      executables: new Set(identities.map((row) => detailOf(row).executable).filter((path) => path !== '')),
      contents: contentsOf(identities),
      lost: new Set(
        samePrivilege ? identities.flatMap(blindTwins).map((twin) => this.#native.hashIdentity(twin)) : [],
      ),
    };
  }

  #unseenOf(rows: readonly HeldRow[]): Map<bigint | string, BaselineRow> {
    const unseen = rows.filter(({ seen, kind }) => !seen && kind !== 'class');
    return new Map(unseen.map((row) => [row.kind === 'identity' ? this.#hash(row) : textOfKey(row), row]));
  }
}

/** Of the identities that an executable has, all contents together: they run the same file. */
function contentsOf(identities: readonly BaselineRow[]): NonNullable<Known['contents']> {
  const found = new Map<string, readonly Content[]>();
  for (const row of identities) {
    const { executable, contents } = detailOf(row);
    const program = programKey({ executable, identity: row.text });
    if (program !== '') found.set(program, mergeContents(found.get(program) ?? [], contents));
  }
  return found;
}

const textOfKey = ({ key }: BaselineRow): string => Buffer.from(key).toString('utf8');

/** A class that was learned at one severity suppresses the same at a lower one. */
function milder(classKey: string): string[] {
  return classKey.endsWith('\0medium') ? [classKey, classKey.replace(/\0medium$/, '\0low')] : [classKey];
}
