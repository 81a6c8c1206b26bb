/**
 * An answer while it is made. What varies in a sentence is a ground, read off the world at its path in the same step, so no value is
 * said that is not listed, and none is listed that was not read.
 */
import { phrase } from '../records/derive.ts';
import type { World } from './world.ts';

export interface Ground {
  readonly path: string;
  readonly value: unknown;
}

export interface Reasoned {
  readonly answer: string;
  readonly grounds: readonly Ground[];
  readonly suggestions: readonly string[];
  /** Which question she took it for; "" when she did not understand. */
  readonly intent: string;
  /** She could not, or must not, tell what was asked. */
  readonly refused: boolean;
}

/** A part of a sentence that is no value of the machine: words of ours, or of the question. */
export class Plain {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export const plain = (text: string): Plain => new Plain(text);
/** The word that goes with a number. */
export const plural = ({ value }: Ground, one: string, many: string): Plain =>
  plain(value === 1 ? one : many);

/** Characters of one value in a sentence; the ground holds all of it. */
const LONGEST_VALUE = 400;

function told(value: unknown): string {
  if (value === null || value === '') return 'unknown';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(told).join(', ');
  const text = phrase(String(value)) || String(value);
  if (text.length <= LONGEST_VALUE) return text;
  const cut = text.slice(0, LONGEST_VALUE);
  const blank = cut.lastIndexOf(' ');
  return `${blank > 0 ? cut.slice(0, blank) : cut} …`;
}

export class Speech {
  readonly #world: World;
  readonly #own: Record<string, unknown>;
  readonly #sentences: string[] = [];
  readonly #grounds = new Map<string, Ground>();
  readonly #suggestions = new Set<string>();

  /** `own`: roots of this question: what she understood, what was looked up for it. */
  constructor(world: World, own: Readonly<Record<string, unknown>> = {}) {
    this.#world = world;
    this.#own = { ...own };
  }

  /** Another root of this question. */
  put(root: string, value: unknown): void {
    this.#own[root] = value;
  }

  /** The ground at a path; RangeError when nothing stands there. */
  ground(path: string): Ground {
    const known = this.#grounds.get(path);
    if (known !== undefined) return known;
    const value = this.#world.read(path, this.#own);
    if (value === undefined) throw new RangeError(`nothing stands at ${path}`);
    const ground = { path, value };
    this.#grounds.set(path, ground);
    return ground;
  }

  /** What stands at a path, which becomes a ground too. */
  value<T = unknown>(path: string): T {
    return this.ground(path).value as T;
  }

  /** Looks without making a ground of it; undefined when nothing stands there. */
  look<T = unknown>(path: string): T | undefined {
    return this.#world.read(path, this.#own) as T | undefined;
  }

  /** One or more sentences. */
  say(literals: TemplateStringsArray, ...parts: readonly (Ground | Plain)[]): this {
    let text = literals[0] ?? '';
    parts.forEach((part, at) => {
      text += (part instanceof Plain ? part.text : told(part.value)) + (literals[at + 1] ?? '');
    });
    if (text !== '') this.#sentences.push(text);
    return this;
  }

  /** Grounds joined to one part of a sentence, which keeps them all. */
  join(grounds: readonly Ground[], by = ', '): Plain {
    return plain(grounds.map(({ value }) => told(value)).join(by));
  }

  suggest(...commands: readonly string[]): this {
    for (const command of commands) this.#suggestions.add(command);
    return this;
  }

  end(intent: string, refused = false): Reasoned {
    return {
      answer: this.#sentences.join(' '),
      grounds: [...this.#grounds.values()],
      suggestions: [...this.#suggestions],
      intent,
      refused,
    };
  }
}

/** A word of a command line as a shell takes it. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
