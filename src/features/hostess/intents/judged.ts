/** What was found, one finding, avenues, what could not be seen. */
import { SEVERITY_SCORE } from '../../../checks/avenues.ts';
import { AVENUE_IDS, type AvenueId, type Finding, type Severity } from '../../../checks/judgement.ts';
import { either, part, plain, plural, type Speech } from '../answer-builder.ts';
import type { Asked, Intent } from '../intent.ts';
import { exactConceptsOf, isSpeech } from '../lexicon.ts';
import type { Understood } from '../understand.ts';
import { HOW_TO } from './sought.ts';

const TOLD = 5;

export const finding: Intent = {
  id: 'finding',
  score: ({ question }) => (question.entities.finding === null ? 0 : 95),
  answer(speech, { question }) {
    const id = question.entities.finding as string;
    const whole = `findings/${id}`;
    if (speech.look(`${whole}.open`) === undefined) {
      speech.say`There is no finding ${plain(id)}, now or in the store; ${speech.ground('detection.findings.length')} are open now.`;
      speech.suggest('desk findings');
      return false;
    }
    const get = (key: string) => speech.ground(`${whole}.finding.${key}`);
    const open = speech.ground(`${whole}.open`);
    speech.say`Finding ${get('id')} of the check ${get('check')}, severity ${get('severity')}, ${either(open, 'is open', 'is closed')}: ${get('summary')}.`;
    speech.say`First seen ${get('first_seen')}, last seen ${get('last_seen')}.`;
    const history = speech.ground(`${whole}.history.length`);
    if (history.value !== 0) {
      const last = Number(history.value) - 1;
      speech.say`Its history has ${history} ${plural(history, 'line', 'lines')}, the last: ${speech.ground(`${whole}.history[${last}].event`)} at ${speech.ground(`${whole}.history[${last}].at`)}.`;
    }
    speech.say`It may be benign: ${get('benign')}.`;
    if (get('remedy').value !== '') speech.say`What to do: ${get('remedy')}.`;
    speech.suggest(`desk findings ${id}`);
    if (open.value === true && speech.value(`${whole}.accept.effect`) !== 'never')
      speech.suggest(`desk accept ${id} --why "the reason"`);
    return true;
  },
};

const WHEN = /\b(?:when|since|seen|old|new|long|wann|seit|alt|neu|quand|depuis|cuando|desde)\b/;

/** The findings of a list, the most severe first. */
function sayFindings(
  speech: Speech,
  list: readonly { readonly id: string; readonly severity: Severity }[],
  { has, says }: Understood,
): void {
  const rank = ({ severity }: (typeof list)[number]) => SEVERITY_SCORE[severity];
  const first = [...list].sort((a, b) => rank(b) - rank(a)).slice(0, TOLD);
  for (const { id } of first) {
    const row = `detection.findings[id=${id}]`;
    speech.say`${speech.ground(`${row}.severity`)} ${speech.ground(`${row}.id`)}: ${speech.ground(`${row}.summary`)}.`;
    if (says(WHEN))
      speech.say`First seen ${speech.ground(`${row}.first_seen`)}, last seen ${speech.ground(`${row}.last_seen`)}.`;
    if (has('benign')) speech.say`It may be benign: ${speech.ground(`${row}.benign`)}.`;
    if (has('should') && speech.look(`${row}.remedy`) !== '')
      speech.say`What to do: ${speech.ground(`${row}.remedy`)}.`;
  }
  if (list.length > first.length) speech.say`There are more.`;
  if (first[0] !== undefined) speech.suggest(`desk findings ${first[0].id}`);
}

/** That nothing was found is not all: what of it could not be judged. Null: of all checks. */
export function sayUnjudged(speech: Speech, check: string | null): void {
  if (check === null) {
    const pairs = speech.ground('detection.counts.blind');
    if (pairs.value !== 0)
      speech.say`That is not all: ${pairs} ${plural(pairs, 'pair', 'pairs')} of check and subject could not be judged.`;
    return;
  }
  const list = `detection.notes[check=${check}]`;
  for (const row of speech.rows(list, TOLD))
    speech.say`Not all of it could be judged: ${speech.ground(`${row}.reason`)} (${speech.ground(`${row}.subjects`)}).`;
}

/** Beside a severity nothing is said. */
const nothingElse = ({ words, entities }: Understood): boolean =>
  words.every((word) => isSpeech(word) || exactConceptsOf(word).some((one) => one === entities.severity));

