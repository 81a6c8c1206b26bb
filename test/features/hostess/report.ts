/** Prints the scores of the question sets: `node --import tsx test/features/hostess/report.ts`. Exits 1 below 95 % or with an invented value. */
import { FAILURES } from './questions/failures.ts';
import { FOLLOW_UPS } from './questions/follow-ups.ts';
import { GOAL_QUESTIONS } from './questions/goals.ts';
import { QUESTIONS, UNSEEN_QUESTIONS } from './questions/index.ts';
import type { Question } from './questions/question.ts';
import { type Scored, scoreAll } from './score.ts';

const LEAST = 0.95;

const unseen = new Set<Question>(UNSEEN_QUESTIONS);
const isRight = ({ verdict }: Scored): boolean => verdict.wrong.length === 0;

function row(name: string, scored: readonly Scored[]): void {
  const refusals = scored.filter(({ question }) => question.refuses === true);
  const right = scored.filter(isRight).length;
  const invented = scored.reduce((sum, { verdict }) => sum + verdict.invented.length, 0);
  const share = ((100 * right) / scored.length).toFixed(1);
  process.stdout.write(
    `${name.padEnd(28)} ${right} of ${scored.length} right (${share} %), ` +
      `${refusals.filter(isRight).length} of ${refusals.length} to be refused, ${invented} values invented\n`,
  );
}

const all = await scoreAll(QUESTIONS);
const without = await scoreAll(UNSEEN_QUESTIONS);
row('all', all);
row(
  'her own',
  all.filter(({ question }) => !unseen.has(question)),
);
row('written independently', without);
const once = await scoreAll([...FAILURES, ...GOAL_QUESTIONS]);
row('once answered wrongly', once);
const follow = await scoreAll(FOLLOW_UPS);
row('follow-ups and the past', follow);
for (const scene of new Set(all.map(({ question }) => question.scene)))
  row(
    `  scene ${scene}`,
    all.filter(({ question }) => question.scene === scene),
  );

const failed = new Map(
  [...all, ...without, ...once, ...follow].filter((one) => !isRight(one)).map((one) => [one.message, one]),
);
for (const { message, question, answered, verdict } of failed.values())
  process.stdout.write(
    `\n[${question.scene}] ${message} (${answered.intent})\n  ${verdict.wrong.join('\n  ')}\n`,
  );

const faults = all.filter((one) => !isRight(one)).length;
const invents = [...all, ...without, ...once, ...follow].some(({ verdict }) => verdict.invented.length > 0);
process.exitCode = faults > (1 - LEAST) * all.length || invents ? 1 : 0;
