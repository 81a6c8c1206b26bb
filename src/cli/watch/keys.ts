/**
 * What a terminal in raw mode sends, as events: keys (ECMA-48 and what xterm adds to it), mouse reports (xterm, SGR 1006), pasted
 * text (bracketed, ignored). One character at a time, so that it does not matter where the bytes are split.
 */
import { StringDecoder } from 'node:string_decoder';
import { escapeTerminal } from '../../base/terminal.ts';

export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'page-up'
  | 'page-down'
  | 'home'
  | 'end'
  | 'enter'
  | 'tab'
  | 'back-tab'
  | 'backspace'
  | 'escape'
  | 'interrupt'
  | 'suspend'
  | 'redraw'
  | 'clear';

export type TerminalEvent =
  | { readonly kind: 'key'; readonly key: KeyName }
  | { readonly kind: 'text'; readonly text: string }
  /** Column and row from 0. */
  | {
      readonly kind: 'mouse';
      readonly what: 'press' | 'wheel-up' | 'wheel-down';
      readonly x: number;
      readonly y: number;
    };

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u0003': 'interrupt',
  '\u001a': 'suspend',
  '\u000c': 'redraw',
  '\u0015': 'clear',
};
const LETTERS: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  M: 'enter',
  Z: 'back-tab',
};
const NUMBERS: Readonly<Record<string, KeyName>> = {
  1: 'home',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
};
const ESCAPE = '\u001b';
const PASTE_END = '\u001b[201~';
/** Parameters of a sequence; a longer one is not ours and is ignored to its end. */
const MOST_PARAMETERS = 32;

type State = 'ground' | 'escape' | 'csi' | 'ss3' | 'string' | 'paste' | 'old-mouse';

export class KeyDecoder {
  readonly #utf8 = new StringDecoder('utf8');
  #state: State = 'ground';
  /** Parameters of a control sequence, or the last characters of pasted text. */
  #text = '';
  /** Characters of an old mouse report that are still to come. */
  #left = 0;
  #events: TerminalEvent[] = [];

  /** A sequence has begun, which may be the key Escape alone: call `flush` when nothing follows soon. */
  get pending(): boolean {
    return this.#state !== 'ground' && this.#state !== 'paste';
  }

  push(bytes: Uint8Array): readonly TerminalEvent[] {
    for (const character of this.#utf8.write(Buffer.from(bytes))) this.#take(character);
    return this.#given();
  }

  /** Nothing more came: Escape was a key, and the rest of a sequence is lost. Pasted text lasts until its end. */
  flush(): readonly TerminalEvent[] {
    if (this.pending) {
      if (this.#state === 'escape') this.#key('escape');
      this.#state = 'ground';
    }
    return this.#given();
  }

  #given(): readonly TerminalEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #key(key: KeyName): void {
    this.#events.push({ kind: 'key', key });
  }

  #begin(state: State): void {
    this.#state = state;
    this.#text = '';
  }

  #take(character: string): void {
    switch (this.#state) {
      case 'ground':
        this.#plain(character);
        return;
      case 'escape':
        this.#escaped(character);
        return;
      case 'csi':
        this.#control(character);
        return;
      case 'ss3':
        this.#begin('ground');
        if (Object.hasOwn(LETTERS, character)) this.#key(LETTERS[character] as KeyName);
        return;
      case 'string':
        if (character === '\u0007') this.#begin('ground');
        else if (character === ESCAPE) this.#begin('escape');
        return;
      case 'paste':
        this.#text = (this.#text + character).slice(-PASTE_END.length);
        if (this.#text === PASTE_END) this.#begin('ground');
        else if (character === '\u0003') {
          this.#begin('ground');
          this.#key('interrupt');
        }
        return;
      case 'old-mouse':
        this.#left -= 1;
        if (this.#left === 0) this.#begin('ground');
    }
  }

  #plain(character: string): void {
    if (character === ESCAPE) this.#begin('escape');
    else if (Object.hasOwn(CONTROLS, character)) this.#key(CONTROLS[character] as KeyName);
    else if (character !== '\ufffd' && escapeTerminal(character) === character)
      this.#events.push({ kind: 'text', text: character });
  }

  #escaped(character: string): void {
    if (character === '[') this.#begin('csi');
    else if (character === 'O') this.#begin('ss3');
    else if (/[\]PX^_]/.test(character)) this.#begin('string');
    // The end of a string.
    else if (character === '\\') this.#begin('ground');
    else {
      this.#key('escape');
      this.#begin('ground');
      this.#plain(character);
    }
  }

  #control(character: string): void {
    if (character === ESCAPE) this.#begin('escape');
    else if (/[ -?]/.test(character)) this.#text = (this.#text + character).slice(0, MOST_PARAMETERS + 1);
    else {
      const parameters = this.#text;
      this.#begin('ground');
      if (/[@-~]/.test(character) && parameters.length <= MOST_PARAMETERS)
        this.#sequence(parameters, character);
    }
  }

  #sequence(parameters: string, final: string): void {
    const mouse = /^<(\d{1,3});(\d{1,5});(\d{1,5})$/.exec(parameters);
    if (mouse !== null) this.#mouse(Number(mouse[1]), Number(mouse[2]), Number(mouse[3]), final);
    else if (final === 'M' && parameters === '') {
      // A terminal without SGR reports: three characters follow.
      this.#begin('old-mouse');
      this.#left = 3;
    } else if (final === '~') {
      const [number = ''] = parameters.split(';');
      if (number === '200') this.#begin('paste');
      else if (Object.hasOwn(NUMBERS, number)) this.#key(NUMBERS[number] as KeyName);
    } else if (/^[\d;]*$/.test(parameters) && Object.hasOwn(LETTERS, final))
      this.#key(LETTERS[final] as KeyName);
  }

  #mouse(button: number, column: number, row: number, final: string): void {
    const at = { x: column - 1, y: row - 1 };
    // Bits 2 to 4 are Shift, Alt and Control.
    const which = button & ~28;
    if (final !== 'M' || at.x < 0 || at.y < 0) return;
    if (which === 0) this.#events.push({ kind: 'mouse', what: 'press', ...at });
    if (which === 64) this.#events.push({ kind: 'mouse', what: 'wheel-up', ...at });
    if (which === 65) this.#events.push({ kind: 'mouse', what: 'wheel-down', ...at });
  }
}
