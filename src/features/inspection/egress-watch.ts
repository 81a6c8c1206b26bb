/**
 * Tier 2 of connections: with every state the checks judge those of the desk's processes. A place off the
 * allowlist is resolved again, and must still be off it, before anything is reported.
 */

import { type CachedVerdicts, failKey } from '../../checks/cached-verdicts.ts';
import { type Check, isEgress } from '../../checks/check.ts';
import type { CheckRuns } from '../../checks/check-runs.ts';
import { type ProcessSubject, processSubject } from '../../checks/subjects.ts';
import { Gathering, type Verdicts } from '../../checks/verdicts.ts';
import type { Allowlist } from '../../egress/allowlist.ts';
import { deskProcesses } from '../../engine/desk-processes.ts';
import type { Connection, Snapshot } from '../../engine/snapshot.ts';

const CACHED = 'egress';

interface EgressWatchOptions {
  readonly checks: readonly Check[];
  readonly allow: Pick<Allowlist, 'has' | 'resolve'>;
  readonly cached: CachedVerdicts;
  readonly runs?: CheckRuns | undefined;
  /** A fail or note has come or gone: the next recheck reports it. */
  readonly changed: () => void;
}

export class EgressWatch {
  readonly #options: EgressWatchOptions;
  readonly #checks;
  /** The cached verdicts as text, and the part of them whose change needs a recheck. */
  #cached = '';
  #reported = '';
  /** The probes of the last snapshot, when it had no connections. */
  #nothingBy: Snapshot['probes'] | null = null;
  /** Places off the list, and those of them that were resolved again since they were first seen. */
  #suspected = new Set<string>();
  #resolved: ReadonlySet<string> = new Set();
  #resolving: Promise<void> | null = null;

  constructor(options: EgressWatchOptions) {
    this.#options = options;
    this.#checks = options.checks.filter(isEgress);
    const ids = new Set(this.#checks.map(({ id }) => id));
    // Findings from before the last stop stay open until the first scan.
    options.cached.set(CACHED, {
      ...new Gathering({ confirmed: true }).verdicts(),
      hidden: (check) => ids.has(check),
    });
  }

  /** To be called while the snapshot's columns hold. Cached verdicts are replaced only when they change. */
  watch(snapshot: Snapshot): void {
    const { connections, probes } = snapshot;
    const none = connections.length === 0 && this.#nothingBy === probes;
    this.#nothingBy = connections.length === 0 ? probes : null;
    if (none) return;
    const verdicts = this.#verdicts(snapshot);
    const cached = JSON.stringify([
      verdicts.pass,
      verdicts.fails.map(({ check, ...fail }) => [check.id, fail]),
      verdicts.notes,
    ]);
    if (cached === this.#cached) return;
    this.#cached = cached;
    this.#options.cached.set(CACHED, verdicts);
    const reported = [...verdicts.fails.map(failKey), ...verdicts.notes.map(({ reason }) => reason)].join(
      '\n',
    );
    if (reported === this.#reported) return;
    this.#reported = reported;
    this.#options.changed();
  }

  /** Resolves when what is suspected has been resolved again: the next snapshot decides. False when nothing was. */
  async settled(): Promise<boolean> {
    const asked = this.#resolving !== null;
    await this.#resolving;
    return asked;
  }

  #verdicts(snapshot: Snapshot): Verdicts {
    const gathering = new Gathering({ confirmed: true, runs: this.#options.runs });
    const suspected = new Set<string>();
    let unsure = false;
    for (const [subject, connections] of connectionsByProcess(snapshot)) {
      const judged = connections.map((connection) => {
        const { address, port } = connection;
        const listed = this.#options.allow.has(address, port);
        const place = `${subject.pid} ${subject.start} ${address} ${port}`;
        if (listed) return { ...connection, allowed: true };
        suspected.add(place);
        const sure = this.#resolved.has(place);
        if (!sure) unsure = true;
        return { ...connection, allowed: !sure };
      });
      for (const check of this.#checks)
        gathering.run(
          check,
          (report) => check.egress({ subject, connections: judged }, report),
          (one) => one.kind === 'process' && one.pid === subject.pid && one.start === subject.start,
        );
    }
    for (const check of this.#checks)
      for (const { cure } of snapshot.probes.filter(
        ({ id, works }) => !works && id.startsWith('sock_diag https'),
      ))
        gathering.blind(check, {
          reason: 'the connections of the desk could not be listed',
          cure,
          hides: ({ kind }) => kind === 'process',
        });
    this.#suspected = suspected;
    if (unsure) this.#resolve();
    return gathering.verdicts();
  }

  #resolve(): void {
    const suspected = this.#suspected;
    this.#resolving ??= this.#options.allow.resolve().then(() => {
      this.#resolving = null;
      this.#resolved = suspected;
      this.#options.changed();
    });
  }
}

function connectionsByProcess(snapshot: Snapshot): Map<ProcessSubject, Connection[]> {
  const { connections, processes } = snapshot;
  const desk = deskProcesses(snapshot);
  const byPid = new Map<number, Connection[]>();
  for (const connection of connections)
    for (const pid of new Set(connection.holders.map((holder) => holder.pid)))
      if (desk.has(pid)) byPid.set(pid, [...(byPid.get(pid) ?? []), connection]);
  const found = new Map<ProcessSubject, Connection[]>();
  for (const [pid, own] of byPid) {
    const row = processes.rowOf(pid);
    if (row >= 0) found.set(processSubject(processes, row), own);
  }
  return found;
}

/** Established :443 connections held by desk processes, and how many of them go to addresses off the list. */
export function countEgress(
  snapshot: Pick<Snapshot, 'engine' | 'programs' | 'connections'>,
  allow: Pick<Allowlist, 'has'>,
): { deskHttps: number; outside: number } {
  const desk = deskProcesses(snapshot);
  const mine = snapshot.connections.filter(({ holders }) => holders.some(({ pid }) => desk.has(pid)));
  return {
    deskHttps: mine.length,
    outside: mine.filter(({ address, port }) => !allow.has(address, port)).length,
  };
}
