/**
 * The scan for hidden processes: compares the process system calls with what a proc root lists and `/proc/PID` shows. The order of
 * the stages makes it exact (native/probe/hidden_pid.h): list, probe, confirm twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { textOf } from './bytes.ts';
import { CURES, cureFor } from './cures.ts';
import {
  type HiddenDeps,
  inShards,
  ROUND_GAP_MS,
  Stages,
  type StageTimes,
  type SweepOptions,
} from './hidden.ts';
import { EVIDENCE, type PidDescription, type PidSight } from './native/hidden-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';
import { placeOf } from './process-table.ts';
import { allPids } from './tasks.ts';

/** PID_MAX_LIMIT (linux/threads.h): no kernel gives a number from here on. */
export const PID_LIMIT = 4_194_304;
const PROBE_SHARD = 4096;
const COVER_SHARD = 512;

/** A suspect holds a descriptor for its round (kMostSuspects in native/probe/hidden_pid.h). */
const CONFIRM_SHARD = 128;
const DESCRIBE_SHARD = 32;
const ROUNDS = 2;

interface PidDeps extends HiddenDeps {
  readonly root: number;
}

export interface HiddenPidOptions extends SweepOptions {
  /** Every number the kernel could ever give, not only those below pid_max, which can be lowered under living processes. */
  readonly all?: boolean;
  /** Pids, ascending, from a source that goes neither through /proc nor through these system calls (the BPF task iterator). */
  readonly elsewhere?: () => Promise<Int32Array | Refusal>;
}

type Probe = 'getsid' | 'pidfd_open' | 'iterator';

export interface HiddenProcess {
  readonly pid: number;
  /** `unlisted`: it runs and the listing leaves it out; `covered`: something is mounted over its folder. */
  readonly form: 'unlisted' | 'covered';
  /** What knew it, in both rounds of confirmation. */
  readonly seenBy: readonly Probe[];
  /** Its folder when it is asked for by name. */
  readonly folder: 'opens' | 'covered' | 'closed';
  /** Lossy text; null when it cannot be read, here and below. */
  readonly comm: string | null;
  /** "" for a process without executable, or one we may not look into. */
  readonly exe: string | null;
  /** Clock ticks after boot, as text (64 bit). */
  readonly start: string | null;
  /** The facts were read through a proc mounted nowhere, because its folder does not answer for it. */
  readonly throughFreshProc: boolean;
}

export interface HiddenPidReport {
  readonly judged: boolean;
  readonly found: readonly HiddenProcess[];
  readonly probes: readonly { readonly id: Probe; readonly works: boolean; readonly reason: string }[];
  /** What could not be seen and what would cure it, `WHAT: CURE`. */
  readonly blind: readonly string[];
  readonly counts: {
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
  readonly us: StageTimes<'start' | 'list' | 'cover' | 'probe' | 'confirm'>;
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
  const report = (
    judged: boolean,
    found: readonly HiddenProcess[],
    reasons: readonly string[],
    counts: HiddenPidReport['counts'] = NO_COUNTS,
  ): HiddenPidReport => ({
    judged,
    found,
    blind: reasons,
    counts,
    probes: probesOf(sight, iterator),
    us: stages.us('start', 'list', 'cover', 'probe', 'confirm'),
    rounds: ROUNDS,
  });
  // Without pidfds nothing can be confirmed, and in another pid namespace the numbers mean others.
  if (sight.root !== null || sight.pidfdOpen !== null) return report(false, [], blind);
  // The workers may have to start first.
  await stages.time('start', () => deps.pool.run('coveredPids', deps.root, new Int32Array()));
  const listed = await stages.time('list', async () =>
    allPids((into) => deps.native.listPids(deps.root, into)),
  );
  if (isRefusal(listed)) {
    const reason = `the processes cannot be listed (${listed.code}): mount proc there, readable for the desk`;
    return report(false, [], [...blind, reason]);
  }
  const end = endOf(sight, listed, options.all === true);
  const covered = await stages.time('cover', async () =>
    sight.openat2 === null ? coveredOf(deps, listed, signal) : { pids: [], refusal: null },
  );
  const probed = await stages.time('probe', () => probe(deps, listed, end, options));
  const others = (isRefusal(iterator) ? [] : [...(iterator ?? [])]).filter((pid) => placeOf(listed, pid) < 0);
  const suspects = Int32Array.from(new Set([...covered.pids, ...probed.suspects, ...others])).sort();
  const confirmed = await stages.time('confirm', () => confirm(deps, suspects, options));
  const { accepted, hiddenByOption } = accept(confirmed.evidence, sight);
  const found = await stages.time('confirm', () => describeAll(deps, accepted, signal));
  const reasons = [
    ...blind,
    covered.refusal &&
      `covered processes are not distinguished from others (${covered.refusal.source} ${covered.refusal.code}): Linux 5.8 or later does that`,
    confirmed.refusal &&
      `${suspects.length} suspects could not be confirmed (${confirmed.refusal.code}): raise the limit of open files`,
    hiddenByOption > 0 &&
      `${hiddenByOption} processes are left out by the mount option hidepid: ${cureFor(process.geteuid?.() ?? 0, CURES.hidepid)}`,
  ].filter((reason) => typeof reason === 'string');
  const { tried, sessions } = probed;
  return report(confirmed.refusal === null, found, reasons, {
    listed: listed.length,
    probed: tried,
    end,
    sessions,
    suspects: suspects.length,
    hiddenByOption,
  });
}

const NO_COUNTS = { listed: 0, probed: 0, end: 0, sessions: 0, suspects: 0, hiddenByOption: 0 };

/** What cannot be seen, known in advance. */
function blindness(sight: PidSight): string[] {
  const reasons: string[] = [];
  if (sight.root?.code === 'EXDEV')
    reasons.push('the proc root shows another pid namespace: mount a proc of this one');
  else if (sight.root !== null)
    reasons.push(`the proc root is not a proc file system (${sight.root.code}): mount one there`);
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
    reason: refusal?.code ?? '',
  });
  return [
    state('getsid', sight.getsid),
    state('pidfd_open', sight.pidfdOpen),
    ...(iterator === undefined ? [] : [state('iterator', isRefusal(iterator) ? iterator : null)]),
  ];
}

