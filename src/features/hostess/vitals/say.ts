/** How answers about the machine are put into words: texts in four languages with values of rows in them. */

import type { Ground } from '../../../records/talk.ts';
import { bytesText } from '../../../records/vitals-words.ts';
import { type AnswerBuilder, Plain, plain } from '../answer-builder.ts';
import type { Said } from '../grammar/table.ts';
import type { Language } from '../grammar/vocabulary.ts';

export type Values = Readonly<Record<string, Ground | Plain | string>>;
const VALUE = /\{(\w+)\}/g;

export class Teller {
  readonly out: AnswerBuilder;
  readonly language: Language;
  readonly #figures: Record<string, unknown> = {};

  constructor(out: AnswerBuilder, language: Language) {
    this.out = out;
    this.language = language;
    out.put('computed', this.#figures);
  }

  /** A value that is computed or rounded from values of rows, as a ground of its own. */
  figure(name: string, value: unknown): Ground {
    // The name of a mount point or an interface may have what separates the parts of a path.
    const step = name.replace(/[^\w-]/g, '_');
    const isTaken = step in this.#figures && this.#figures[step] !== value;
    const key = isTaken ? `${step}_${Object.keys(this.#figures).length}` : step;
    this.#figures[key] = value;
    return this.out.ground(`computed.${key}`);
  }

  /** Bytes of a cell as `1.4 GiB`, with the cell as a ground. */
  bytes(name: string, path: string): Ground {
    return this.figure(name, bytesText(Number(this.out.value(path))));
  }

  /** A text with values in it, as a part of a sentence. */
  part(text: Said, values: Values = {}): Plain {
    const said = text[this.language];
    const literals: string[] = [];
    const parts: (Ground | Plain)[] = [];
    let from = 0;
    for (const found of said.matchAll(VALUE)) {
      literals.push(said.slice(from, found.index));
      const value = values[found[1] ?? ''] ?? '';
      parts.push(typeof value === 'string' ? plain(value) : value);
      from = found.index + found[0].length;
    }
    literals.push(said.slice(from));
    return new Plain(this.#joined(literals, parts), { literals, parts });
  }

  /** A sentence. */
  say(text: Said, values: Values = {}): void {
    this.out.say`${plain(this.text(this.part(text, values)))}`;
  }

  /** A part as text. */
  text(one: Plain): string {
    const { made } = one;
    return made === null ? one.text : this.#joined(made.literals, made.parts);
  }

  #joined(literals: readonly string[], parts: readonly (Ground | Plain)[]): string {
    return literals
      .map((literal, at) => {
        const value = parts[at];
        if (value === undefined) return literal;
        return literal + (value instanceof Plain ? this.text(value) : this.out.join([value]).text);
      })
      .join('');
  }
}
