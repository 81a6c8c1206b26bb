/** Is the desk well, why is it not gold, what should be done, what would the cook do. */
import { REMEDIED } from '../../../findings/finding.ts';
import { counted, either, ours, plain, plural } from '../answer-builder.ts';
import type { Intent, Query } from '../intent.ts';

/** Issues and steps that are listed. */
const MOST_SHOWN = 3;

const GREETING =
  /^(?:hello |hi |hallo |bonjour |hola )?(?:(?:all|everything|is it|still) green|how (?:are|is|s) (?:you|things|(?:the |my |our |this )?(?:machine|desk|box|computer|server|system|it|everything))\b|are (?:we|you) (?:all )?good|hows it|whats up|what s up|wie geht|(?:comment )?ca va|comment (?:vas tu|allez vous)|como (?:estas|esta|va)|que tal)\b/;

/** Asks for the reasons, of the desk as a whole. */
const WHY_NOT =
  /^(?:why|what) (?:is (?:it |this |(?:the |my |our |this )?(?:desk|machine|computer|server|system) )?)?not (?:ok|okay|well|fine|healthy)$/;

const TODAY =
  /^(?:today|heute|hoy|aujourd.?hui|now|jetzt|ahora|maintenant|this (?:morning|afternoon|evening)|esta (?:mañana|tarde)|ce (?:matin|soir))/i;
/** A time before today: how the desk is now does not answer it. */
export const isOfThen = ({ timeMs }: Query['question'], { moment }: Query['reading']): boolean =>
  timeMs !== null && moment?.how !== 'ago' && !TODAY.test(moment?.text ?? '');

export const well: Intent = {
  id: 'well',
  score: ({ question, reading }) =>
    isOfThen(question, reading)
      ? 0
      : question.says(WHY_NOT)
        ? 55
        : question.any('well', 'issue') ||
            question.says(GREETING) ||
            (question.has('outcome') && question.words.length < 4)
          ? 30
          : 0,
  answer(out) {
    const ok = out.ground('status.ok');
    const grade = out.ground('status.grade');
    const [up, all] = [out.ground('status.ports_up'), out.ground('status.ports_n')];
    const scars = out.ground('status.scar_count');
    if (out.language === 'en') out.say`${out.ground('page.verdict.headline')}; the grade is ${grade}.`;
    else out.say`The desk is ${either(ok, 'well', 'not well')}; the grade is ${grade}.`;
    if (ok.value !== true) {
      const { length } = out.value<readonly string[]>('status.issues');
      out.quotesRecords();
      for (const row of out.rows('status.issues', MOST_SHOWN)) out.say`${out.ground(row)}.`;
      if (length > MOST_SHOWN) out.say`These are the first of ${out.ground('status.issues.length')} issues.`;
    }
    out.say`${up} of ${all} desk ports are up, and there ${plural(scars, 'is', 'are')} ${counted(scars, 'scar', 'scars')}.`;
    const notes = out.ground('detection.notes.length');
    if (notes.value !== 0)
      out.say`Not everything could be seen: ${counted(notes, 'note says', 'notes say')} what.`;
    out.suggest(
      'desk status',
      ...(ok.value === true ? ['desk findings'] : ['desk scar cook check', 'desk doctor']),
    );
    return true;
  },
};

/** Asks how a grade is determined, not which it is. */
const RULE =
  /\b(?:when (?:is|does|do|would|will)|what (?:makes|decides)|how (?:is|does|do|would)|criteria|rules?|calculat\w+|computed|decided|means|wann|quand|cuando)\b/;

export const grade: Intent = {
  id: 'grade',
  score: ({ question }) =>
    (question.has('grade') && !question.says(/\bscore/)) ||
    (question.has('why', 'not') && question.words.includes('or'))
      ? question.has('why')
        ? 55
        : 50
      : 0,
  answer(out, { question }) {
    const now = out.ground('status.grade');
    if (now.value === 'gold')
      out.say`The grade is ${now}: no scar is open, every duty runs and enough could be seen.`;
    else out.say`The grade is ${now}.`;
    const scars = out.ground('status.scar_count');
    const up = out.ground('av.datacenter_port_8766.up');
    const charge = out.ground('charge.ok');
    if (up.value === true)
      out.say`Something listens on port ${out.ground('page.banned.port')}, which must stay down; that alone makes it lead.`;
    const critical = out.ground('scar.c[severity=critical].length');
    if (critical.value !== 0) out.say`${counted(critical, 'scar is', 'scars are')} critical.`;
    if (scars.value !== 0) {
      out.say`There ${plural(scars, 'is', 'are')} ${counted(scars, 'scar', 'scars')}.`;
      out.say`The first: ${out.ground('scar.c[0].summary')}.`;
      out.suggest('desk findings', 'desk scar cook check');
    }
    if (charge.value === false) {
      out.ground('charge.issues');
      out.say`The charge is not ok.`;
      for (const row of out.rows('charge.issues', MOST_SHOWN)) out.say`${out.ground(row)}.`;
    }
    if (question.says(RULE)) out.say`The rule: ${out.ground('fields[path=status.grade].meaning')}.`;
    if (now.value !== 'gold')
      out.say`Gold needs no scar, every duty running, enough that could be seen, and port ${out.ground('page.banned.port')} down; other ports do not count.`;
    out.suggest('desk status');
    return true;
  },
};

