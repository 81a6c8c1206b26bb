/** The talk of a tab: what was asked and answered, and the question that is being answered. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Consult, Think } from '../records/talk.ts';
import { refusalText, useDesk } from './desk-context.ts';
import { type Exchange, keepTalk, keptTalk } from './talk-history.ts';

const STOPPED = 'You did not wait for the assistant. What it had said was neither whole nor checked.';
const BROKEN =
  'The service went away while the assistant spoke. What it had said was neither whole nor checked; ask again.';

export interface Talking {
  /** Oldest first. */
  readonly talk: readonly Exchange[];
  /** What is being answered. */
  readonly now: Exchange | null;
  /** Asks, with the assistant or without. False when nothing answered. Not while one is being answered. */
  ask(message: string, assisted: boolean): Promise<boolean>;
  /** Waits for the assistant no longer: her answer stays. */
  stop(): void;
  forget(): void;
}

export function useTalk(): Talking {
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
      if (!assisted) show({ answer: await actions.post('/h7/think', { message }, abort.signal) });
      else {
        let whole = false;
        const body = { message, with_assistant: true };
        await actions.converse('/h7/consult', body, abort.signal, ({ event, data }) => {
          if (event === 'hostess') show({ answer: JSON.parse(data) as Think, heard: '' });
          else if (event === 'assistant')
            show({ heard: (exchange.heard ?? '') + (JSON.parse(data) as { readonly delta: string }).delta });
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
    const { heard: _, ...told } = exchange;
    waiting.current = null;
    setNow(null);
    // Beside what stands there by then: it may have been forgotten while she looked.
    setTalk((before) => keepTalk([...before, told]));
    return told.answer !== null;
  };
  return { talk, now, ask, stop: () => waiting.current?.abort(), forget: () => setTalk(keepTalk([])) };
}