export const findings: Intent = {
  id: 'findings',
  score: ({ question }) => {
    const { severity, avenue, check } = question.entities;
    if (avenue !== null && question.any('up', 'find', 'which')) return 80;
    if (check !== null && question.has('find')) return 80;
    if (question.any('find', 'scar', 'issue') && (severity !== null || question.has('worst'))) return 56;
    if ((severity !== null && (question.words.length < 6 || nothingElse(question))) || question.has('worst'))
      return 42;
    return question.has('find') ? 46 : 0;
  },
  answer(speech, { question }) {
    const { severity, avenue, check } = question.entities;
    const [by, wanted] = Object.entries({ check, avenue, severity }).find(([, one]) => one !== null) ?? [];
    const filter = by === undefined ? '' : `[${by}=${wanted}]`;
    if (avenue !== null) sayAvenue(speech, avenue);
    const list = `detection.findings${filter}`;
    const count = speech.ground(`${list}.length`);
    const bySeverity = (severity: Severity) =>
      speech.ground(`detection.findings[severity=${severity}].length`);
    const which = plain(by === undefined ? '' : ` (${wanted})`);
    if (count.value === 0) {
      speech.say`There is no finding${which}: ${count} are open.`;
      sayUnjudged(speech, check);
    } else speech.say`${count} ${plural(count, 'finding is open', 'findings are open')}${which}.`;
    if (filter !== '') speech.ground('detection.findings.length');
    else if (Number(count.value) > TOLD || question.says(/\bseverit/))
      speech.say`Critical: ${bySeverity('critical')}, high: ${bySeverity('high')}, medium: ${bySeverity('medium')}, low: ${bySeverity('low')}.`;
    sayFindings(speech, speech.look(list) ?? [], question);
    const scars = speech.ground('scar.scar_count');
    speech.say`${scars} ${plural(scars, 'is a scar', 'are scars')} in all.`;
    speech.suggest('desk findings');
    return true;
  },
};

/** A name that is told by its look: a file, a library, a host. */
const LOOKS_NAMED = /\w[./-]\w/;
const MOST_NAMES = 3;
/** What was found about what the question names. */
function mentionedIn({ question, world }: Asked): readonly Finding[] {
  const names = question.tokens
    .filter(
      (token) =>
        token.length > 3 && (LOOKS_NAMED.test(token) || token.startsWith('/')) && !token.includes('@'),
    )
    .slice(0, MOST_NAMES);
  if (names.length === 0) return [];
  return world.moment.judgement.findings.filter(({ summary }) =>
    names.some((name) => summary.includes(name)),
  );
}

/** An issue that has a word in it which is none of speech: a code of a fault, in capitals. */
function issueNaming({ question, world }: Asked): number {
  const codes = question.names.filter((name) => /^[A-Z][A-Z_]{3,}$/.test(name)).slice(0, MOST_NAMES);
  const issues = (world.read('status.issues') ?? []) as readonly string[];
  return issues.findIndex((issue) => codes.some((code) => issue.includes(code)));
}

/** What was found about a file, a library or a host. */
export const mentioned: Intent = {
  id: 'mentioned',
  score: (asked) =>
    issueNaming(asked) >= 0
      ? 47
      : mentionedIn(asked).length > 0
        ? asked.question.unknownTerm === ''
          ? asked.question.has('should')
            ? 48.5
            : 47
          : 73
        : 0,
  answer(speech, asked) {
    const issue = issueNaming(asked);
    if (issue >= 0) speech.say`It is among the issues: ${speech.ground(`status.issues[${issue}]`)}.`;
    if (issue >= 0 && mentionedIn(asked).length === 0) {
      speech.suggest('desk status');
      return true;
    }
    speech.say`Of ${speech.ground('detection.findings.length')} findings these are about it.`;
    sayFindings(speech, mentionedIn(asked), asked.question);
    if (asked.question.says(/^(?:who|wer|qui|quien)\b/))
      speech.say`Who did it is not known: no record tells.`;
    return true;
  },
};

function sayAvenue(speech: Speech, id: AvenueId): void {
  const row = `detection.avenues[id=${id}]`;
  const [open, detail] = [speech.ground(`${row}.open`), speech.ground(`${row}.detail`)];
  speech.say`Avenue ${speech.ground(`${row}.id`)} (${speech.ground(`${row}.name`)}) is ${open.value === true ? part`open: ${detail}` : plain('closed')}.`;
}

