/** Suspects of the sweep for hidden processes: confirmed twice, judged, and told who they are. */
import { setTimeout as pause } from 'node:timers/promises';
import { textOf } from './bytes.ts';
import { type HiddenDeps, inLanes, ROUND_GAP_MS, type SweepOptions } from './hidden.ts';
import { EVIDENCE, type PidDescription, type PidSight } from './native/hidden-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';

/** A suspect holds a descriptor for its round (kMostSuspects in native/probe/hidden_pid.h). */
const CONFIRM_SHARD = 128;
/** Processes a shard describes, at most 0.1 ms each. */
const DESCRIBE_SHARD = 32;
export const ROUNDS = 2;

export interface PidDeps extends HiddenDeps {
  /** Handle of the proc root. */
  readonly root: number;
}

export interface HiddenPidOptions extends SweepOptions {
  /** Every number the kernel could ever give, not only those below pid_max, which can be lowered under living processes. */
  readonly all?: boolean;
  /** Pids, ascending, from a source that goes neither through /proc nor through these system calls (the BPF task iterator). */
  readonly elsewhere?: () => Promise<Int32Array | Refusal>;
}

export type Probe = 'getsid' | 'pidfd_open' | 'iterator';

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

/** The evidence that held in every round, by pid. */
export async function confirm(
  { pool, root }: PidDeps,
  suspects: Int32Array,
  { signal, onProgress, elsewhere }: HiddenPidOptions,
): Promise<{ readonly evidence: ReadonlyMap<number, number>; readonly refusal: Refusal | null }> {
  let evidence = new Map([...suspects].map((pid) => [pid, 0xff]));
  let refusal: Refusal | null = null;
  for (let round = 0; round < ROUNDS && evidence.size > 0; round += 1) {
    if (round > 0) await pause(ROUND_GAP_MS);
    const seen = await elsewhere?.();
    const others = seen === undefined || isRefusal(seen) ? new Int32Array() : seen;
    const asked = Int32Array.from(evidence.keys());
    const kept = new Map<number, number>();
    await inLanes(pool, Math.ceil(asked.length / CONFIRM_SHARD), signal, async (shard) => {
      const part = asked.slice(shard * CONFIRM_SHARD, (shard + 1) * CONFIRM_SHARD);
      const bits = await pool.run({ kind: 'hidden confirm pids', root, suspects: part, elsewhere: others });
      if (isRefusal(bits)) {
        refusal = bits;
        return;
      }
      part.forEach((pid, at) => {
        const both = (evidence.get(pid) ?? 0) & (bits[at] as number);
        if (hidden(both)) kept.set(pid, both);
      });
      onProgress?.({
        done: round * asked.length + kept.size,
        total: ROUNDS * asked.length,
        stage: 'confirming',
      });
    });
    evidence = new Map([...kept].sort(([one], [other]) => one - other));
  }
  return { evidence, refusal };
}

const SIGHTINGS = EVIDENCE.session | EVIDENCE.pidfd | EVIDENCE.iterator;
const hidden = (bits: number): boolean =>
  (bits & SIGHTINGS) !== 0 && (bits & (EVIDENCE.unlisted | EVIDENCE.mounted)) !== 0;

/** Leaves out whom a mount option may hide: an option hides nobody from who may look into him. */
export function accept(evidence: ReadonlyMap<number, number>, { hides }: PidSight) {
  const open = hides === 'nothing' || hides === 'contents';
  const accepted: [pid: number, bits: number][] = [];
  let hiddenByOption = 0;
  for (const [pid, bits] of evidence) {
    if (open || (bits & (EVIDENCE.ours | EVIDENCE.mounted)) !== 0) accepted.push([pid, bits]);
    else hiddenByOption += 1;
  }
  return { accepted, hiddenByOption };
}

export async function describeAll(
  { pool, root }: PidDeps,
  accepted: readonly (readonly [pid: number, bits: number])[],
  signal: AbortSignal | undefined,
): Promise<readonly HiddenProcess[]> {
  const found: HiddenProcess[] = new Array(accepted.length);
  await inLanes(pool, Math.ceil(accepted.length / DESCRIBE_SHARD), signal, async (shard) => {
    const from = shard * DESCRIBE_SHARD;
    const part = accepted.slice(from, from + DESCRIBE_SHARD);
    const pids = part.map(([pid]) => pid);
    const told = await pool.run({ kind: 'hidden describe pids', root, pids });
    part.forEach(([pid, bits], at) => {
      found[from + at] = processOf(pid, bits, told[at] as PidDescription | Refusal);
    });
  });
  return found;
}

function processOf(pid: number, bits: number, description: PidDescription | Refusal): HiddenProcess {
  const known = isRefusal(description) ? null : description;
  const sightings: readonly (readonly [Probe, number])[] = [
    ['getsid', EVIDENCE.session],
    ['pidfd_open', EVIDENCE.pidfd],
    ['iterator', EVIDENCE.iterator],
  ];
  return {
    pid,
    form: (bits & EVIDENCE.unlisted) !== 0 ? 'unlisted' : 'covered',
    seenBy: sightings.filter(([, bit]) => (bits & bit) !== 0).map(([id]) => id),
    folder:
      (bits & EVIDENCE.mounted) !== 0 ? 'covered' : (bits & EVIDENCE.noFolder) !== 0 ? 'closed' : 'opens',
    comm: known && textOf(known.comm),
    exe: known && textOf(known.exe),
    start: known && String(known.start),
    throughFreshProc: known?.freshProc ?? false,
  };
}
