/** The event stream of `/h7/live` while the tab leads. By fetch: refusals can be shown, the last id survives (HTML Standard, 9.2). */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { GetPath } from '../../features/paths.ts';
import type { Live } from '../../records/live.ts';
import { APART_MS, HANGS_MS, waitMs } from './again.ts';
import { authorization } from './ask.ts';

/**
 * Marks of the User Timing API for the way from an event to the page record, to be seen in a browser's own tools (docs/live.md). Only
 * the newest of each name is kept: a tab may be open for weeks. `desk:event`: name, `generation`, `ts`, `age_ms` and `listener` of
 * an event; `desk:page-asked`; `desk:page-received`: `generation` and `ts` of the page record.
 */
export function mark(
  name: 'desk:event' | 'desk:page-asked' | 'desk:page-received',
  detail: Readonly<Record<string, unknown>> = {},
): void {
  performance.clearMarks(name);
  performance.mark(name, { detail });
}

interface StreamEvents {
  /** The service has taken the request; events will come. */
  opened(): void;
  snapshot(live: Live): void;
  /** A finding, scar or port event: more than figures has changed. */
  changed(): void;
  /** The stream ended or was refused; it is tried again. `reason` is for people. */
  lost(reason: string): void;
}

/** The service sends a snapshot each second and a heartbeat each 15 s: a stream silent for longer is dead. */
const SILENT_MS = 20_000;

/** Its message is for people. */
class Refused extends Error {
  override readonly name = 'Refused';
}

const STRANGER =
  'What answers at this address is not the event stream of the desk. What is shown is old; trying again.';

/** Reads the stream until `signal` ends it, over every loss. The returned function tries again now, where it would wait. */
export function follow(events: StreamEvents, signal: AbortSignal, path: GetPath = '/h7/live'): () => void {
  let lastId = '';
  let failed = 0;
  let lostAt: number | null = null;
  let triedAt = 0;
  /** Ends a wait, or a try that hangs; nothing while the stream is open. */
  let hurried = (): void => undefined;
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        hurried = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      hurried = () => performance.now() - triedAt >= APART_MS && end();
    });

  const onEvent = ({ id, event, data }: EventSourceMessage) => {
    if (id !== undefined) lastId = id;
    const live = liveIn(data);
    failed = 0;
    lostAt = null;
    const { generation, ts, age_ms, listener } = live;
    mark('desk:event', { event, generation, ts, age_ms, listener });
    if (event === 'snapshot') events.snapshot(live);
    else events.changed();
  };

  const read = async (): Promise<void> => {
    const once = new AbortController();
    const end = () => once.abort();
    signal.addEventListener('abort', end);
    let silence = setTimeout(end, SILENT_MS);
    triedAt = performance.now();
    hurried = () => performance.now() - triedAt >= HANGS_MS && end();
    try {
      const answer = await fetch(path, {
        headers: {
          Accept: 'text/event-stream',
          ...authorization(),
          ...(lastId !== '' && { 'Last-Event-ID': lastId }),
        },
        signal: once.signal,
      });
      if (!answer.ok || answer.body === null) throw new Refused(await reasonOf(answer));
      if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) throw new Refused(STRANGER);
      hurried = () => undefined;
      events.opened();
      const parser = createParser({ onEvent });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(silence);
        silence = setTimeout(end, SILENT_MS);
        parser.feed(part.value);
      }
      events.lost('The service ended the event stream. Trying again.');
    } catch (error) {
      if (signal.aborted) return;
      const text = 'The service does not answer. What is shown is old; trying again.';
      events.lost(error instanceof Refused ? error.message : text);
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
      // One that failed while it was read must not stay open beside the next.
      end();
    }
  };

  const keepReading = async (): Promise<void> => {
    for (;;) {
      await read();
      if (signal.aborted) return;
      lostAt ??= performance.now();
      await wait(waitMs(failed, performance.now() - lostAt, Math.random()));
      failed += 1;
    }
  };
  void keepReading();
  return () => {
    // The tab is visible: a service that has been gone for long is asked as often as at first.
    failed = 0;
    if (lostAt !== null) lostAt = performance.now();
    hurried();
  };
}

function liveIn(data: string): Live & { readonly listener?: string } {
  try {
    return JSON.parse(data);
  } catch {
    throw new Refused(STRANGER);
  }
}

async function reasonOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => null)) as { readonly detail?: string } | null;
  return `The service refused the event stream (${answer.status}). ${body?.detail ?? ''} Trying again.`;
}
