/** Is the desk well, why is it not gold, what should be done, what would the cook do. */
import { REMEDIED } from '../../../checks/remedied.ts';
import { plain, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';

/** Issues and steps that are told one by one. */
const TOLD = 3;

const GREETING =
  /^(?:hello |hi |hallo |bonjour |hola )?(?:(?:all|everything|is it|still) green|how (?:are|is|s) (?:you|things|(?:the |my |our |this )?(?:machine|desk|box|computer|server|system|it|everything))\b|are (?:we|you) (?:all )?good|hows it|whats up|what s up|wie geht|(?:comment )?ca va|comment (?:vas tu|allez vous)|como (?:estas|esta|va)|que tal)\b/;

export const well: Intent = {
  id: 'well',
  score: ({ question }) =>
    question.any('well', 'issue') ||
    question.says(GREETING) ||
    (question.has('outcome') && question.words.length < 4)
      ? 30
      : 0,
  answer(speech) {
    const ok = speech.ground('status.ok');
    const grade = speech.ground('status.grade');
    const [up, all] = [speech.ground('status.ports_up'), speech.ground('status.ports_n')];
    const scars = speech.ground('status.scar_count');
    speech.say`${speech.ground('page.verdict.headline')}; the grade is ${grade}.`;
    if (ok.value !== true) {
      const { length } = speech.value<readonly string[]>('status.issues');
      for (const row of speech.rows('status.issues', TOLD)) speech.say`${speech.ground(row)}.`;
      if (length > TOLD) speech.say`These are the first of ${speech.ground('status.issues.length')} issues.`;
    }
    speech.say`${up} of ${all} desk ports are up, and there ${plural(scars, 'is', 'are')} ${scars} ${plural(scars, 'scar', 'scars')}.`;
    const notes = speech.ground('detection.notes.length');
    if (notes.value !== 0)
      speech.say`Not everything could be seen: ${notes} ${plural(notes, 'note says', 'notes say')} what.`;
    speech.suggest(
      'desk status',
      ...(ok.value === true ? ['desk findings'] : ['desk scar cook check', 'desk doctor']),
    );
    return true;
  },
};

/** Asks what makes a grade, and not which it is. */
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
  answer(speech, { question }) {
    const now = speech.ground('status.grade');
    if (now.value === 'gold')
      speech.say`The grade is ${now}: there is no scar, every duty runs and enough could be seen.`;
    else speech.say`The grade is ${now}.`;
    const scars = speech.ground('status.scar_count');
    const up = speech.ground('av.datacenter_port_8766.up');
    const charge = speech.ground('charge.ok');
    if (up.value === true)
      speech.say`Something listens on port ${speech.ground('page.banned.port')}, which must stay down; that alone makes it lead.`;
    const critical = speech.ground('scar.c[severity=critical].length');
    if (critical.value !== 0) speech.say`${critical} ${plural(critical, 'scar is', 'scars are')} critical.`;
    if (scars.value !== 0) {
      speech.say`There ${plural(scars, 'is', 'are')} ${scars} ${plural(scars, 'scar', 'scars')}.`;
      speech.say`The first: ${speech.ground('scar.c[0].summary')}.`;
      speech.suggest('desk findings', 'desk scar cook check');
    }
    if (charge.value === false) {
      speech.ground('charge.issues');
      speech.say`The charge is not ok.`;
      for (const row of speech.rows('charge.issues', TOLD)) speech.say`${speech.ground(row)}.`;
    }
    if (question.says(RULE)) speech.say`The rule: ${speech.ground('fields[path=status.grade].meaning')}.`;
    if (now.value !== 'gold')
      speech.say`Gold needs no scar, every duty running, enough that could be seen, and port ${speech.ground('page.banned.port')} down; other ports do not count.`;
    speech.suggest('desk status');
    return true;
  },
};