/** One avenue, with what keeps it open. */
export const avenue: Intent = {
  id: 'avenue',
  score: ({ question }) => (question.entities.avenue === null ? 0 : 79),
  answer(speech, { question }) {
    sayAvenue(speech, question.entities.avenue as AvenueId);
    speech.suggest('desk findings');
    return true;
  },
};

export const avenues: Intent = {
  id: 'avenues',
  score: ({ question }) => (question.has('avenue') ? 50 : 0),
  answer(speech) {
    const open = AVENUE_IDS.filter((id) => speech.look(`detection.avenues[id=${id}].open`) === true);
    speech.ground('av.live.vectors_clean');
    for (const id of AVENUE_IDS) speech.ground(`detection.avenues[id=${id}].open`);
    if (open.length === 0) speech.say`No avenue is open.`;
    for (const id of open)
      speech.say`${speech.ground(`detection.avenues[id=${id}].id`)} is open: ${speech.ground(`detection.avenues[id=${id}].detail`)}.`;
    speech.suggest('desk findings', ...(open.length > 0 ? ['desk av close once'] : []));
    return true;
  },
};

const CANNOT =
  /\b(?:cannot|can not|can t|cant|could not|couldn t|unable|not able)\b.*\b(?:see|read|look|inspect|judge|check)|\bcan\b.* not (?:see|read|look|inspect|judge|check)/;
const SEE_AGAIN = /\b(?:make|let|have|get) .{1,30}\bsee\b/;

/** Whether anything hides. */
export const hidden: Intent = {
  id: 'hidden',
  score: ({ question }) =>
    question.says(/\b(?:hid(?:den|es?|ing)|versteckt\w*|verborgen\w*|cache[es]?s?|ocult\w*|rootkits?)\b/)
      ? 46.5
      : 0,
  answer(speech) {
    for (const id of ['hidden-process', 'hidden-port']) {
      const list = `detection.findings[check=${id}]`;
      speech.say`Findings of the check ${speech.ground(`checks[id=${id}].id`)}: ${speech.ground(`${list}.length`)}.`;
      for (const row of speech.rows(list, TOLD)) speech.say`${speech.ground(`${row}.summary`)}.`;
      const note = `detection.notes[check=${id}]`;
      if (speech.look(`${note}.reason`) !== undefined)
        speech.say`It could not see everything: ${speech.ground(`${note}.reason`)}; cure: ${speech.ground(`${note}.cure`)}.`;
    }
    speech.suggest('desk hidden pid', 'desk hidden port');
    return true;
  },
};

export const blind: Intent = {
  id: 'blind',
  score: ({ question }) => {
    if (question.has('probe') && !question.has('site')) return 58;
    if (question.says(HOW_TO) && (question.has('blind') || question.says(SEE_AGAIN))) return 64;
    return question.has('blind') || question.has('see', 'not') || question.says(CANNOT) ? 57 : 0;
  },
  answer(speech, { question }) {
    const [pairs, notes] = [speech.ground('detection.counts.blind'), speech.ground('detection.notes.length')];
    if (notes.value === 0)
      speech.say`Nothing that a check wanted was hidden: ${notes} notes, ${pairs} blind pairs.`;
    else
      speech.say`${pairs} ${plural(pairs, 'pair', 'pairs')} of check and subject could not be judged, in ${notes} ${plural(notes, 'note', 'notes')}.`;
    for (const row of speech.rows('detection.notes', TOLD))
      speech.say`${speech.ground(`${row}.check`)}: ${speech.ground(`${row}.reason`)} (${speech.ground(`${row}.subjects`)}); cure: ${speech.ground(`${row}.cure`)}.`;
    const wrapBlind = speech.ground('live.counts.wrap_blind');
    if (wrapBlind.value !== 0)
      speech.say`The confinement of ${wrapBlind} ${plural(wrapBlind, 'process', 'processes')} could not be read.`;
    const broken = speech.ground('version.engine.probes[works=false].length');
    if (question.has('probe') || broken.value !== 0) {
      speech.say`${broken} of ${speech.ground('version.engine.probes.length')} probes do not work.`;
      for (const row of speech.rows('version.engine.probes[works=false]', TOLD))
        speech.say`${speech.ground(`${row}.id`)}: ${speech.ground(`${row}.reason`)}.`;
    }
    speech.suggest('desk doctor');
    return true;
  },
};
