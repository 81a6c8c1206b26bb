/** What other features may use: the records of a pass, and reading files that may hang. */
export { accountsAnswer } from './accounts-answer.ts';
export { answerOf } from './answer.ts';
export { FileReader } from './reader.ts';
