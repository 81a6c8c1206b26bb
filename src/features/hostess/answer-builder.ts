/**
 * An answer while it is made. What varies in a sentence is a ground, read off the world at its path in the same step, so no value is
 * said that is not listed, and none is listed that was not read.
 */
import { phrase } from '../../records/derive.ts';
import type { Ground } from '../../records/talk.ts';
import type { World } from './query-context.ts';

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
/** The words for true, and for everything else. */
export const either = ({ value }: Ground, yes: string, no: string): Plain => plain(value === true ? yes : no);

/** Characters of one value in a sentence; the ground holds all of it. */
const LONGEST_VALUE = 400;

/** Names that any program may give itself. Whatever else than a name stands in them is quoted, or it could pass for words of hers. */
const OF_OTHERS = /\.(?:comm|executable)$/;
const NAME = /^[\p{L}\p{N}_./:@+~=\-[\](),#%]*$/u;

/** A ground as it stands in a sentence. */
const toldOf = ({ path, value }: Ground): string =>
  typeof value === 'string' && OF_OTHERS.test(path) && !NAME.test(value)
    ? JSON.stringify(value.slice(0, LONGEST_VALUE))
    : told(value);

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

/** A part of a sentence with values in it, where it is not always said. */
export function part(literals: TemplateStringsArray, ...parts: readonly (Ground | Plain)[]): Plain {
  let text = literals[0] ?? '';
  parts.forEach((one, at) => {
    text += (one instanceof Plain ? one.text : toldOf(one)) + (literals[at + 1] ?? '');
  });
  return plain(text);
}

export class Speech {
  readonly #world: World;
  /** Roots of this question: what she understood, what was looked up for it. */
  readonly #own: Record<string, unknown> = {};
  readonly #sentences: string[] = [];
  readonly #grounds = new Map<string, Ground>();
  readonly #suggestions = new Set<string>();

  constructor(world: World) {
    this.#world = world;
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
    if (value === undefined) throw new RangeError(`there is no value at ${path}`);
    const ground = { path, value };
    this.#grounds.set(path, ground);
    return ground;
  }

  /** What stands at a path, which becomes a ground too. */
  value<T = unknown>(path: string): T {
    return this.ground(path).value as T;
  }

  /** Whether the answer stands on this, or on another field of the same name and value. */
  stands(path: string): boolean {
    const key = path.slice(path.lastIndexOf('.') + 1);
    return [...this.#grounds.keys()].some(
      (known) => known.endsWith(`.${key}`) && this.look(known) === this.look(path),
    );
  }

  /** Looks without making a ground of it; undefined when nothing stands there. */
  look<T = unknown>(path: string): T | undefined {
    return this.#world.read(path, this.#own) as T | undefined;
  }

  /** Paths of the first items of a list, at most so many: of each what is told of it becomes a ground. */
  rows(list: string, most: number): readonly string[] {
    const { length } = this.look<{ readonly length: number }>(list) ?? { length: 0 };
    return Array.from({ length: Math.min(most, length) }, (_, at) => `${list}[${at}]`);
  }

  /** One or more sentences. */
  say(literals: TemplateStringsArray, ...parts: readonly (Ground | Plain)[]): void {
    this.#sentences.push(part(literals, ...parts).text);
  }

  /** Grounds joined to one part of a sentence, which keeps them all. */
  join(grounds: readonly Ground[], by = ', '): Plain {
    return plain(grounds.map(toldOf).join(by));
  }

  /** Command lines that run as they stand, each once. */
  suggest(...commands: readonly string[]): void {
    for (const command of commands) this.#suggestions.add(command);
  }

  end(intent: string, refused: boolean): Reasoned {
    return {
      answer: this.#sentences.join(' '),
      grounds: [...this.#grounds.values()],
      suggestions: [...this.#suggestions],
      intent,
      refused,
    };
  }
}
