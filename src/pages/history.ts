/** The history that the charts of a page share: asked for once per span, continued by what comes live. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { History } from '../records/history.ts';
import { type DeskActions, refusalText, useDesk } from './desk-context.ts';
import { useShown } from './in-sight.ts';
import { continued, HOLDS_SEC, pointOf, type Span } from './series.ts';

/** Waits before a history that could not be read is asked for again. */
const AGAIN_MS = 10_000;

interface Held {
  /** Null until one was read. */
  readonly history: History | null;
  /** Why it could not be read; "" when it was. */
  readonly trouble: string;
}

/** Reads the history of `span` while the tab is looked at, again when its answer holds no more or the link was lost. */
export function useHistory(span: Span): Held {
  const { page, live, link, actions } = useDesk();
  const [held, hold] = useState<Held>({ history: null, trouble: '' });
  const shown = useShown();
  const ready = actions !== null && link !== 'disconnected';
  const asking = useRef<DeskActions | null>(null);
  asking.current = actions;
  const readAt = useRef<Partial<Record<Span, number>>>({});
  const lost = link === 'disconnected';

  useEffect(() => {
    // What came meanwhile was not heard here.
    if (lost) readAt.current = {};
  }, [lost]);

  useEffect(() => {
    if (!shown || !ready) return;
    const ended = new AbortController();
    let due: ReturnType<typeof setTimeout>;
    const read = async () => {
      let waitMs = HOLDS_SEC[span] * 1000;
      try {
        const history = await asking.current?.get('/h7/history', { span }, ended.signal);
        if (history === undefined || ended.signal.aborted) return;
        readAt.current = { [span]: performance.now() };
        hold({ history, trouble: '' });
      } catch (error) {
        if (ended.signal.aborted) return;
        waitMs = AGAIN_MS;
        hold(({ history }) => ({ history, trouble: refusalText(error) }));
      }
      due = setTimeout(read, waitMs);
    };
    const before = readAt.current[span];
    const leftMs = before === undefined ? 0 : before + HOLDS_SEC[span] * 1000 - performance.now();
    if (leftMs > 0) due = setTimeout(read, leftMs);
    else void read();
    return () => {
      ended.abort();
      clearTimeout(due);
    };
  }, [span, shown, ready]);

  useEffect(() => {
    if (live === null) return;
    hold((now) =>
      now.history === null ? now : { ...now, history: continued(now.history, pointOf(page, live)) },
    );
  }, [live]);

  // While another span is read the old one stays: nothing flickers.
  return held;
}
