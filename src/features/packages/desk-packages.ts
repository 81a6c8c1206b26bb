/** Compares packages on request; in the service also after the start, each period, and after packages have changed. */

import { backoffMs } from '../../base/retry.ts';
import { containerFiles } from '../../desk/container-files.ts';
import type { FeatureHost, Running } from '../../desk/feature.ts';
import { PACKAGES, type PackageScan } from '../../desk/packages.ts';
import { containerView } from '../../privileges/container.ts';
import { KeptComparison } from './kept.ts';
import { compare, installed } from './verifier.ts';

/** The service has more urgent work at its start. */
const FIRST_AFTER_MS = 600_000;
/** Packages that are installed together are compared once. */
const SOON_MS = 30_000;
/** Comparisons in a row that an installation spoils, each after twice the time: an hour in all. */
const MOST_BUSY = 7;
/** The check that judges by it. */
const CHECKS = ['packaged-file'];

type Host = Pick<FeatureHost, 'store' | 'provide' | 'role' | 'rescan'> & {
  readonly config: { readonly slow: { readonly every_sec: number } };
};

/** For tests. */
interface Options {
  readonly program?: string;
  readonly soonMs?: number;
}

export class DeskPackages implements Running {
  readonly #host: Host;
  readonly #options: Options;
  readonly #kept: KeptComparison;
  readonly #stop = new AbortController();
  #seals: Map<string, string>;
  #latest: PackageScan | null;
  #running: Promise<PackageScan> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  /** So many in a row came while packages were being installed. */
  #busy = 0;

  constructor(host: Host, options: Options = {}) {
    this.#host = host;
    this.#options = options;
    this.#kept = new KeptComparison(host.store);
    const { scan, seals } = this.#kept.read();
    this.#latest = scan;
    this.#seals = seals;
    host.provide(PACKAGES, {
      container: containerFiles(containerView()),
      latest: () => this.#latest,
      installed: () => installed(this.#options),
      verify: () => this.#verify(),
      soon: () => this.#arm(this.#options.soonMs ?? SOON_MS),
    });
  }

  start(): void {
    this.#arm(FIRST_AFTER_MS);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  /** The earliest time that was asked for counts. */
  #arm(afterMs: number): void {
    if (this.#host.role !== 'service' || this.#stop.signal.aborted) return;
    const dueMs = performance.now() + afterMs;
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => void this.#turn().catch(() => undefined), afterMs);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    this.#dueMs = Number.POSITIVE_INFINITY;
    try {
      await this.#verify(true);
    } finally {
      this.#arm(this.#host.config.slow.every_sec * 1000);
    }
  }

  #verify(paced = false): Promise<PackageScan> {
    this.#running ??= this.#compare(paced).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #compare(paced: boolean): Promise<PackageScan> {
    const { signal } = this.#stop;
    const { program } = this.#options;
    const seals = new Map(this.#seals);
    // A program that only holds the lock of the package manager does not keep the result old.
    const evenBusy = this.#busy >= MOST_BUSY;
    const { busy, ...compared } = await compare(seals, {
      ...{ paced, signal, evenBusy },
      ...(program !== undefined && { program }),
    });
    const scan = { ...compared, endedMs: Date.now() };
    const { every_sec: everySec } = this.#host.config.slow;
    if (busy && !evenBusy) this.#arm(backoffMs(this.#busy, this.#options.soonMs ?? SOON_MS, everySec * 1000));
    this.#busy = busy ? this.#busy + 1 : 0;
    // The earlier result stays where this one was ended, failed, or was made during an installation.
    const failed = scan.trouble !== '' && this.#latest !== null && this.#latest.trouble === '';
    if ((busy && !evenBusy) || failed || signal.aborted) return scan;
    this.#latest = scan;
    // What could not be compared says nothing of what is known.
    if (scan.trouble === '') {
      this.#kept.write(scan, seals, this.#seals);
      this.#seals = seals;
    }
    this.#arm(everySec * 1000);
    if (this.#host.role === 'service') await this.#host.rescan(CHECKS);
    return scan;
  }
}
