/** The conversation of a tab with the hostess: what was asked and answered, and the question that is being answered. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Consult, Think } from '../records/talk.ts';
import { refusalText, useDesk } from './desk-context.ts';

export interface Exchange {
  readonly question: string;
  /** Null when it was refused, and until it is there. */
  readonly answer: Think | Consult | null;
  /** The assistant is being asked. */
  readonly asking?: boolean;
  /** Why the answer, or that of the assistant, is missing; "" when nothing is missing. */
  readonly refusal: string;
}

/** Kept for as long as the tab lives: a link to a value leads away and back. */
const KEY = 'desk.talk';
const MOST = 20;

/** The exchanges of this tab, oldest first; none where the storage cannot be used. */
function keptTalk(): readonly Exchange[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Exchange[]) : [];
  } catch {
    return [];
  }
}

/** Keeps the newest and returns them. */
function keepTalk(all: readonly Exchange[]): readonly Exchange[] {
  const kept = all.slice(-MOST);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage a reload loses the conversation, nothing else.
  }
  return kept;
}

const STOPPED = 'You stopped waiting for the assistant.';
const BROKEN = 'The service stopped answering while the assistant was asked. Ask again.';

/** `talk`: oldest first. `ask`: false without an answer or while one is awaited. `stop`: waits for the assistant no longer. */
export function useTalk() {
  const { actions } = useDesk();
  const [talk, setTalk] = useState<readonly Exchange[]>([]);
  const [now, setNow] = useState<Exchange | null>(null);
  const waiting = useRef<AbortController | null>(null);
  useEffect(() => {
    setTalk(keptTalk());
    return () => waiting.current?.abort();
  }, []);

  const ask = async (message: string, assisted: boolean): Promise<boolean> => {
    if (actions === null || waiting.current !== null) return false;
    const abort = new AbortController();
    waiting.current = abort;
    let exchange: Exchange = { question: message, answer: null, refusal: '' };
    const show = (more: Partial<Exchange>): void => {
      exchange = { ...exchange, ...more };
      setNow(exchange);
    };
    show({});
    try {
      const previous = talk.at(-1)?.answer?.query ?? null;
      if (!assisted) show({ answer: await actions.post('/h7/think', { message, previous }, abort.signal) });
      else {
        let whole = false;
        const body = { message, previous, with_assistant: true };
        await actions.converse('/h7/consult', body, abort.signal, ({ event, data }) => {
          if (event === 'hostess') show({ answer: JSON.parse(data) as Think, asking: true });
          else if (event === 'done') {
            whole = true;
            show({ answer: JSON.parse(data) as Consult });
          }
        });
        if (!whole) throw new Error(BROKEN);
      }
    } catch (error) {
      show({ refusal: abort.signal.aborted ? STOPPED : refusalText(error) });
    }
    const { asking: _, ...ended } = exchange;
    waiting.current = null;
    setNow(null);
    // Appended to the current list: it may have been cleared meanwhile.
    setTalk((before) => keepTalk([...before, ended]));
    return ended.answer !== null;
  };
  return { talk, now, ask, stop: () => waiting.current?.abort(), forget: () => setTalk(keepTalk([])) };
}
