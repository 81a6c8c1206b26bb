/** The whole set: what she is asked on fixed scenes. */
import { JUDGED } from './judged.ts';
import { MACHINE } from './machine.ts';
import type { Question } from './question.ts';
import { REFUSED } from './refused.ts';
import { STATE } from './state.ts';
import { UNSEEN } from './unseen.ts';
import { UNSEEN_MORE } from './unseen-more.ts';
import { UNSEEN_REFUSED } from './unseen-refused.ts';
import { UNSEEN_SECOND } from './unseen-second.ts';
import { WORDS } from './words.ts';

const OWN: readonly Question[] = [...STATE, ...MACHINE, ...JUDGED, ...WORDS, ...REFUSED];
const keyOf = ({ scene, ask, granted }: Question): string => `${scene} ${granted === true} ${ask}`;
const known = new Set(OWN.map(keyOf));

/** Written without sight of her; all of them, those included that stood in her own set already. */
export const UNSEEN_QUESTIONS: readonly Question[] = [
  ...UNSEEN,
  ...UNSEEN_MORE,
  ...UNSEEN_REFUSED,
  ...UNSEEN_SECOND,
];

export const QUESTIONS: readonly Question[] = [
  ...OWN,
  ...UNSEEN_QUESTIONS.filter((question) => !known.has(keyOf(question))),
];