function endOf({ pidMax }: PidSight, listed: Int32Array, all: boolean): number {
  if (all || isRefusal(pidMax)) return PID_LIMIT;
  return Math.min(PID_LIMIT, Math.max(pidMax, (listed.at(-1) ?? 0) + 1));
}

async function coveredOf({ pool, root }: PidDeps, listed: Int32Array, signal: AbortSignal | undefined) {
  const pids: number[] = [];
  let refusal = null as Refusal | null;
  await inShards({ pool, signal }, [listed.length, COVER_SHARD], async (from, to) => {
    const covered = await pool.run('coveredPids', root, listed.subarray(from, to));
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
) {
  const suspects: number[] = [];
  let [tried, sessions, done] = [0, 0, 0];
  const total = end - 1;
  await inShards({ pool, signal }, [total, PROBE_SHARD], async (from, to) => {
    const result = await pool.run('probePids', listed, from + 1, to + 1);
    for (const pid of result.suspects) suspects.push(pid);
    tried += result.tried;
    sessions += result.sessions;
    done += to - from;
    onProgress?.({ done, total, stage: 'probing' });
  });
  return { suspects, tried, sessions };
}

async function confirm(
  { pool, root }: PidDeps,
  suspects: Int32Array,
  { signal, onProgress, elsewhere }: HiddenPidOptions,
) {
  let evidence: ReadonlyMap<number, number> = new Map([...suspects].map((pid) => [pid, 0xff]));
  let refusal = null as Refusal | null;
  for (let round = 0; round < ROUNDS && evidence.size > 0; round += 1) {
    if (round > 0) await pause(ROUND_GAP_MS);
    const seen = await elsewhere?.();
    const others = seen === undefined || isRefusal(seen) ? new Int32Array() : seen;
    const asked = Int32Array.from(evidence.keys());
    const kept = new Map<number, number>();
    await inShards({ pool, signal }, [asked.length, CONFIRM_SHARD], async (from, to) => {
      const part = asked.slice(from, to);
      const bits = await pool.run('confirmPids', root, part, others);
      if (isRefusal(bits)) {
        refusal = bits;
        return;
      }
      part.forEach((pid, at) => {
        const both = (evidence.get(pid) ?? 0) & (bits[at] as number);
        if (hidden(both)) kept.set(pid, both);
      });
      const done = round * asked.length + kept.size;
      onProgress?.({ done, total: ROUNDS * asked.length, stage: 'confirming' });
    });
    evidence = new Map([...kept].sort(([one], [other]) => one - other));
  }
  return { evidence, refusal };
}

const SEEN_BY: readonly (readonly [Probe, number])[] = [
  ['getsid', EVIDENCE.session],
  ['pidfd_open', EVIDENCE.pidfd],
  ['iterator', EVIDENCE.iterator],
];
const hidden = (bits: number): boolean =>
  SEEN_BY.some(([, bit]) => (bits & bit) !== 0) && (bits & (EVIDENCE.unlisted | EVIDENCE.mounted)) !== 0;

/** Leaves out processes that a mount option may hide; it hides none that we may inspect. */
function accept(evidence: ReadonlyMap<number, number>, { hides }: PidSight) {
  const open = hides === 'nothing' || hides === 'contents';
  const accepted: [pid: number, bits: number][] = [];
  let hiddenByOption = 0;
  for (const [pid, bits] of evidence) {
    if (open || (bits & (EVIDENCE.ours | EVIDENCE.mounted)) !== 0) accepted.push([pid, bits]);
    else hiddenByOption += 1;
  }
  return { accepted, hiddenByOption };
}

async function describeAll(
  { pool, root }: PidDeps,
  accepted: readonly (readonly [pid: number, bits: number])[],
  signal: AbortSignal | undefined,
): Promise<readonly HiddenProcess[]> {
  const found: HiddenProcess[] = new Array(accepted.length);
  await inShards({ pool, signal }, [accepted.length, DESCRIBE_SHARD], async (from, to) => {
    const part = accepted.slice(from, to);
    const answers = await pool.run(
      'describePids',
      root,
      part.map(([pid]) => pid),
    );
    part.forEach(([pid, bits], at) => {
      found[from + at] = processOf(pid, bits, answers[at] as PidDescription | Refusal);
    });
  });
  return found;
}

function processOf(pid: number, bits: number, description: PidDescription | Refusal): HiddenProcess {
  const known = isRefusal(description) ? null : description;
  return {
    pid,
    form: (bits & EVIDENCE.unlisted) !== 0 ? 'unlisted' : 'covered',
    seenBy: SEEN_BY.filter(([, bit]) => (bits & bit) !== 0).map(([id]) => id),
    folder:
      (bits & EVIDENCE.mounted) !== 0 ? 'covered' : (bits & EVIDENCE.noFolder) !== 0 ? 'closed' : 'opens',
    comm: known && textOf(known.comm),
    exe: known && textOf(known.exe),
    start: known && String(known.start),
    throughFreshProc: known?.freshProc ?? false,
  };
}
