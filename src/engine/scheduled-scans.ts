/**
 * The scheduled scans, which checks of tier 3 need: in pieces, over the workers that the sweeps use. What reads a few files of the
 * kernel is done here: a worker would have to be started for it.
 */
import { statSync } from 'node:fs';
import { type ForeignOptions, type ForeignReport, sweepForeign } from './foreign-listeners.ts';
import { type HiddenPidOptions, type HiddenPidReport, sweepHiddenPids } from './hidden-pids.ts';
import { type HiddenPortReport, sweepHiddenPorts } from './hidden-ports.ts';
import type { DeviceScan, ModuleViews } from './native/host-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';
import type { TaskPool } from './pool.ts';
import { late, Reading } from './reading.ts';
import type { Engine } from './sweep.ts';

type ScanOptions = Omit<HiddenPidOptions, 'elsewhere'>;

export type Scans = Omit<EngineScans, 'close'> & Partial<Pick<EngineScans, 'close'>>;

export interface ScanRoots {
  readonly proc?: string;
  readonly sys?: string;
  readonly dev?: string;
}

/** A walk of /dev takes milliseconds; one that takes this long hangs. */
const DEVICES_PATIENCE_MS = 10_000;

/**
 * The machine's own /dev: a service with `PrivateDevices=yes` has another one in its place, with the usual devices only. That of pid 1
 * can be reached with CAP_SYS_PTRACE; where it cannot, or is the same, our own.
 */
export function machineDev(pid1 = '/proc/1/root/dev', own = '/dev'): string {
  try {
    const [machine, ours] = [statSync(pid1), statSync(own)];
    return machine.isDirectory() && machine.dev !== ours.dev ? pid1 : own;
  } catch {
    return own;
  }
}

/** All reject when the workers fail; what the kernel refuses is a value. */
export class EngineScans {
  readonly #engine: Pick<Engine, 'native' | 'pool' | 'backend'>;
  readonly #roots: Required<ScanRoots>;
  readonly #devices: Reading<DeviceScan | Refusal, number>;
  /** A proc root of its own, kept between scans: what the sweeps remember of theirs is not touched. */
  #root: number | null = null;

  constructor(engine: Pick<Engine, 'native' | 'pool' | 'backend'>, roots: ScanRoots = {}) {
    this.#engine = engine;
    this.#roots = { proc: '/proc', sys: '/sys', dev: '/dev', ...roots };
    this.#devices = new Reading({
      read: (root) => engine.native.strangeNodes(root, this.#roots.dev),
      everyMs: 0,
      patienceMs: DEVICES_PATIENCE_MS,
    });
  }

  /** Closes what is kept between scans; not to be called while one runs. */
  close(): void {
    if (this.#root !== null) this.#engine.native.closeRoot(this.#root);
    this.#root = null;
  }

  hiddenPids(options: ScanOptions): Promise<HiddenPidReport | Refusal> {
    const { native, backend } = this.#engine;
    return this.#withRoot((pool, root) => {
      // The iterator does not read a fixture root.
      const asked = backend === 'bpf' && this.#roots.proc === '/proc';
      const elsewhere = () => pool.run('allIteratorPids', root);
      return sweepHiddenPids({ native, pool, root }, { ...options, ...(asked && { elsewhere }) });
    });
  }

  /** Takes every free port for some microseconds: a program that starts on it just then fails. */
  hiddenPorts(options: ScanOptions): Promise<HiddenPortReport> {
    return sweepHiddenPorts(this.#engine, options);
  }

  /** Listeners of network namespaces other than our own. */
  foreignListeners(options: ForeignOptions): Promise<ForeignReport | Refusal> {
    return this.#withRoot((pool, root) => sweepForeign({ pool, root }, options));
  }

  /** Bits of /proc/sys/kernel/tainted. */
  taint(): Promise<bigint | Refusal> {
    return this.#withRoot(async (_, root) => this.#engine.native.kernelTaint(root));
  }

  modules(): Promise<ModuleViews | Refusal> {
    const { sys } = this.#roots;
    return this.#withRoot(async (_, root) => this.#engine.native.moduleViews(root, sys));
  }

  devices(): Promise<DeviceScan | Refusal> {
    return this.#withRoot(async (_, root) => (await this.#devices.take(root, true))?.value ?? late('dev'));
  }

  async #withRoot<T>(work: (pool: TaskPool, root: number) => Promise<T>): Promise<T | Refusal> {
    const { native, pool } = this.#engine;
    if (this.#root === null) {
      const root = native.openRoot(this.#roots.proc);
      if (isRefusal(root)) return root;
      this.#root = root;
    }
    return work(pool, this.#root);
  }
}
