/**
 * The sweep for hidden processes: what the process system calls know, against what a proc root lists and what stands at
 * `/proc/PID`. The order of the stages makes it exact (native/probe/hidden_pid.h): list, probe, confirm twice.
 */

import { CURES, cureFor } from './cures.ts';
import { inLanes, Stages, type SweepOptions } from './hidden.ts';
import {
  accept,
  confirm,
  describeAll,
  type HiddenPidOptions,
  type HiddenProcess,
  type PidDeps,
  type Probe,
  ROUNDS,
} from './hidden-suspects.ts';
import type { PidSight } from './native/hidden-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';
import { placeOf } from './process-table.ts';

/** PID_MAX_LIMIT (linux/threads.h): no kernel gives a number from here on. */
export const PID_LIMIT = 4_194_304;
/** Numbers a shard probes: about 1.5 ms. */
const PROBE_SHARD = 4096;
/** Folders a shard looks at: about 0.5 ms. */
const COVER_SHARD = 512;

export interface HiddenPidReport {
  /** False: nothing could be compared here, and `blind` says why. */
  readonly judged: boolean;
  readonly found: readonly HiddenProcess[];
  readonly probes: readonly { readonly id: Probe; readonly works: boolean; readonly reason: string }[];
  /** What could not be seen and what would cure it, `WHAT: CURE`. */
  readonly blind: readonly string[];
  readonly counts: {
    /** Processes in the listing. */
    readonly listed: number;
    /** Numbers probed, out of 1 … `end` - 1; the listed ones need no probe. */
    readonly probed: number;
    readonly end: number;
    /** Threads and unlisted processes that getsid knew. */
    readonly sessions: number;
    /** Processes that a probe knew and the listing did not hold, and covered ones; most are born meanwhile. */
    readonly suspects: number;
    /** Unlisted processes that a mount option hides from us: not judged. */
    readonly hiddenByOption: number;
  };
  /** Whole microseconds, and how many rounds confirmed what was found. */
  readonly us: {
    /** Until a worker answered. */
    readonly start: number;
    readonly list: number;
    readonly cover: number;
    readonly probe: number;
    readonly confirm: number;
    readonly total: number;
  };
  readonly rounds: number;
}

export async function sweepHiddenPids(
  deps: PidDeps,
  options: HiddenPidOptions = {},
): Promise<HiddenPidReport> {
  const { signal } = options;
  const stages = new Stages();
  signal?.throwIfAborted();
  const sight = deps.native.hiddenPidSight(deps.root);
  const iterator = await options.elsewhere?.();
  const blind = blindness(sight);
  const probes = probesOf(sight, iterator);
  const nothing = { listed: 0, probed: 0, end: 0, sessions: 0, suspects: 0, hiddenByOption: 0 };
  const report = (
    parts: Pick<HiddenPidReport, 'judged' | 'found' | 'blind' | 'counts'>,
  ): HiddenPidReport => ({
    ...parts,
    probes,
    us: {
      start: stages.of('start'),
      list: stages.of('list'),
      cover: stages.of('cover'),
      probe: stages.of('probe'),
      confirm: stages.of('confirm'),
      total: stages.total(),
    },
    rounds: ROUNDS,
  });
  // Without pidfds nothing can be confirmed, and in another pid namespace the numbers mean others.
  if (sight.root !== null || sight.pidfdOpen !== null)
    return report({ judged: false, found: [], blind, counts: nothing });
  // The workers may have to start first; that is not the work of a stage.
  await stages.time('start', () =>
    deps.pool.run({ kind: 'hidden covered pids', root: deps.root, pids: new Int32Array() }),
  );
  const listed = await stages.time('list', async () => listAll(deps));
  if (isRefusal(listed)) {
    const reason = `the processes cannot be listed (${listed.code}): mount proc there, readable for the desk`;
    return report({ judged: false, found: [], blind: [...blind, reason], counts: nothing });
  }
  const end = endOf(sight, listed, options.all === true);
  const covered = await stages.time('cover', () => coveredOf(deps, sight, listed, signal));
  const probed = await stages.time('probe', () => probe(deps, listed, end, options));
  const others = (isRefusal(iterator) ? [] : [...(iterator ?? [])]).filter((pid) => placeOf(listed, pid) < 0);
  const suspects = Int32Array.from(new Set([...covered.pids, ...probed.suspects, ...others])).sort();
  const confirmed = await stages.time('confirm', () => confirm(deps, suspects, options));
  const { accepted, hiddenByOption } = accept(confirmed.evidence, sight);
  const found = await stages.time('confirm', () => describeAll(deps, accepted, signal));
  return report({
    judged: !confirmed.refusal,
    found,
    blind: [
      ...blind,
      ...(covered.refusal
        ? [
            `covered processes are not told from others (${covered.refusal.source} ${covered.refusal.code}): Linux 5.8 or later tells`,
          ]
        : []),
      ...(confirmed.refusal
        ? [
            `${suspects.length} suspects could not be confirmed (${confirmed.refusal.code}): raise the limit of open files`,
          ]
        : []),
      ...(hiddenByOption > 0
        ? [
            `${hiddenByOption} processes are left out by the mount option hidepid: ${cureFor(process.geteuid?.() ?? 0, CURES.hidepid)}`,
          ]
        : []),
    ],
    counts: {
      listed: listed.length,
      probed: probed.tried,
      end,
      sessions: probed.sessions,
      suspects: suspects.length,
      hiddenByOption,
    },
  });
}

