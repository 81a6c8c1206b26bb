/** The verdict in words, beside `ok` and `grade` of the desk status. */
import { z } from 'zod';
import { gapsOf } from '../coverage.ts';
import { field, group } from '../define.ts';
import { GRADES, headlineOf, TONES, verdictOf } from '../verdict.ts';

export const verdict = group('The one verdict of the moment; docs/records.md has its table', {
  ok: field(z.boolean(), 'ok of the desk status', (m) => verdictOf(m).ok),
  grade: field(z.enum(GRADES), 'grade of the desk status', (m) => verdictOf(m).grade),
  tone: field(
    z.enum(TONES),
    'colour: good is ok, warn is not ok without anything broken or severe, bad is the rest',
    (m) => verdictOf(m).tone,
  ),
  covered: field(
    z.boolean(),
    'enough could be seen for a good verdict: at most 5 % or two of the processes hidden, and no class of evidence blind',
    (m) => gapsOf(m).length === 0,
  ),
  headline: field(z.string(), 'the verdict as one line, without a stop at its end', headlineOf),
});
