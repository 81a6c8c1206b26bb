/**
 * What answers are made from at one state: the records of the endpoints, tables of processes and listeners, the store, the law.
 * Each is assembled at its first use and kept for the state. It is valid until the next sweep but one, which overwrites the columns
 * of the process table.
 */
import { type AllowSource, lawEntryOf } from '../../checks/allowed-listeners.ts';
import { unknownLinks } from '../../checks/startup.ts';
import type { Config } from '../../config/schema.ts';
import type { SiteSeen } from '../../desk/site-seen.ts';
import { utcTime } from '../../engine/time.ts';
import type { KnownFinding } from '../../findings/finding.ts';
import { hasEnded, type Law } from '../../policy/law.ts';
import { baselineDiff, type Difference } from '../../records/baseline-diff.ts';
import { rowOf } from '../../records/columns.ts';
import { deskHygiene } from '../../records/desk-hygiene.ts';
import { deskStatus } from '../../records/desk-status.ts';
import { detection } from '../../records/detection.ts';
import { findingDetail } from '../../records/finding-detail.ts';
import { LISTENERS, type ListenerRow, listenerSource } from '../../records/listener-columns.ts';
import { liveView } from '../../records/live.ts';
import { mailState } from '../../records/mail.ts';
import { page } from '../../records/page.ts';
import { scar } from '../../records/scar.ts';
import { version } from '../../records/service.ts';
import { site } from '../../records/site.ts';
import type { DeskState } from '../../records/state.ts';
import type { Baseline } from '../baseline/api.ts';
import type { Gate } from '../gate/api.ts';
import type { History } from '../history/api.ts';
import { acceptanceFor } from '../law/index.ts';
import type { Knowledge } from './knowledge.ts';
import { type Path, parsePath, readSteps } from './paths.ts';
import { ProcessRows } from './process-rows.ts';

/** The sources of a context; each but the age is read at most once. */
export interface ContextParts {
  readonly state: DeskState;
  readonly law: Law;
  readonly knowledge: Knowledge;
  /** Milliseconds since the snapshot was made. */
  ageMs(): number;
  /** The last probe of the site, with its history, newest first. */
  site(): SiteSeen;
  finding(id: string): KnownFinding | undefined;
  /** Newest first. */
  gateRuns(): ReturnType<Gate['runs']>;
  /** History of findings, newest first. */
  findingEvents(): ReturnType<History['events']>;
  generations(): readonly Pick<Generation, 'number' | 'learnedAt' | 'how'>[];
  difference(): Omit<Difference, 'state'>;
  /** Accounts that the machine names itself. */
  users(): readonly NamedUser[];
  /** What allows each listener of the state. */
  allowSources(): readonly AllowSource[];
}

export interface NamedUser {
  readonly name: string;
  readonly uid: number;
}

/** The configuration without the paths of secrets and without mail addresses. */
function openConfig(config: Config): unknown {
  const { mail, assistant, identity: _identity, ...rest } = config;
  const { password_file: _file, own_addresses: _own, ...openMail } = mail;
  const { api_key_file: _key, ...openAssistant } = assistant;
  return { ...rest, mail: openMail, assistant: openAssistant };
}

/** The rules in force, without the benign causes of the check catalogue. */
function lawShown({ law, state }: ContextParts): unknown {
  return {
    version: law.version,
    banned: [...law.bannedPorts],
    auto_learn: law.autoLearn,
    listen: allowedAt(state, law).map(({ expiresMs, ...entry }) => ({
      ...entry,
      expires: utcTime(expiresMs),
    })),
    except: law.suppressions
      .filter(
        (suppression) => suppression.source !== 'benign' && !hasEnded(suppression, state.snapshot.at.epochMs),
      )
      .map(({ checks, executable = [], why, source, expiresMs }) => ({
        checks,
        executable,
        why,
        source,
        expires: utcTime(expiresMs),
      })),
  };
}

const allowedAt = ({ snapshot }: DeskState, { allowedListeners }: Law): Law['allowedListeners'] =>
  allowedListeners.filter((allowed) => !hasEnded(allowed, snapshot.at.epochMs));

type Generation = ReturnType<Baseline['generations']>[number];

type Assembler = (parts: ContextParts, context: QueryContext) => unknown;

