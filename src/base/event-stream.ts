/** Reads `text/event-stream` (HTML Living Standard, section 9.2.6) with eventsource-parser, within bounds. */
import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  /** "message" where none is named. */
  readonly event: string;
  readonly data: string;
}

/** Characters of an event; a longer one breaks the stream. */
const LONGEST_EVENT = 1 << 16;
/** The parser scans for LF to the end of a piece at every CR: short pieces bound that. */
const PIECE = 4096;

/** Takes text in any pieces; false once an event is too long and reading stops. */
export function eventStream(onEvent: (event: StreamEvent) => void): (text: string) => boolean {
  let whole = true;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ event = 'message', data }) => onEvent({ event, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') whole = false;
    },
  });
  return (text) => {
    for (let at = 0; whole && at < text.length; at += PIECE) parser.feed(text.slice(at, at + PIECE));
    return whole;
  };
}
