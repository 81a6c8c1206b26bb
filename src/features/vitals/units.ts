/** Failed units of systemd, at most every five minutes: only its manager knows them, and a program asks it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { UnitFacts } from '../../checks/vitals.ts';
import type { Gathered } from './files.ts';
import { failedUnitsIn } from './parsers.ts';

const EVERY_MS = 300_000;
const PATIENCE_MS = 5000;
const MOST_BYTES = 1 << 20;

/** For tests. */
interface Options {
  readonly program?: string;
  readonly everyMs?: number;
  readonly patienceMs?: number;
}

type Answer = readonly UnitFacts[] | string;

/** Without the environment of the service: no pager, no other address of the manager. */
const ask = (program: string, timeout: number): Promise<Answer> =>
  new Promise((resolve) => {
    const words = ['list-units', '--failed', '--all', '--no-pager', '--output=json'];
    const options = { timeout, killSignal: 'SIGKILL', maxBuffer: MOST_BYTES, env: {}, cwd: '/' } as const;
    execFile(program, words, options, (error, stdout) => {
      if (error !== null)
        return resolve(
          error.killed === true
            ? 'systemctl did not answer in time'
            : `systemctl failed: ${error.code ?? error.signal}`,
        );
      resolve(failedUnitsIn(stdout) ?? 'systemctl answered in a format that this version does not know');
    });
  });

export class FailedUnits {
  readonly #options: Required<Options>;
  #last: { readonly atMs: number; readonly answer: Answer } | null = null;
  #running: Promise<void> | null = null;

  constructor({
    program = '/usr/bin/systemctl',
    everyMs = EVERY_MS,
    patienceMs = PATIENCE_MS,
  }: Options = {}) {
    this.#options = { program, everyMs, patienceMs };
  }

  /** `again`: asks now, whenever it asked last. */
  async read(gathered: Gathered, again = false): Promise<readonly UnitFacts[] | null> {
    // sd_booted(3).
    if (!existsSync(gathered.path('/run/systemd/system')))
      return gathered.absent('failed_units', 'systemd does not run this machine');
    const { program, everyMs, patienceMs } = this.#options;
    if (again || this.#last === null || performance.now() - this.#last.atMs >= everyMs)
      await this.#asked(program, patienceMs);
    const answer = this.#last?.answer ?? 'systemctl was not asked';
    return typeof answer === 'string' ? gathered.unread('failed_units', answer) : answer;
  }

  #asked(program: string, patienceMs: number): Promise<void> {
    this.#running ??= this.#ask(program, patienceMs).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #ask(program: string, patienceMs: number): Promise<void> {
    const atMs = performance.now();
    this.#last = { atMs, answer: await ask(program, patienceMs) };
  }
}
