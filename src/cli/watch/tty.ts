/**
 * The terminal as a whole screen: taken, and given back as it was however the process ends or stops. What no program can handle
 * (SIGKILL, a crash of native code) leaves it as it is: `reset` restores it then.
 */
import type { Terminal } from '../../base/terminal.ts';
import { exit } from '../../desk/failure.ts';
import { KeyDecoder, type TerminalEvent } from './keys.ts';

/** Alternate screen, hidden cursor, no wrapping at the edge, mouse buttons as SGR reports, pasted text in brackets. */
export const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?1000h\u001b[?1006h\u001b[?2004h';
/** All of it undone, and a synchronized update ended that was not finished. */
export const LEAVE =
  '\u001b[?2026l\u001b[m\u001b[?2004l\u001b[?1006l\u001b[?1000l\u001b[?7h\u001b[?25h\u001b[?1049l';

const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long after Escape the rest of a sequence may come, ms. */
const REST_MS = 50;

interface Handlers {
  readonly events: (events: readonly TerminalEvent[]) => void;
  /** The screen has to be painted as a whole: it has another size, or was taken again. */
  readonly whole: () => void;
}

export class Tty {
  readonly #out: Terminal;
  readonly #handlers: Handlers;
  readonly #decoder = new KeyDecoder();
  #taken = false;
  #rest: NodeJS.Timeout | undefined;

  constructor(out: Terminal, handlers: Handlers) {
    this.#out = out;
    this.#handlers = handlers;
  }

  open(): void {
    for (const signal of ENDS) process.on(signal, this.#end);
    process.on('SIGTSTP', this.suspend).on('SIGCONT', this.#continue).on('exit', this.#giveBack);
    process.stdout.on('resize', this.#handlers.whole);
    process.stdin.on('data', this.#read).on('end', this.#end).on('error', this.#end);
    this.#take();
  }

  close(): void {
    clearTimeout(this.#rest);
    this.#giveBack();
    for (const signal of ENDS) process.off(signal, this.#end);
    process.off('SIGTSTP', this.suspend).off('SIGCONT', this.#continue).off('exit', this.#giveBack);
    process.stdout.off('resize', this.#handlers.whole);
    process.stdin.off('data', this.#read).off('end', this.#end).off('error', this.#end);
    process.stdin.pause();
  }

  /** Stops this process as the key Ctrl-Z does. */
  readonly suspend = (): void => {
    this.#giveBack();
    process.kill(process.pid, 'SIGSTOP');
  };

  /** Exits; the terminal is given back on the way. */
  readonly #end = (): void => {
    process.exit(exit.ok);
  };

  /** After a stop that could not be handled too, when a shell may have changed the terminal. */
  readonly #continue = (): void => {
    if (this.#taken) process.stdin.setRawMode(false);
    this.#take();
    this.#handlers.whole();
  };

  #take(): void {
    this.#taken = true;
    process.stdin.setRawMode(true);
    process.stdin.resume();
    this.#out.control(ENTER);
  }

  readonly #giveBack = (): void => {
    if (!this.#taken) return;
    this.#taken = false;
    try {
      process.stdin.setRawMode(false);
    } catch {
      // The terminal is gone: there is nothing to give back.
    }
    this.#out.control(LEAVE);
  };

  readonly #read = (bytes: Uint8Array): void => {
    clearTimeout(this.#rest);
    this.#handlers.events(this.#decoder.push(bytes));
    if (this.#decoder.pending)
      this.#rest = setTimeout(() => this.#handlers.events(this.#decoder.flush()), REST_MS);
  };
}