const ASSEMBLERS: Readonly<Record<string, Assembler>> = {
  status: ({ state }) => deskStatus.assemble(state),
  charge: (_, context) => (context.root('status') as ReturnType<typeof deskStatus.assemble>).hostess_charge,
  av: ({ state }) => deskHygiene.assemble(state),
  detection: ({ state }) => detection.assemble({ state }),
  live: ({ state, ageMs }) => liveView.assemble({ state, ageMs: ageMs(), before: null }),
  scar: ({ state }) => scar.assemble(state),
  page: ({ state }) => page.assemble(state),
  mail: ({ state }) => mailState.assemble(state),
  version: ({ state }) => version.assemble({ service: state.desk.service, loop: state.desk.loop, state }),
  site: ({ state, site: seen }) => site.assemble({ state, ...seen() }),
  baseline_diff: ({ state, difference }) => baselineDiff.assemble({ state, ...difference() }),
  gate_runs: ({ gateRuns }) => gateRuns().map(({ scarCount, ...run }) => ({ ...run, scar_count: scarCount })),
  finding_events: ({ findingEvents }) => findingEvents(),
  generations: ({ generations }) =>
    generations().map(({ number, learnedAt, how }) => ({ number, learned_at: learnedAt, how })),
  processes: ({ state }) => ProcessRows.of(state),
  listeners: ({ state, allowSources }) => {
    const source = listenerSource({ state, allowSources: allowSources() });
    return state.snapshot.listeners.map((_, row) => rowOf(LISTENERS.columns, source, row));
  },
  law: lawShown,
  config: ({ state }) => openConfig(state.desk.config),
  users: ({ users }) => users(),
};

/** Holds the age of the state, so it is not kept. */
const AGING = 'live';

/** Parsed paths that are kept; the limit is for hostile questions. */
const KEPT_PATHS = 2_000;
const parsed = new Map<string, Path>();

function pathOf(text: string): Path {
  if (parsed.size >= KEPT_PATHS) parsed.clear();
  const path = parsed.get(text) ?? parsePath(text);
  parsed.set(text, path);
  return path;
}

export class QueryContext {
  readonly parts: ContextParts;
  readonly #roots = new Map<string, unknown>();
  #byPid: ReadonlyMap<number, readonly string[]> | null = null;

  constructor(parts: ContextParts) {
    this.parts = parts;
  }

  get state(): DeskState {
    return this.parts.state;
  }

  get processes(): ProcessRows {
    return this.root('processes') as ProcessRows;
  }

  get listeners(): readonly ListenerRow[] {
    return this.root('listeners') as readonly ListenerRow[];
  }

  users(): readonly NamedUser[] {
    return this.root('users') as readonly NamedUser[];
  }

  /** A whole record or table; undefined for an unknown name. */
  root(name: string): unknown {
    if (this.#roots.has(name)) return this.#roots.get(name);
    const id = /^findings\/([0-9a-f]{16})$/.exec(name)?.[1];
    const { knowledge } = this.parts;
    const value =
      id !== undefined
        ? this.#finding(id)
        : Object.hasOwn(knowledge, name)
          ? knowledge[name as keyof Knowledge]
          : ASSEMBLERS[name]?.(this.parts, this);
    if (name !== AGING) this.#roots.set(name, value);
    return value;
  }

  /** The value at a path, undefined without one; `own`: roots of the question beside those of the state. */
  read(path: string, own: Readonly<Record<string, unknown>> = {}): unknown {
    const { root, steps } = pathOf(path);
    return readSteps(Object.hasOwn(own, root) ? own[root] : this.root(root), steps);
  }

  /** Ids of open findings about a process. */
  findingsOf(pid: number): readonly string[] {
    if (this.#byPid === null) {
      const byPid = new Map<number, string[]>();
      for (const { id, subject } of this.state.judgement.findings)
        if (subject.kind === 'process') byPid.set(subject.pid, [...(byPid.get(subject.pid) ?? []), id]);
      this.#byPid = byPid;
    }
    return this.#byPid.get(pid) ?? [];
  }

  /** Index in `law.listen` of the entry that allows a listener; -1 without one. */
  lawEntryOf(one: ListenerRow): number {
    const { state, law } = this.parts;
    const { snapshot } = state;
    const listener = snapshot.listeners[this.listeners.indexOf(one)];
    const entry = listener && lawEntryOf(listener, { snapshot, law });
    return entry === undefined ? -1 : allowedAt(state, law).indexOf(entry);
  }

  #finding(id: string): unknown {
    const known = this.parts.finding(id);
    return known === undefined
      ? undefined
      : findingDetail.assemble({
          ...known,
          state: this.state,
          acceptance: acceptanceFor(known.finding),
          // Neither users nor command lines of processes are answered.
          links: unknownLinks('the hostess does not answer what starts a process'),
        });
  }
}
