/** Reads the state of the machine when it is asked for, and in the service every 30 s. */
import { concernKey, concernsOf, lastingConcerns, type VitalFacts } from '../../checks/vitals.ts';
import { containerFiles } from '../../desk/container-files.ts';
import type { FeatureHost, Running } from '../../desk/feature.ts';
import { VITALS } from '../../desk/vitals.ts';
import { isRefusal, type Refusal } from '../../engine/native/types.ts';
import type { LastLogin } from '../../engine/native/vitals-types.ts';
import { Reading } from '../../engine/reading.ts';
import { containerView } from '../../privileges/container.ts';
import type { VitalsFacts } from '../../records/vitals.ts';
import { LAW } from '../law/api.ts';
import { VitalsReader } from './reader.ts';
import { SlowProcesses } from './slow.ts';

/** A reading this young answers a question. */
const YOUNG_MS = 5_000;
/** One this old is not the one before: the service was stopped, or is a command. */
const BEFORE_MS = 120_000;
/** The first shares and rates are of this time. */
const FIRST_MS = 500;
/** The check that judges by it. */
const CHECKS = ['vital-sign'];
const WTMP = '/var/log/wtmp';

type Host = Pick<FeatureHost, 'native' | 'provide' | 'role' | 'rescan' | 'use'>;
type Both = readonly [VitalFacts, VitalFacts];

/** For tests. */
interface Options {
  readonly reader?: Pick<VitalsReader, 'read'>;
  readonly wtmp?: string;
  readonly firstMs?: number;
  readonly youngMs?: number;
}

export class DeskVitals implements Running {
  readonly #host: Host;
  readonly #reader: Pick<VitalsReader, 'read'>;
  readonly #logins: Reading<readonly LastLogin[] | Refusal>;
  readonly #slow = new SlowProcesses();
  readonly #options: Options;
  #before: VitalFacts | null = null;
  #latest: VitalsFacts | null = null;
  #running: Promise<VitalsFacts> | null = null;
  /** Concerns that the check has been run for. */
  #judged = '';
  #stopped = false;

  constructor(host: Host, options: Options = {}) {
    this.#host = host;
    this.#options = options;
    const { native } = host;
    const container = containerFiles(containerView());
    this.#reader = options.reader ?? new VitalsReader({ native, container });
    this.#logins = new Reading({ read: () => native.lastLogins(options.wtmp ?? WTMP), everyMs: 0 });
    host.provide(VITALS, {
      read: () => this.#read(),
      both: () => this.#both(),
      logins: () => this.#lastLogins(),
      slow: (by, intervalMs, limit) => this.#slow.read(by, intervalMs, limit),
      used: (...asked) => this.#slow.used(...asked),
    });
  }

  async refresh(): Promise<void> {
    if (this.#host.role !== 'service' || this.#stopped) return;
    await this.#take();
    const [before, now] = [this.#before, this.#latest];
    if (before === null || now === null) return;
    const lasting = lastingConcerns([before, now.facts], this.#law()).map(concernKey).join('\n');
    const unread = now.facts.missing.map(({ what, kind }) => `${what} ${kind}`).join('\n');
    const news = `${lasting}\n\n${unread}`;
    if (news === this.#judged || this.#stopped) return;
    this.#judged = news;
    await this.#host.rescan(CHECKS);
  }

  facts() {
    return { vitals: this.#latest };
  }

  stop(): void {
    this.#stopped = true;
  }

  #law() {
    return this.#host.use(LAW).current();
  }

  #ageMs(): number {
    return this.#latest === null ? Number.POSITIVE_INFINITY : Date.now() - this.#latest.facts.readMs;
  }

  /** Callers at the same time share a reading. */
  async #read(): Promise<VitalsFacts> {
    const age = this.#ageMs();
    if (
      this.#latest !== null &&
      this.#before !== null &&
      age >= 0 &&
      age < (this.#options.youngMs ?? YOUNG_MS)
    )
      return this.#latest;
    if (this.#latest === null || age > BEFORE_MS) await this.#first();
    return this.#take(true);
  }

  async #both(): Promise<Both> {
    const age = this.#ageMs();
    if (this.#before === null || age < 0 || age > BEFORE_MS) {
      await this.#first();
      await this.#take();
    }
    const [before, now] = [this.#before, this.#latest];
    if (before === null || now === null) throw new Error('a reading has no other one before it');
    return [before, now.facts];
  }

  async #first(): Promise<void> {
    await this.#take();
    await new Promise((resolve) => setTimeout(resolve, this.#options.firstMs ?? FIRST_MS));
  }

  #take(again = false): Promise<VitalsFacts> {
    this.#running ??= this.#reader
      .read(again)
      .then((facts) => {
        this.#before = this.#latest?.facts ?? null;
        this.#latest = { facts, concerns: concernsOf(facts, this.#law()) };
        return this.#latest;
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  async #lastLogins(): Promise<readonly LastLogin[] | string> {
    const path = this.#options.wtmp ?? WTMP;
    const read = await this.#logins.take(undefined, true);
    if (read === null) return `${path} does not answer`;
    if (!isRefusal(read.value)) return read.value;
    return read.value.code === 'ENOENT'
      ? `there is no ${path}: last logins are not recorded there`
      : `${path}: ${read.value.code}`;
  }
}