export const score: Intent = {
  id: 'score',
  score: ({ question }) =>
    question.has('axes') || question.says(/\bwar (?:grade|machine|letter|note)\b/) ? 56 : 0,
  answer(out) {
    out.say`The score is ${out.ground('charge.war_machine.score')} points, letter ${out.ground('charge.war_machine.grade')}.`;
    const axes = out.read<readonly { name: string; points: number | null }[]>('page.axes') ?? [];
    const measured = axes.filter(({ points }) => points !== null);
    const lowest = [...measured].sort((a, b) => Number(a.points) - Number(b.points))[0];
    for (const { name } of measured) if (name !== lowest?.name) out.ground(`charge.war_machine.axes.${name}`);
    if (lowest !== undefined)
      out.say`The lowest axis is ${plain(lowest.name)} with ${out.ground(`charge.war_machine.axes.${lowest.name}`)}: ${out.ground(`page.axes[name=${lowest.name}].formula`)}.`;
    out.suggest('desk stats');
    return true;
  },
};

const WHAT_TO_DO =
  /\b(?:(?:have|has|got|need|needs|anything|something|much|left) to (?:do|be done)|must be done|needs doing|where (?:do|should|can) (?:i|we|one) (?:begin|start)|was (?:muss|kann|soll) (?:ich|man|wir)|what (?:must|can|do|shall) (?:i|we)(?: have to)? do)\b/;

export const should: Intent = {
  id: 'should',
  score: ({ question }) => (question.has('should') || question.says(WHAT_TO_DO) ? 48 : 0),
  answer(out) {
    const issues = out.ground('status.issues.length');
    const steps = out.value<string>('charge.improvements');
    if (issues.value !== 0 || steps !== '') out.quotesRecords();
    for (const row of out.rows('status.issues', MOST_SHOWN)) out.say`${out.ground(row)}.`;
    if (steps !== '') {
      // The field holds phrases separated by semicolons.
      const said = out.value<readonly string[]>('status.issues').slice(0, MOST_SHOWN);
      const list = steps.split('; ').filter((step) => !said.some((issue) => issue.includes(step)));
      const first = list.slice(0, MOST_SHOWN + 2).join('; ');
      if (first !== '')
        out.say`${ours(Number(issues.value) > 0 ? 'Also' : 'What could be done')}: ${plain(first)}.`;
    }
    if (issues.value === 0 && steps === '')
      out.say`Nothing: no issue is open, and nothing is to be improved.`;
    else if (out.value('status.scar_count') !== 0) out.suggest('desk findings', 'desk scar cook check');
    out.suggest('desk status');
    return true;
  },
};

export const cook: Intent = {
  id: 'cook',
  score: ({ question }) => (question.has('cook') ? 52 : 0),
  answer(out, { context }) {
    const scars = out.ground('scar.scar_count');
    out.ground('page.banned.pending.length');
    if (scars.value === 0) out.say`No scar is open (${scars}), so cook-off has nothing to try.`;
    else
      out.say`${counted(scars, 'scar is open', 'scars are open')}; cook-off tries the safe remedy of each and scans again.`;
    const own = context.state.judgement.scars.filter(({ check }) => REMEDIED.has(check)).slice(0, MOST_SHOWN);
    for (const { id } of own)
      out.say`It has a remedy for: ${out.ground(`detection.findings[id=${id}].summary`)}.`;
    if (scars.value !== 0 && own.length === 0)
      out.say`None of them has a remedy that the desk would run by itself; it only closes what is gone.`;
    for (const { id } of context.state.judgement.scars
      .filter(({ check }) => !REMEDIED.has(check))
      .slice(0, MOST_SHOWN))
      out.say`Left to you: ${out.ground(`detection.findings[id=${id}].summary`)}.`;
    for (const row of out.rows('page.banned.pending', MOST_SHOWN))
      out.say`By itself it will: ${out.ground(row)}.`;
    out.say`To see it step by step without a change, run the dry run.`;
    out.suggest('desk scar cook check');
    return true;
  },
};
