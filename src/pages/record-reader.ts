/** Records that a part of the page reads for itself while it is visible: those of tables, and the history that the charts share. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GetPathOf } from '../features/paths.ts';
import type { History } from '../records/history.ts';
import { type DeskActions, refusalText, useDesk } from './desk-context.ts';
import { continued, HOLDS_SEC, pointOf, type Span } from './series.ts';

/** Whether the tab is visible; false on the server and in the first drawing. */
export function useShown(): boolean {
  const [shown, show] = useState(false);
  useEffect(() => {
    const update = () => show(document.visibilityState === 'visible');
    update();
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return shown;
}

/** Whether an element is in the viewport, or nearly. */
export function useInSight(element: RefObject<Element | null>): boolean {
  const [inSight, see] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const watch = new IntersectionObserver((entries) => see(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '400px',
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [element]);
  return inSight;
}

interface Read<T> {
  /** Null until it was read. While another one is read the last one stays, so that nothing flickers. */
  readonly record: T | null;
  /** Why it could not be read the last time; "" when it was. */
  readonly trouble: string;
}

interface Reading<T> {
  /** What is read; another one is read at once. */
  readonly key: string;
  readonly wanted: boolean;
  /** Milliseconds until the next reading; 0 or less: now. */
  dueMs(): number;
  /** Null when there is nothing new. */
  read(actions: DeskActions, abort: AbortSignal): Promise<T | null>;
  /** Shortest and, after a refusal, next wait. */
  readonly leastMs: number;
  readonly againMs: number;
}

/** Reads again and again while it is wanted and the tab is visible. */
function useReading<T>(reading: Reading<T>): [Read<T>, (change: (record: T) => T) => void] {
  const { actions } = useDesk();
  const [read, keep] = useState<Read<T>>({ record: null, trouble: '' });
  const newest = useRef({ ...reading, actions });
  newest.current = { ...reading, actions };
  const refusedUntil = useRef(0);
  const wanted = useShown() && reading.wanted && actions !== null;
  useEffect(() => {
    if (!wanted) return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const next = (waitMs: number) => {
      timer = setTimeout(() => void readNow(), Math.max(0, waitMs));
    };
    const readNow = async () => {
      const { actions, againMs, leastMs } = newest.current;
      try {
        const record = await newest.current.read(actions as DeskActions, ended.signal);
        if (ended.signal.aborted) return;
        if (record !== null) keep({ record, trouble: '' });
        next(Math.max(leastMs, newest.current.dueMs()));
      } catch (error) {
        if (ended.signal.aborted) return;
        keep(({ record }) => ({ record, trouble: refusalText(error) }));
        refusedUntil.current = performance.now() + againMs;
        next(againMs);
      }
    };
    // Hiding and showing the tab does not shorten the wait after a refusal.
    next(Math.max(newest.current.dueMs(), refusedUntil.current - performance.now()));
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [wanted, reading.key]);
  return [
    read,
    (change) => keep((now) => (now.record === null ? now : { ...now, record: change(now.record) })),
  ];
}

/** Shortest time between two readings of a table, how often a change is noticed, and the wait after a refusal. */
const EVERY_MS = 2_000;
const NOTICE_MS = 500;
const AGAIN_MS = 5_000;

/** Reads `path` when `element` comes into sight, and again, at most every two seconds, while the generation moves on. */
export function useRecord<T extends { readonly generation: number }>(
  path: GetPathOf<T>,
  element: RefObject<Element | null>,
): Read<T> {
  const { page, live } = useDesk();
  const generation = Math.max(live?.generation ?? 0, page.generation);
  const known = useRef({ generation: -1, notBefore: 0 });
  const [read] = useReading<T>({
    key: path,
    wanted: useInSight(element),
    dueMs: () => known.current.notBefore - performance.now(),
    read: async (actions, abort) => {
      if (known.current.generation === generation) return null;
      const record = (await actions.get(path, {} as never, abort)) as unknown as T;
      if (!abort.aborted)
        known.current = { generation: record.generation, notBefore: performance.now() + EVERY_MS };
      return record;
    },
    leastMs: NOTICE_MS,
    againMs: AGAIN_MS,
  });
  return read;
}

/** After a history that could not be read. */
const HISTORY_AGAIN_MS = 10_000;

/** Reads the history of `span`, again when its answer is outdated or the link was lost; what comes live continues it. */
export function useHistory(span: Span): Read<History> {
  const { page, live, link } = useDesk();
  const readAt = useRef<Partial<Record<Span, number>>>({});
  const lost = link === 'disconnected';
  useEffect(() => {
    // What happened meanwhile did not arrive here.
    if (lost) readAt.current = {};
  }, [lost]);
  const [read, change] = useReading<History>({
    key: span,
    wanted: !lost,
    dueMs: () => {
      const before = readAt.current[span];
      return before === undefined ? 0 : before + HOLDS_SEC[span] * 1000 - performance.now();
    },
    read: async (actions, abort) => {
      const history = await actions.get('/h7/history', { span }, abort);
      if (!abort.aborted) readAt.current = { [span]: performance.now() };
      return history;
    },
    leastMs: 0,
    againMs: HISTORY_AGAIN_MS,
  });
  useEffect(() => {
    if (live !== null) change((history) => continued(history, pointOf(page, live)));
  }, [live]);
  return read;
}
