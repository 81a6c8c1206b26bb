/** The whole set: what she is asked on fixed scenes. */
import { JUDGED } from './judged.ts';
import { MACHINE } from './machine.ts';
import type { Question } from './question.ts';
import { REFUSED } from './refused.ts';
import { STATE } from './state.ts';
import { WORDS } from './words.ts';

export const QUESTIONS: readonly Question[] = [...STATE, ...MACHINE, ...JUDGED, ...WORDS, ...REFUSED];
