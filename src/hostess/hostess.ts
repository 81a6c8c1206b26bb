/** The hostess: a question, a moment and what is known, to an answer that lists every value it stands on. Pure. */
import type { Asked } from './intent.ts';
import { INTENTS } from './intents/index.ts';
import { type Reasoned, Speech } from './speech.ts';

export function answerTo(asked: Asked): Reasoned {
  let best = INTENTS.at(-1) as (typeof INTENTS)[number];
  let most = 0;
  for (const intent of INTENTS) {
    const score = intent.score(asked);
    if (score > most) [best, most] = [intent, score];
  }
  const speech = new Speech(asked.world);
  const told = best.answer(speech, asked);
  return speech.end(best.id, !told);
}
