/** The event stream of `/h7/live` as a client reads it (HTML Living Standard, section 9.2). */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

export interface LiveEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an event holds is looked into by who waits for it
  readonly data: any;
}

/** Whole events of a text and what is left of it for the next piece. Pure. */
export function eventsOf(text: string): { readonly events: LiveEvent[]; readonly rest: string } {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks.flatMap((block): LiveEvent[] => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const [event, data] = [field('event'), field('data')];
    return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }];
  });
  return { events, rest };
}

export interface Live extends Disposable {
  /**
   * Time of the first event that `wanted` accepts, CLOCK_MONOTONIC in ns; checks events from now on.
   * @throws Error with `what` when none has come within `withinMs`, or the stream ends
   */
  next(wanted: (event: LiveEvent) => boolean, what: string, withinMs: number): Promise<bigint>;
}

/** Opens the stream of a service; resolves when it has started. */
export async function openLive(port: number): Promise<Live> {
  const asked = get({
    host: '127.0.0.1',
    port,
    path: '/h7/live',
    agent: false,
    headers: { accept: 'text/event-stream' },
  });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the event stream answers ${response.statusCode}`);
  const waiting = new Set<{ take(events: readonly LiveEvent[], at: bigint): void; end(): void }>();
  let pending = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const at = process.hrtime.bigint();
    const { events, rest } = eventsOf(pending + text);
    pending = rest;
    for (const one of waiting) one.take(events, at);
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    for (const one of waiting) one.end();
  });
  return {
    next: (wanted, what, withinMs) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          clearTimeout(timer);
          waiting.delete(one);
          settle();
        };
        const fail = (why: string) => finish(() => reject(new Error(`${what}: ${why}`)));
        const timer = setTimeout(() => fail(`no event within ${withinMs} ms`), withinMs);
        const one = {
          take: (events: readonly LiveEvent[], at: bigint) => {
            if (events.some(wanted)) finish(() => resolve(at));
          },
          end: () => fail('the event stream has ended'),
        };
        waiting.add(one);
      }),
    [Symbol.dispose]: () => asked.destroy(),
  };
}
