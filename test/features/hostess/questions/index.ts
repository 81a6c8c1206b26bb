/** All questions asked on the fixed scenes. */
import { JUDGED } from './judged.ts';
import { MACHINE } from './machine.ts';
import { BY_MEANING } from './meaning.ts';
import type { Question } from './question.ts';
import { REFUSED } from './refused.ts';
import { SECOND_STATE } from './second.ts';
import { SECOND_REFUSED } from './second-refused.ts';
import { SECOND_WORDS } from './second-words.ts';
import { STARTUP } from './startup.ts';
import { STATE } from './state.ts';
import { THIRD } from './third.ts';
import { THIRD_REFUSED } from './third-refused.ts';
import { UNSEEN } from './unseen.ts';
import { UNSEEN_MORE } from './unseen-more.ts';
import { UNSEEN_REFUSED } from './unseen-refused.ts';
import { UNSEEN_SECOND } from './unseen-second.ts';
import { WORDS } from './words.ts';

const OWN: readonly Question[] = [
  ...STATE,
  ...MACHINE,
  ...JUDGED,
  ...WORDS,
  ...REFUSED,
  ...BY_MEANING,
  ...STARTUP,
];
const keyOf = ({ scene, ask, granted }: Question): string => `${scene} ${granted === true} ${ask}`;

/** Written without knowledge of the hostess; includes questions that were already in her own set. */
export const UNSEEN_QUESTIONS: readonly Question[] = [
  ...UNSEEN,
  ...UNSEEN_MORE,
  ...UNSEEN_REFUSED,
  ...UNSEEN_SECOND,
];

/** Also written without knowledge of the hostess, by another author, after the improvements from the first set. */
export const SECOND_QUESTIONS: readonly Question[] = [...SECOND_STATE, ...SECOND_WORDS, ...SECOND_REFUSED];

/** By a third author, after the improvements from both sets and with search by meaning. */
export const THIRD_QUESTIONS: readonly Question[] = [...THIRD, ...THIRD_REFUSED];

/** Each question once: of duplicates the first. */
export const QUESTIONS: readonly Question[] = [
  ...new Map(
    [...OWN, ...UNSEEN_QUESTIONS, ...SECOND_QUESTIONS, ...THIRD_QUESTIONS]
      .reverse()
      .map((question) => [keyOf(question), question]),
  ).values(),
].reverse();
