/**
 * What answers are made from at one moment: the records of the endpoints, tables of processes and listeners, the store, the law.
 * Each is assembled at its first use and kept for the moment. It is valid until the next sweep but one, which overwrites the columns
 * of the process table.
 */
import { type AllowSource, lawEntryOf } from '../../checks/allowed-listeners.ts';
import type { Config } from '../../config/schema.ts';
import type { Finding } from '../../findings/finding.ts';
import type { GateStep } from '../../findings/pipeline.ts';
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
import type { Moment } from '../../records/moment.ts';
import { page } from '../../records/page.ts';
import { scar } from '../../records/scar.ts';
import { version } from '../../records/service.ts';
import { site } from '../../records/site.ts';
import type { SiteLine, SiteProbe } from '../../records/site-probe.ts';
import { acceptanceFor } from '../law/index.ts';
import type { Knowledge } from './knowledge.ts';
import { type Path, parsePath, readSteps } from './paths.ts';
import { ProcessRows } from './process-rows.ts';

interface HistoryEvent {
  /** RFC 3339. */
  readonly at: string;
  readonly event: string;
}

/** The sources of a context; each but the age is read at most once. */
export interface ContextParts {
  readonly moment: Moment;
  readonly law: Law;
  readonly knowledge: Knowledge;
  /** Milliseconds since the snapshot was made. */
  ageMs(): number;
  /** The last probe of the site, with its history, newest first. */
  site(): { readonly probe: SiteProbe | null; readonly history: readonly SiteLine[] };
  finding(id: string): { readonly finding: Finding; readonly history: readonly HistoryEvent[] } | undefined;
  /** Newest first. */
  gateRuns(): readonly {
    readonly at: string;
    readonly mode: string;
    readonly state: string;
    readonly scarCount: number;
    readonly god: number;
    readonly steps: readonly GateStep[];
  }[];
  /** History of findings, newest first. */
  findingEvents(): readonly (HistoryEvent & { readonly finding: string; readonly summary: string })[];
  generations(): readonly {
    readonly number: number;
    readonly learnedAt: string;
    readonly how: string;
  }[];
  difference(): Omit<Difference, 'moment'>;
  /** What allows each listener of the moment. */
  allowSources(): readonly AllowSource[];
}

/** The configuration without the paths of secrets and without mail addresses. */
function openConfig(config: Config): unknown {
  const { mail, assistant, identity: _identity, ...rest } = config;
  const { password_file: _file, own_addresses: _own, ...openMail } = mail;
  const { api_key_file: _key, ...openAssistant } = assistant;
  return { ...rest, mail: openMail, assistant: openAssistant };
}

/** The rules in force, without the benign causes of the check catalogue. */
function lawShown({ law, moment }: ContextParts): unknown {
  const until = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    version: law.version,
    banned: [...law.bannedPorts],
    auto_learn: law.autoLearn,
    listen: allowedAt(moment, law).map(({ expiresMs, ...entry }) => ({
      ...entry,
      expires: until(expiresMs),
    })),
    except: law.suppressions
      .filter((excuse) => excuse.source !== 'benign' && !hasEnded(excuse, moment.snapshot.at.epochMs))
      .map(({ checks, executable = [], why, source, expiresMs }) => ({
        checks,
        executable,
        why,
        source,
        expires: until(expiresMs),
      })),
  };
}

const allowedAt = ({ snapshot }: Moment, { allowedListeners }: Law): Law['allowedListeners'] =>
  allowedListeners.filter((allowed) => !hasEnded(allowed, snapshot.at.epochMs));

type Assembler = (parts: ContextParts, context: QueryContext) => unknown;

