/**
 * Decodes `text/event-stream` (HTML Living Standard, section 9.2.6) as far as chats and the command use it: events of a name and data;
 * ids and retry times are passed over. Text may come in any pieces; what no blank line has ended is no event.
 */

export interface StreamEvent {
  /** "message" where none is named. */
  readonly event: string;
  readonly data: string;
}

/** A line that ends nowhere is kept to this many characters, and the stream is broken past it. */
const LONGEST_LINE = 1 << 16;

export class EventStream {
  readonly #told: (event: StreamEvent) => void;
  #rest = '';
  #event = '';
  #data: string[] = [];
  #began = false;

  constructor(told: (event: StreamEvent) => void) {
    this.#told = told;
  }

  /** False when a line is too long to be one: nothing more should be given. */
  take(text: string): boolean {
    let all = this.#rest + text;
    // What is kept has no end of a line in it, but for a CR at its own end.
    let look = Math.max(0, this.#rest.length - 1);
    if (!this.#began && all !== '') {
      this.#began = true;
      if (all.startsWith('\ufeff')) all = all.slice(1);
      look = 0;
    }
    let from = 0;
    for (;;) {
      const end = lineEnd(all, look);
      if (end === null) break;
      this.#line(all.slice(from, end.at));
      from = end.next;
      look = from;
    }
    this.#rest = all.slice(from);
    return this.#rest.length <= LONGEST_LINE;
  }

  #line(line: string): void {
    if (line === '') {
      if (this.#data.length > 0) this.#told({ event: this.#event || 'message', data: this.#data.join('\n') });
      this.#event = '';
      this.#data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
  }
}

/** LF, CR and CR LF end a line. A CR at the very end may be half of one, so it waits for what follows. */
function lineEnd(text: string, from: number): { readonly at: number; readonly next: number } | null {
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '\n') return { at, next: at + 1 };
    if (character !== '\r') continue;
    if (at + 1 === text.length) return null;
    return { at, next: text[at + 1] === '\n' ? at + 2 : at + 1 };
  }
  return null;
}
