/** A fact that the words of a question decide, and the answer that no record has it. */
import { type AnswerBuilder, plain } from '../answer-builder.ts';
import { type Said, said } from '../grammar/tables.ts';
import type { Query } from '../intent.ts';

export interface Fact {
  readonly asks: RegExp;
  /** Its table answers for a time. */
  readonly isTimeless?: true;
  /** It asks what something does. */
  readonly asksWhat?: true;
  readonly not?: RegExp;
  /** What else must hold of the question. */
  where?(asked: Query): boolean;
  /** False: it is not known. */
  tell(out: AnswerBuilder, told: (text: Said) => string, asked: Query): boolean;
}

const UNKNOWN = said('I do not know:', 'Das weiß ich nicht:', 'No lo sé:', 'Je ne sais pas :');
/** That it is not known, and why. */
export const unknown = (told: (text: Said) => string, why: Said): string => `${told(UNKNOWN)} ${told(why)}`;

/** A fact that no record has, with what shows the nearest one. */
export const none =
  (text: Said, ...commands: readonly string[]): Fact['tell'] =>
  (out, told) => {
    out.say`${plain(unknown(told, text))}.`;
    out.suggest(...commands);
    return false;
  };
