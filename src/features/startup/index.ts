/** What other features may use: the records of a pass. */
export { accountsAnswer } from './accounts-answer.ts';
export { answerOf } from './answer.ts';