const ASSEMBLERS: Readonly<Record<string, Assembler>> = {
  status: ({ moment }) => deskStatus.assemble(moment),
  charge: (_, context) => (context.root('status') as ReturnType<typeof deskStatus.assemble>).hostess_charge,
  av: ({ moment }) => deskHygiene.assemble(moment),
  detection: ({ moment }) => detection.assemble({ moment }),
  live: ({ moment, ageMs }) => liveView.assemble({ moment, ageMs: ageMs(), before: null }),
  scar: ({ moment }) => scar.assemble(moment),
  page: ({ moment }) => page.assemble(moment),
  mail: ({ moment }) => mailState.assemble(moment),
  version: ({ moment }) => version.assemble({ service: moment.desk.service, loop: moment.desk.loop, moment }),
  site: ({ moment, site: seen }) => site.assemble({ moment, ...seen() }),
  baseline_diff: ({ moment, difference }) => baselineDiff.assemble({ moment, ...difference() }),
  gate_runs: ({ gateRuns }) => gateRuns().map(({ scarCount, ...run }) => ({ ...run, scar_count: scarCount })),
  finding_events: ({ findingEvents }) => findingEvents(),
  generations: ({ generations }) =>
    generations().map(({ number, learnedAt, how }) => ({ number, learned_at: learnedAt, how })),
  processes: ({ moment }) => new ProcessRows(moment),
  listeners: ({ moment, allowSources }) => {
    const source = listenerSource({ moment, allowSources: allowSources() });
    return moment.snapshot.listeners.map((_, row) => rowOf(LISTENERS.columns, source, row));
  },
  law: lawShown,
  config: ({ moment }) => openConfig(moment.desk.config),
  words: ({ knowledge }) => knowledge.words,
  fields: ({ knowledge }) => knowledge.fields,
  checks: ({ knowledge }) => knowledge.checks,
  commands: ({ knowledge }) => knowledge.commands,
  endpoints: ({ knowledge }) => knowledge.endpoints,
  keys: ({ knowledge }) => knowledge.keys,
};

/** Holds the age of the moment, so it is not kept. */
const AGING = 'live';

/** Parsed paths that are kept; the limit is for hostile questions. */
const KEPT_PATHS = 2_000;
const parsed = new Map<string, Path>();

function pathOf(text: string): Path {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const path = parsePath(text);
  if (parsed.size >= KEPT_PATHS) parsed.clear();
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

  get moment(): Moment {
    return this.parts.moment;
  }

  get processes(): ProcessRows {
    return this.root('processes') as ProcessRows;
  }

  get listeners(): readonly ListenerRow[] {
    return this.root('listeners') as readonly ListenerRow[];
  }

  /** A whole record or table; undefined for an unknown name. */
  root(name: string): unknown {
    if (this.#roots.has(name)) return this.#roots.get(name);
    const id = /^findings\/([0-9a-f]{16})$/.exec(name)?.[1];
    const value = id === undefined ? ASSEMBLERS[name]?.(this.parts, this) : this.#finding(id);
    if (name !== AGING) this.#roots.set(name, value);
    return value;
  }

  /** The value at a path, undefined without one; `own`: roots of the question beside those of the moment. */
  read(path: string, own: Readonly<Record<string, unknown>> = {}): unknown {
    const { root, steps } = pathOf(path);
    return readSteps(Object.hasOwn(own, root) ? own[root] : this.root(root), steps);
  }

  /** Ids of open findings about a process. */
  findingsOf(pid: number): readonly string[] {
    if (this.#byPid === null) {
      const byPid = new Map<number, string[]>();
      for (const { id, subject } of this.moment.judgement.findings)
        if (subject.kind === 'process') byPid.set(subject.pid, [...(byPid.get(subject.pid) ?? []), id]);
      this.#byPid = byPid;
    }
    return this.#byPid.get(pid) ?? [];
  }

  /** Index in `law.listen` of the entry that allows a listener; -1 without one. */
  lawEntryOf(one: ListenerRow): number {
    const { moment, law } = this.parts;
    const { snapshot } = moment;
    const listener = snapshot.listeners[this.listeners.indexOf(one)];
    const entry = listener && lawEntryOf(listener, { snapshot, law });
    return entry === undefined ? -1 : allowedAt(moment, law).indexOf(entry);
  }

  #finding(id: string): unknown {
    const known = this.parts.finding(id);
    return known === undefined
      ? undefined
      : findingDetail.assemble({ moment: this.moment, ...known, acceptance: acceptanceFor(known.finding) });
  }
}
