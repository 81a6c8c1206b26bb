/** A record that costs the machine much to read: read once when its part of the page is first seen, and again only on request. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnswerAt, GetPath, InputAt } from '../features/paths.ts';
import { refusalText, useDesk } from './desk-context.ts';
import { useInSight, useShown } from './record-reader.ts';

interface AskedRecord<R, I> {
  /** Null until it was read; while it is read again, the last one stays. */
  readonly record: R | null;
  /** Why it could not be read the last time; "" when it was. */
  readonly trouble: string;
  readonly busy: boolean;
  ask(input: I): void;
}

export function useAsked<P extends GetPath>(
  path: P,
  first: InputAt<'GET', P>,
  element: RefObject<Element | null>,
  /** What the page has of it already, null where that is nothing; without it, it is read first. */
  known?: AnswerAt<'GET', P> | null,
): AskedRecord<AnswerAt<'GET', P>, InputAt<'GET', P>> {
  const { actions } = useDesk();
  const [read, keep] = useState<{ record: AnswerAt<'GET', P> | null; trouble: string }>({
    record: known ?? null,
    trouble: '',
  });
  const [busy, setBusy] = useState(false);
  const asked = useRef<AbortController | null>(null);
  const ask = async (input: InputAt<'GET', P>): Promise<void> => {
    if (actions === null) return;
    asked.current?.abort();
    const mine = new AbortController();
    asked.current = mine;
    setBusy(true);
    try {
      const record = await actions.get(path, input, mine.signal);
      if (mine.signal.aborted) return;
      keep({ record, trouble: '' });
    } catch (error) {
      if (mine.signal.aborted) return;
      keep(({ record }) => ({ record, trouble: refusalText(error) }));
    }
    setBusy(false);
  };
  const inSight = useInSight(element);
  const wanted = useShown() && inSight && actions !== null;
  useEffect(() => {
    if (wanted && known === undefined && asked.current === null) void ask(first);
  }, [wanted]);
  useEffect(() => () => asked.current?.abort(), []);
  return { ...read, busy, ask: (input) => void ask(input) };
}
