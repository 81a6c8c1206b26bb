/** The answer to a question about the machine or about what processes use. */

import { shellWord } from '../../../base/shell-word.ts';
import { AnswerBuilder, plain } from '../answer-builder.ts';
import type { Queried } from '../grammar/asking.ts';
import { pinned } from '../grammar/pin.ts';
import { said } from '../grammar/table.ts';
import type { HostessWords } from '../hostess.ts';
import type { QueryContext } from '../query-context.ts';
import { Teller } from './say.ts';
import { MachineTeller } from './say-machine.ts';
import { ProcessTeller } from './say-processes.ts';

const UNUSED = said(
  'I did not use {words}.',
  '{words} habe ich nicht verwendet.',
  'No he usado {words}.',
  'Je n’ai pas utilisé {words}.',
);
const BUT = said(
  'But one of the issues is:',
  'Aber eines der Probleme ist:',
  'Pero uno de los problemas es:',
  'Mais l’un des problèmes est :',
);
const FULL = /ENOSPC|no space left/;

/** Null for a question of another kind. */
export function vitalAnswer({ plan, record, second }: Queried, context: QueryContext): HostessWords | null {
  const { vital, language } = plan;
  if (vital === undefined) return null;
  const out = new AnswerBuilder(context, language);
  out.put('query', record);
  out.put('second', second);
  const tell = new Teller(out, language);
  const isOfMachine = vital.kind === 'values';
  const { notes } = plan;
  if (notes?.first !== undefined) out.say`${plain(notes.first[language])}.`;
  const paths =
    plan.table === 'vitals'
      ? { row: 'query.rows[0]', others: second === null ? '' : 'second.rows' }
      : { row: '', others: 'query.rows' };
  const known = isOfMachine
    ? new MachineTeller(tell, vital, context.parts.law.vitals, paths).say()
    : new ProcessTeller(tell, vital).say();
  if (isOfMachine && vital.quantities.includes('disk')) {
    const at = out.read<readonly string[]>('status.issues')?.findIndex((issue) => FULL.test(issue)) ?? -1;
    if (at >= 0) out.say`${plain(BUT[language])} ${out.ground(`status.issues[${at}]`)}.`;
  }
  const isNone = notes?.unlessNone === true && out.read('query.rows[0].failed_units') === 0;
  if (notes?.last !== undefined && !isNone) out.say`${plain(notes.last[language])}.`;
  const { unused } = vital;
  if (unused.length > 0) tell.say(UNUSED, { words: unused.map((word) => `"${word}"`).join(', ') });
  out.suggest(isOfMachine ? 'desk vitals' : 'desk slow', `desk query ${shellWord(record.query)}`);
  const words = out.end('vital', !known);
  return {
    ...words,
    understood: unused.length > 0 ? 'partial' : 'full',
    query: vital.kind === 'why' ? record.query : (pinned(record, words.grounds) ?? record.query),
    choices: [],
  };
}
