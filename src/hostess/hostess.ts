/** The hostess: a question, a moment and what is known, to an answer that lists every value it stands on. Pure. */
import type { Asked, Intent } from './intent.ts';
import { INTENTS } from './intents/index.ts';
import { lost } from './intents/refusals.ts';
import { sayBeside } from './intents/sought.ts';
import { type Reasoned, Speech } from './speech.ts';

/** From here on a kind of question was asked for in so many words. */
const ASKED_FOR = 58;

export function answerTo(asked: Asked): Reasoned {
  let [best, most]: [Intent, number] = [lost, 0];
  for (const intent of INTENTS) {
    const score = intent.score(asked);
    if (score > most) [best, most] = [intent, score];
  }
  const speech = new Speech(asked.world);
  const told = best.answer(speech, asked);
  if (told && most < ASKED_FOR) sayBeside(speech, asked);
  return speech.end(best.id, !told);
}
