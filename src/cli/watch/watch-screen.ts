/** The view on a terminal: what the service answers is painted, keys change what is shown and asked for. */
import { once } from 'node:events';
import type { Terminal } from '../../base/terminal.ts';
import { type Connect, Feed } from './feed.ts';
import { Painter } from './painter.ts';
import { Tty } from './tty.ts';
import { Ui } from './ui.ts';

/** Ages are shown in seconds. */
const TICK_MS = 1000;

/** Resolves when the user quits. @throws Failure when the service does not answer the first time */
export async function watchScreen(out: Terminal, connect: Connect, everyMs: number): Promise<void> {
  const ended = new AbortController();
  const feed = new Feed(connect, everyMs, () => paint());
  const ui = new Ui(() => feed.known, everyMs);
  const painter = new Painter(out.coloured);
  const paint = (): void => {
    if (ended.signal.aborted) return;
    const { columns, rows } = out.size;
    const text = painter.paint(ui.draw(out.size, performance.now()), columns, rows);
    if (text !== '') out.control(text);
  };
  const whole = (): void => {
    painter.forget();
    paint();
  };
  const tty = new Tty(out, {
    whole,
    events(events) {
      for (const event of events) {
        const effect = ui.handle(event);
        if (effect === 'quit') return ended.abort();
        if (effect === 'suspend') tty.suspend();
        if (effect === 'redraw') painter.forget();
        if (effect === 'again') feed.again();
      }
      feed.want(...ui.wanted);
      paint();
    },
  });
  await feed.first();
  const clock = setInterval(paint, TICK_MS);
  try {
    tty.open();
    feed.want(...ui.wanted);
    paint();
    await once(ended.signal, 'abort');
  } finally {
    clearInterval(clock);
    feed.close();
    tty.close();
  }
}
