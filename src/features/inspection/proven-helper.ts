/**
 * A helper whose failures count against a process only while it can tell about the desk itself. Another program in its place,
 * or one of another version, would make every process of the machine look as if it blocked its readers.
 */
import { readFileSync } from 'node:fs';
import type { Answer, Asked } from './helper.ts';

/** So often it is asked about the desk before it is given up. */
const MOST_PROOFS = 2;
/** Whoever ends it from outside says nothing about the program. */
const ENDED_FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM']);

export class ProvenHelper implements Asked {
  readonly #helper: Asked;
  readonly #self: () => string;

  /** `self`: start of this process, clock ticks after boot (proc_pid_stat(5)). */
  constructor(helper: Asked, self: () => string = ownStart) {
    this.#helper = helper;
    this.#self = self;
  }

  start(): void {
    this.#helper.start();
  }

  close(): Promise<void> {
    return this.#helper.close();
  }

  async ask(pid: number, start: string): Promise<Answer> {
    const answer = await this.#helper.ask(pid, start);
    if (answer.kind !== 'wedged' && answer.kind !== 'broken') return answer;
    const fault = await this.#fault();
    return fault === '' ? answer : { kind: 'unavailable', reason: fault };
  }

  /** Why a fresh helper cannot tell about the desk itself, "" when it can. */
  async #fault(): Promise<string> {
    let fault = '';
    for (let proof = 0; proof < MOST_PROOFS; proof++) {
      const answer = await this.#helper.ask(process.pid, this.#self());
      if (answer.kind === 'unavailable') return answer.reason;
      // Gone: a /proc of other pids than ours, and yet an answer.
      if (answer.kind === 'facts' || answer.kind === 'gone') return '';
      if (answer.kind === 'broken' && ENDED_FROM_OUTSIDE.has(answer.reason)) return '';
      fault = answer.kind === 'broken' ? answer.reason : 'no answer';
    }
    return `it cannot tell about the desk itself: ${fault}`;
  }
}

function ownStart(): string {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