export const score: Intent = {
  id: 'score',
  score: ({ question }) =>
    question.has('axes') || question.says(/\bwar (?:grade|machine|letter|note)\b/) ? 56 : 0,
  answer(speech) {
    speech.say`The score is ${speech.ground('charge.war_machine.score')} points, letter ${speech.ground('charge.war_machine.grade')}.`;
    const axes = speech.look<readonly { name: string; points: number | null }[]>('page.axes') ?? [];
    const measured = axes.filter(({ points }) => points !== null);
    const lowest = [...measured].sort((a, b) => Number(a.points) - Number(b.points))[0];
    for (const { name } of measured)
      if (name !== lowest?.name) speech.ground(`charge.war_machine.axes.${name}`);
    if (lowest !== undefined)
      speech.say`The lowest axis is ${plain(lowest.name)} with ${speech.ground(`charge.war_machine.axes.${lowest.name}`)}: ${speech.ground(`page.axes[name=${lowest.name}].formula`)}.`;
    speech.suggest('desk stats');
    return true;
  },
};

const WHAT_TO_DO =
  /\b(?:(?:have|has|got|need|needs|anything|something|much|left) to (?:do|be done)|must be done|needs doing|where (?:do|should|can) (?:i|we|one) (?:begin|start)|was (?:muss|kann|soll) (?:ich|man|wir)|what (?:must|can|do|shall) (?:i|we)(?: have to)? do)\b/;

export const should: Intent = {
  id: 'should',
  score: ({ question }) => (question.has('should') || question.says(WHAT_TO_DO) ? 48 : 0),
  answer(speech) {
    const issues = speech.ground('status.issues.length');
    const steps = speech.value<string>('charge.improvements');
    for (const row of speech.rows('status.issues', TOLD)) speech.say`${speech.ground(row)}.`;
    if (steps !== '') {
      // The field holds phrases divided by semicolons; they are told as they stand.
      const told = speech.value<readonly string[]>('status.issues').slice(0, TOLD);
      const list = steps.split('; ').filter((step) => !told.some((issue) => issue.includes(step)));
      const first = list.slice(0, TOLD + 2).join('; ');
      if (first !== '')
        speech.say`${plain(Number(issues.value) > 0 ? 'Also' : 'What could be done')}: ${plain(first)}.`;
    }
    if (issues.value === 0 && steps === '') speech.say`Nothing: there is no issue, and nothing to improve.`;
    else if (speech.value('status.scar_count') !== 0) speech.suggest('desk findings', 'desk scar cook check');
    speech.suggest('desk status');
    return true;
  },
};

export const cook: Intent = {
  id: 'cook',
  score: ({ question }) => (question.has('cook') ? 52 : 0),
  answer(speech, { world }) {
    const scars = speech.ground('scar.scar_count');
    speech.ground('page.banned.pending.length');
    if (scars.value === 0) speech.say`There is no scar (${scars}), so cook-off has nothing to try.`;
    else
      speech.say`${scars} ${plural(scars, 'scar is open', 'scars are open')}; cook-off tries the safe remedy of each and looks again.`;
    const own = world.moment.judgement.scars.filter(({ check }) => REMEDIED.has(check)).slice(0, TOLD);
    for (const { id } of own)
      speech.say`It has a remedy for: ${speech.ground(`detection.findings[id=${id}].summary`)}.`;
    if (scars.value !== 0 && own.length === 0)
      speech.say`None of them has a remedy that the desk would run by itself; it only closes what is gone.`;
    for (const { id } of world.moment.judgement.scars
      .filter(({ check }) => !REMEDIED.has(check))
      .slice(0, TOLD))
      speech.say`Left to you: ${speech.ground(`detection.findings[id=${id}].summary`)}.`;
    for (const row of speech.rows('page.banned.pending', TOLD))
      speech.say`By itself it will: ${speech.ground(row)}.`;
    speech.say`To see it step by step without a change, run the dry run.`;
    speech.suggest('desk scar cook check');
    return true;
  },
};
