/** The hostess: a question, a moment and what is known, to an answer that lists every value it stands on. Pure. */

import { type Answer, AnswerBuilder } from './answer-builder.ts';
import type { Intent, Query } from './intent.ts';
import { sayBeside, sought } from './intents/by-meaning.ts';
import { INTENTS } from './intents/index.ts';
import { lost, REFUSALS } from './intents/refusals.ts';
import { conceptsOf, isSpeech } from './lexicon.ts';
import { peopleWanted } from './people.ts';
import { type Question, understand } from './understand.ts';

/** From here on a name or a refusal was recognised: nothing is told beside it. */
const ASKED_FOR = 76;
/** From here on a word of its subject is there. */
const OF_SUBJECT = 44;

interface Taken {
  readonly asked: Query;
  readonly intent: Intent;
  readonly score: number;
}

const ASKED_NOUN = /^(?:which|what|welche[rsnm]?|quel(?:le)?s?|que|cual(?:es)?) (\p{L}+)/u;
/** "Which country is the attacker in": it asks for a thing that nothing explains. */
function asksForUnknown({ question, library }: Query): boolean {
  const noun = ASKED_NOUN.exec(question.words.join(' '))?.[1] ?? '';
  return noun !== '' && !isSpeech(noun) && !library.spells(noun) && conceptsOf(noun).length === 0;
}

/** For which kind of question it is taken: the surest; of equally sure ones the first. */
function takenFor(asked: Query): Taken {
  let [intent, most]: [Intent, number] = [lost, 0];
  for (const one of INTENTS) {
    if (one.most !== undefined && one.most <= most) continue;
    const score = one.score(asked);
    if (score > most) [intent, most] = [one, score];
  }
  return most < OF_SUBJECT && asksForUnknown(asked)
    ? { asked, intent: lost, score: 1 }
    : { asked, intent, score: most };
}

const JOINT = /\s*(?:[?;,]|(?<!\p{L})(?:and|und|et|y)(?!\p{L}))\s+/iu;
/** A part that points back is no question of its own. */
const POINTS_BACK =
  /(?<!\p{L})(?:it|its|that|this|they|them|those|he|she|er|sie|es|das|diese[rsn]?|il|elle|ils|ca|eso|esto|ello|if|wenn|si)(?!\p{L})/iu;
const LONGEST_SPLIT = 160;

/** Two questions in one, where each half is one of its own. */
function halvesOf({ text, other }: Question): readonly string[] {
  if (text.length > LONGEST_SPLIT || other !== null) return [];
  const parts = text.replace(/[?!.]+$/, '').split(JOINT);
  const [first = '', second = ''] = parts;
  return parts.length === 2 && first.includes(' ') && second.includes(' ') && !POINTS_BACK.test(second)
    ? [first, second]
    : [];
}

/** The halves that are answered one by one: both understood, and of different kinds; else the whole. */
function taken(asked: Query): readonly Taken[] {
  const whole = takenFor(asked);
  if (REFUSALS.has(whole.intent) || peopleWanted(asked.question) !== null) return [whole];
  const { context, library } = asked;
  const halves = halvesOf(asked.question).map((half) =>
    takenFor({ ...asked, question: understand(half, context.moment.snapshot.at, library) }),
  );
  const [one, two] = halves;
  if (one === undefined || two === undefined || one.intent === two.intent) return [whole];
  const sure = halves.every(({ intent, score, asked: { question } }) => {
    return score > OF_SUBJECT && !REFUSALS.has(intent) && peopleWanted(question) === null;
  });
  return sure ? halves : [whole];
}

export function answerTo(asked: Query): Answer {
  const out = new AnswerBuilder(asked.context);
  const all = taken(asked);
  const told = all.map(({ intent, score, asked: part }) => {
    const known = intent.answer(out, part);
    if (known && score < ASKED_FOR && intent !== sought) sayBeside(out, part);
    return known;
  });
  return out.end(all[0]?.intent.id ?? '', !told.includes(true));
}