/** What is known to be out of sight before anything is asked. */
function blindness(sight: PidSight): string[] {
  const reasons: string[] = [];
  if (sight.root?.code === 'EXDEV')
    reasons.push('the proc root shows another pid namespace: mount a proc of this one');
  else if (sight.root !== null)
    reasons.push(`the proc root is no proc (${sight.root.code}): mount one there`);
  // Only in a root of our own namespace can openat2 be asked for a folder that is there.
  const openat2 = sight.root === null ? sight.openat2 : null;
  for (const refusal of [sight.pidfdOpen, sight.getsid, openat2])
    if (refusal !== null)
      reasons.push(
        `${refusal.source} does not answer as it must (${refusal.code}): run outside the system call filter, on Linux 5.6 or later`,
      );
  if (sight.root === null && isRefusal(sight.hides))
    reasons.push(
      `the mount options of the proc root are unknown (${sight.hides.code}): only processes we may look into are judged`,
    );
  return reasons;
}

function probesOf(sight: PidSight, iterator: Int32Array | Refusal | undefined): HiddenPidReport['probes'] {
  const state = (id: Probe, refusal: Refusal | null) => ({
    id,
    works: refusal === null,
    reason: refusal === null ? '' : refusal.code,
  });
  return [
    state('getsid', sight.getsid),
    state('pidfd_open', sight.pidfdOpen),
    ...(iterator === undefined ? [] : [state('iterator', isRefusal(iterator) ? iterator : null)]),
  ];
}

/** Every process of the root, ascending, over shared memory. */
function listAll({ native, root }: PidDeps): Int32Array | Refusal {
  for (let room = 1024; ; ) {
    const pids = new Int32Array(new SharedArrayBuffer(room * Int32Array.BYTES_PER_ELEMENT));
    const count = native.listPids(root, pids);
    if (isRefusal(count)) return count;
    if (count <= room) return pids.subarray(0, count);
    room = count + (count >> 2);
  }
}

function endOf({ pidMax }: PidSight, listed: Int32Array, all: boolean): number {
  if (all || isRefusal(pidMax)) return PID_LIMIT;
  return Math.min(PID_LIMIT, Math.max(pidMax, (listed.at(-1) ?? 0) + 1));
}

async function coveredOf(
  { pool, root }: PidDeps,
  sight: PidSight,
  listed: Int32Array,
  signal: AbortSignal | undefined,
): Promise<{ readonly pids: readonly number[]; readonly refusal: Refusal | null }> {
  if (sight.openat2 !== null) return { pids: [], refusal: null };
  const pids: number[] = [];
  let refusal: Refusal | null = null;
  await inLanes(pool, Math.ceil(listed.length / COVER_SHARD), signal, async (shard) => {
    const part = listed.subarray(shard * COVER_SHARD, (shard + 1) * COVER_SHARD);
    const covered = await pool.run({ kind: 'hidden covered pids', root, pids: part });
    if (isRefusal(covered)) refusal = covered;
    else pids.push(...covered);
  });
  return { pids, refusal };
}

async function probe(
  { pool }: PidDeps,
  listed: Int32Array,
  end: number,
  { signal, onProgress }: SweepOptions,
): Promise<{ readonly suspects: readonly number[]; readonly tried: number; readonly sessions: number }> {
  const suspects: number[] = [];
  let [tried, sessions, done] = [0, 0, 0];
  const total = end - 1;
  await inLanes(pool, Math.ceil(total / PROBE_SHARD), signal, async (shard) => {
    const from = 1 + shard * PROBE_SHARD;
    const to = Math.min(end, from + PROBE_SHARD);
    const result = await pool.run({ kind: 'hidden probe pids', listed, from, to });
    for (const pid of result.suspects) suspects.push(pid);
    tried += result.tried;
    sessions += result.sessions;
    done += to - from;
    onProgress?.({ done, total, stage: 'probing' });
  });
  return { suspects, tried, sessions };
}
