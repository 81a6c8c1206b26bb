/** A record that is read while it is looked at, and again when it has changed. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GetPathOf } from '../operations/paths.ts';
import { refusalText, useDesk } from './desk-context.ts';
import { useInSight, useShown } from './in-sight.ts';

/** Shortest time between two readings. */
const EVERY_MS = 2_000;
/** After a refusal. */
const AGAIN_MS = 5_000;

interface Read<T> {
  /** Null until it was read. */
  readonly record: T | null;
  /** Why it could not be read the last time; "" when it was. */
  readonly trouble: string;
}

/** Reads `path` when `element` comes into sight, and again, at most every two seconds, while the generation moves on. */
export function useRecord<T extends { readonly generation: number }>(
  path: GetPathOf<T>,
  element: RefObject<Element | null>,
): Read<T> {
  const { page, live, actions } = useDesk();
  const [read, keep] = useState<Read<T>>({ record: null, trouble: '' });
  const inSight = useInSight(element);
  const shown = useShown();
  const wanted = inSight && shown && actions !== null;
  const generation = Math.max(live?.generation ?? 0, page.generation);
  const newest = useRef(generation);
  newest.current = generation;
  const desk = useRef(actions);
  desk.current = actions;
  const known = useRef<{ generation: number; notBefore: number }>({ generation: -1, notBefore: 0 });

  useEffect(() => {
    if (!wanted) return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      timer = undefined;
      let waitMs = EVERY_MS;
      if (known.current.generation !== newest.current) {
        try {
          const record = (await desk.current?.get(path, {} as never, ended.signal)) as T | undefined;
          if (ended.signal.aborted || record === undefined) return;
          known.current.generation = record.generation;
          keep({ record, trouble: '' });
        } catch (error) {
          if (ended.signal.aborted) return;
          waitMs = AGAIN_MS;
          keep(({ record }) => ({ record, trouble: refusalText(error) }));
        }
        known.current.notBefore = performance.now() + waitMs;
      }
      timer = setTimeout(look, Math.max(EVERY_MS / 4, known.current.notBefore - performance.now()));
    };
    timer = setTimeout(look, Math.max(0, known.current.notBefore - performance.now()));
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [wanted, path]);
  return read;
}
