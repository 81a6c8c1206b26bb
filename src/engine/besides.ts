/** What a sweep reads beside processes and sockets: counters, sensors, capture devices, facts of the host, the fate of executables. */
import { isDeepStrictEqual } from 'node:util';
import { joined } from '../base/promises.ts';
import { aged, fatesFrom, type MachineParts, machineRefusals } from './assemble.ts';
import { EVERY_MS } from './bounds.ts';
import type { CaptureResult, ExecutableFate, HostResult, SensorResult } from './native/host-types.ts';
import { isRefusal, type MachineResult, type NativeAddon, type Refusal } from './native/types.ts';
import { Reading } from './reading.ts';
import type { Host } from './snapshot.ts';

interface Places {
  readonly sys: string;
  /** The folder that etc and run are in. */
  readonly top: string;
}

interface MachineRead {
  readonly readAtMs: number;
  readonly result: MachineResult;
}

type Values = readonly [
  sensors: { readonly value: SensorResult } | null,
  captures: { readonly value: CaptureResult } | null,
  host: { readonly value: HostResult; readonly atMs: number } | null,
];

/** One of a closed root has none of them. */
const NONE: Values = [null, null, null];

export class Besides {
  readonly #native: NativeAddon;
  readonly #sensors: Reading<SensorResult>;
  readonly #captures: Reading<CaptureResult, number>;
  readonly #host: Reading<HostResult, number>;
  readonly #fates: Reading<readonly (ExecutableFate | Refusal)[], { root: number; pids: Int32Array }>;
  #counters: MachineRead | null = null;
  #known: { readonly pids: Int32Array; readonly fates: Host['fates'] } | null = null;
  #hostAtMs: number | undefined;

  constructor(native: NativeAddon, { sys, top }: Places) {
    this.#native = native;
    const everyMs = EVERY_MS.slow;
    this.#sensors = new Reading({ read: () => native.sensors(sys), everyMs });
    this.#captures = new Reading({ read: (proc) => native.captureDevices(proc, sys), everyMs });
    this.#host = new Reading({ read: (proc) => native.host(proc, sys, top), everyMs });
    this.#fates = new Reading({ read: (of) => native.executableFates(of.root, of.pids), everyMs: 0 });
  }

  /** The counters of the machine, as read at most a second ago; null for a closed root. */
  counters(root: number | Refusal, nowMs: number): MachineRead | null {
    if (isRefusal(root)) return null;
    if (this.#counters === null || nowMs - this.#counters.readAtMs >= EVERY_MS.slow)
      this.#counters = { readAtMs: nowMs, result: this.#native.machine(root) };
    return this.#counters;
  }

  /** The values of what may block; without a promise where they are known. `hostAgain`: the host's facts are read again. */
  values(root: number | Refusal, hostAgain = false): Values | Promise<Values> {
    if (isRefusal(root)) return NONE;
    const read = [this.#sensors.take(), this.#captures.take(root), this.#host.take(root, hostAgain)] as const;
    return joined(read, (values) => values);
  }

  /** Read again for other processes, and with every new value of the host. */
  fates(
    root: number | Refusal,
    pids: Int32Array,
    [, , host]: Values,
  ): Host['fates'] | Promise<Host['fates']> {
    const known = this.#known;
    const again = host?.atMs !== this.#hostAtMs;
    this.#hostAtMs = host?.atMs;
    const same = known?.pids.length === pids.length && known.pids.every((pid, at) => pid === pids[at]);
    const whole = known?.fates.size === pids.length;
    if (known !== null && same && (pids.length === 0 || (whole && !again))) return known.fates;
    const read = isRefusal(root) || pids.length === 0 ? null : this.#fates.take({ root, pids }, true);
    return joined([read], ([answers]) => {
      const found = fatesFrom(pids, answers?.value ?? []);
      const fates = known !== null && isDeepStrictEqual(found, known.fates) ? known.fates : found;
      this.#known = { pids, fates };
      return fates;
    });
  }
}

/** The machine as of this monotonic time. */
export const machineAt = (
  counters: MachineRead | null,
  [sensors, captures]: Values,
  nowMs: number,
): MachineParts | null =>
  counters && {
    ...aged(counters.result, nowMs - counters.readAtMs),
    readAtMs: counters.readAtMs,
    sensors: sensors?.value ?? null,
    captures: captures?.value ?? null,
  };

/** Whether two of them differ in nothing that is judged. */
export const judgesTheSame = (one: MachineParts, other: MachineParts): boolean =>
  one.ephemeralLow === other.ephemeralLow &&
  one.ephemeralHigh === other.ephemeralHigh &&
  (one.uptimeSec === null) === (other.uptimeSec === null) &&
  isDeepStrictEqual(machineRefusals(one), machineRefusals(other));
