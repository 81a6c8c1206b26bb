/**
 * A helper whose failures count against a process only while it can inspect the desk itself. Otherwise another program in its place,
 * or one of another version, would make every process of the machine look as if it blocked its readers.
 */
import { startOf } from '../../privileges/born.ts';
import type { Answer, Asked } from './helper.ts';

const MOST_PROOFS = 2;
/** Ended by another process: says nothing about the program. */
const ENDED_FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM']);

/** `self`: start of this process, clock ticks after boot. */
export function proven(helper: Asked, self = () => startOf('self') ?? ''): Asked {
  /** Why a fresh helper cannot inspect the desk itself, "" when it can. */
  const fault = async (): Promise<string> => {
    let why = '';
    for (let proof = 0; proof < MOST_PROOFS; proof++) {
      const answer = await helper.ask(process.pid, self());
      if (answer.kind === 'unavailable') return answer.reason;
      // Gone: a /proc of other pids than ours, and yet an answer.
      if (answer.kind === 'facts' || answer.kind === 'gone') return '';
      if (answer.kind === 'broken' && ENDED_FROM_OUTSIDE.has(answer.reason)) return '';
      why = answer.kind === 'broken' ? answer.reason : 'no answer';
    }
    return `it cannot inspect the desk itself: ${why}`;
  };
  return {
    start: () => helper.start(),
    close: () => helper.close(),
    ask: async (pid, start): Promise<Answer> => {
      const answer = await helper.ask(pid, start);
      if (answer.kind !== 'hung' && answer.kind !== 'broken') return answer;
      const reason = await fault();
      return reason === '' ? answer : { kind: 'unavailable', reason };
    },
  };
}
