/**
 * The event stream of `/h7/live`, held for as long as the tab leads: read with fetch, so that a refusal can be told and the last
 * id survives it (HTML Living Standard, section 9.2).
 */
import { createParser } from 'eventsource-parser';
import type { Live } from '../records/live.ts';
import { mark } from './marks.ts';

export interface StreamEvents {
  /** Events arrive. */
  opened(): void;
  snapshot(live: Live): void;
  /** A finding, scar or port event: something else than figures has changed. */
  changed(): void;
  /** The stream ended or was refused; it is tried again by itself. `reason` for people. */
  lost(reason: string): void;
}

/** Waits between tries, ms: doubled each time, and spread so that many tabs do not come at once. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The service tells a snapshot each second and a heartbeat each 15 s: a stream silent for longer is dead. */
const SILENT_MS = 20_000;

/** Reads the stream for as long as the tab lives, over every loss. */
export async function follow(events: StreamEvents): Promise<never> {
  let lastId = '';
  let wait = FIRST_WAIT_MS;
  for (;;) {
    const once = new AbortController();
    const end = () => once.abort();
    let silence = setTimeout(end, SILENT_MS);
    try {
      const answer = await fetch('/h7/live', {
        headers: { Accept: 'text/event-stream', ...(lastId !== '' && { 'Last-Event-ID': lastId }) },
        signal: once.signal,
      });
      if (!answer.ok || answer.body === null) throw new Error(await reasonOf(answer));
      events.opened();
      wait = FIRST_WAIT_MS;
      const parser = createParser({
        onEvent: ({ id, event, data }) => {
          if (id !== undefined) lastId = id;
          const told = JSON.parse(data) as Live & { readonly listener?: string };
          const { generation, ts, age_ms, listener } = told;
          mark('desk:event', { event, generation, ts, age_ms, listener });
          if (event === 'snapshot') events.snapshot(told);
          else events.changed();
        },
      });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(silence);
        silence = setTimeout(end, SILENT_MS);
        parser.feed(value);
      }
      events.lost('The service ended the event stream. Asking again.');
    } catch (error) {
      const refused =
        error instanceof Error && !(error instanceof TypeError) && !(error instanceof DOMException);
      events.lost(
        refused ? error.message : 'The service does not answer. What is shown is old; asking again.',
      );
    } finally {
      clearTimeout(silence);
      // One that failed while it was read must not stay open beside the next.
      end();
    }
    const spreadMs = wait * (0.75 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, spreadMs));
    wait = Math.min(LONGEST_WAIT_MS, wait * 2);
  }
}

async function reasonOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => null)) as { readonly detail?: string } | null;
  return `The service refused the event stream (${answer.status}). ${body?.detail ?? ''} Asking again.`;
}
