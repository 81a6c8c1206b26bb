/** What was found, one finding, avenues, what could not be seen. */
import { AVENUE_IDS, type AvenueId } from '../../../checks/check.ts';
import type { Finding } from '../../../findings/finding.ts';
import { mostSevereFirst, type Severity } from '../../../policy/severity.ts';
import { type AnswerBuilder, counted, either, ours, part, plain } from '../answer-builder.ts';
import type { Intent, Query } from '../intent.ts';
import { exactConceptsOf, isStopWord } from '../lexicon.ts';
import type { Question } from '../understand.ts';
import { HOW_TO } from './by-meaning.ts';
import { saySummaries } from './explain.ts';

const MOST_SHOWN = 5;

export const finding: Intent = {
  id: 'finding',
  score: ({ question }) => (question.entities.finding === null ? 0 : 95),
  answer(out, { question }) {
    const id = question.entities.finding as string;
    const whole = `findings/${id}`;
    if (out.read(`${whole}.open`) === undefined) {
      out.say`Finding ${plain(id)} is not known, now or in the store; ${out.ground('detection.findings.length')} are open now.`;
      out.suggest('desk findings');
      return false;
    }
    const get = out.at(`${whole}.finding`);
    const open = out.ground(`${whole}.open`);
    out.say`Finding ${get('id')} of the check ${get('check')}, severity ${get('severity')}, ${either(open, 'is open', 'is closed')}: ${get('summary')}.`;
    out.say`First seen ${get('first_seen')}, last seen ${get('last_seen')}.`;
    const history = out.ground(`${whole}.history.length`);
    if (history.value !== 0) {
      const last = Number(history.value) - 1;
      out.say`Its history has ${counted(history, 'line', 'lines')}, the last: ${out.ground(`${whole}.history[${last}].event`)} at ${out.ground(`${whole}.history[${last}].at`)}.`;
    }
    out.say`It may be benign: ${get('benign')}.`;
    if (get('remedy').value !== '') out.say`What to do: ${get('remedy')}.`;
    out.suggest(`desk findings ${id}`);
    if (open.value === true && out.value(`${whole}.accept.effect`) !== 'never')
      out.suggest(`desk accept ${id} --why "the reason"`);
    return true;
  },
};

const WHEN = /\b(?:when|since|seen|old|new|long|wann|seit|alt|neu|quand|depuis|cuando|desde)\b/;

/** The findings of a list, the most severe first. */
function sayFindings(
  out: AnswerBuilder,
  list: readonly { readonly id: string; readonly severity: Severity }[],
  { has, says }: Question,
): void {
  const first = mostSevereFirst(list).slice(0, MOST_SHOWN);
  if (first.length > 0) out.quotesRecords();
  for (const { id } of first) {
    const row = `detection.findings[id=${id}]`;
    const get = out.at(row);
    out.say`${get('severity')} ${get('id')}: ${get('summary')}.`;
    if (says(WHEN)) out.say`First seen ${get('first_seen')}, last seen ${get('last_seen')}.`;
    if (has('benign')) out.say`It may be benign: ${get('benign')}.`;
    if (has('should') && out.read(`${row}.remedy`) !== '') out.say`What to do: ${get('remedy')}.`;
  }
  out.sayMore(first.length, list.length);
  if (first[0] !== undefined) out.suggest(`desk findings ${first[0].id}`);
}

/** What could not be judged by a check, or by all of them (null): "nothing found" is not the whole answer. */
export function sayUnjudged(out: AnswerBuilder, check: string | null): void {
  if (check === null) {
    const pairs = out.ground('detection.counts.blind');
    if (pairs.value !== 0)
      out.say`That is not all: ${counted(pairs, 'pair', 'pairs')} of check and subject could not be judged.`;
    return;
  }
  const list = `detection.notes[check=${check}]`;
  for (const get of out.items(list, MOST_SHOWN))
    out.say`Not all of it could be judged: ${get('reason')} (${get('subjects')}).`;
}

/** The question has a severity and nothing else. */
const nothingElse = ({ words, entities }: Question): boolean =>
  words.every((word) => isStopWord(word) || exactConceptsOf(word).some((one) => one === entities.severity));

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
  answer(out, { question }) {
    const { severity, avenue, check } = question.entities;
    const [by, wanted] = Object.entries({ check, avenue, severity }).find(([, one]) => one !== null) ?? [];
    const filter = by === undefined ? '' : `[${by}=${wanted}]`;
    if (avenue !== null) sayAvenue(out, avenue);
    const list = `detection.findings${filter}`;
    const count = out.ground(`${list}.length`);
    const bySeverity = (severity: Severity) => out.ground(`detection.findings[severity=${severity}].length`);
    const which = plain(by === undefined ? '' : ` (${wanted})`);
    if (count.value === 0) {
      out.say`There is no finding${which}: ${count} are open.`;
      sayUnjudged(out, check);
    } else out.say`${counted(count, 'finding is open', 'findings are open')}${which}.`;
    if (filter !== '') out.ground('detection.findings.length');
    else if (Number(count.value) > MOST_SHOWN || question.says(/\bseverit/))
      out.say`Critical: ${bySeverity('critical')}, high: ${bySeverity('high')}, medium: ${bySeverity('medium')}, low: ${bySeverity('low')}.`;
    sayFindings(out, out.read(list) ?? [], question);
    const scars = out.ground('scar.scar_count');
    out.say`${counted(scars, 'is a scar', 'are scars')} in all.`;
    out.suggest('desk findings');
    return true;
  },
};

/** Recognisable as a name by its shape: a file, a library, a host. */
const LOOKS_NAMED = /\w[./-]\w/;
const MOST_NAMES = 3;
/** Findings about a name in the question. */
function mentionedIn({ question, context }: Query): readonly Finding[] {
  const names = question.tokens
    .filter(
      (token) =>
        token.length > 3 && (LOOKS_NAMED.test(token) || token.startsWith('/')) && !token.includes('@'),
    )
    .slice(0, MOST_NAMES);
  if (names.length === 0) return [];
  return context.state.judgement.findings.filter(({ summary }) =>
    names.some((name) => summary.includes(name)),
  );
}

/** An issue with a word of the question that is not ours: an error code, in capitals. */
function issueNaming({ question, context }: Query): number {
  const codes = question.names.filter((name) => /^[A-Z][A-Z_]{3,}$/.test(name)).slice(0, MOST_NAMES);
  const issues = (context.read('status.issues') ?? []) as readonly string[];
  return issues.findIndex((issue) => codes.some((code) => issue.includes(code)));
}

/** Findings about a file, a library or a host. */
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
  answer(out, asked) {
    const issue = issueNaming(asked);
    if (issue >= 0) out.say`It is among the issues: ${out.ground(`status.issues[${issue}]`)}.`;
    if (issue >= 0 && mentionedIn(asked).length === 0) {
      out.suggest('desk status');
      return true;
    }
    out.say`Of ${out.ground('detection.findings.length')} findings these are about it.`;
    sayFindings(out, mentionedIn(asked), asked.question);
    if (asked.question.says(/^(?:who|wer|qui|quien)\b/)) out.say`Who did it is not known: no record says.`;
    return true;
  },
};

function sayAvenue(out: AnswerBuilder, id: AvenueId): void {
  const get = out.at(`detection.avenues[id=${id}]`);
  const [open, detail] = [get('open'), get('detail')];
  out.say`Avenue ${get('id')} (${get('name')}) is ${open.value === true ? part`open: ${detail}` : ours('closed')}.`;
}

export const avenue: Intent = {
  id: 'avenue',
  score: ({ question }) => (question.entities.avenue === null ? 0 : 79),
  answer(out, { question }) {
    sayAvenue(out, question.entities.avenue as AvenueId);
    out.suggest('desk findings');
    return true;
  },
};

export const avenues: Intent = {
  id: 'avenues',
  score: ({ question }) => (question.has('avenue') ? 50 : 0),
  answer(out) {
    const open = AVENUE_IDS.filter((id) => out.read(`detection.avenues[id=${id}].open`) === true);
    out.ground('av.live.vectors_clean');
    for (const id of AVENUE_IDS) out.ground(`detection.avenues[id=${id}].open`);
    if (open.length === 0) out.say`No avenue is open.`;
    for (const id of open)
      out.say`${out.ground(`detection.avenues[id=${id}].id`)} is open: ${out.ground(`detection.avenues[id=${id}].detail`)}.`;
    out.suggest('desk findings', ...(open.length > 0 ? ['desk av close once'] : []));
    return true;
  },
};

const CANNOT =
  /\b(?:cannot|can not|can t|cant|could not|couldn t|unable|not able)\b.*\b(?:see|read|look|inspect|judge|check)|\bcan\b.* not (?:see|read|look|inspect|judge|check)/;
const SEE_AGAIN = /\b(?:make|let|have|get) .{1,30}\bsee\b/;

export const hidden: Intent = {
  id: 'hidden',
  score: ({ question }) =>
    question.says(/\b(?:hid(?:den|es?|ing)|versteckt\w*|verborgen\w*|cache[es]?s?|ocult\w*|rootkits?)\b/)
      ? 46.5
      : 0,
  answer(out) {
    for (const id of ['hidden-process', 'hidden-port']) {
      const list = `detection.findings[check=${id}]`;
      out.say`Findings of the check ${out.ground(`checks[id=${id}].id`)}: ${out.ground(`${list}.length`)}.`;
      saySummaries(out, id, MOST_SHOWN);
    }
    out.suggest('desk hidden pid', 'desk hidden port');
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
  answer(out, { question }) {
    const [pairs, notes] = [out.ground('detection.counts.blind'), out.ground('detection.notes.length')];
    if (notes.value === 0)
      out.say`Nothing that a check wanted was hidden: ${notes} notes, ${pairs} blind pairs.`;
    else
      out.say`${counted(pairs, 'pair', 'pairs')} of check and subject could not be judged, in ${counted(notes, 'note', 'notes')}.`;
    for (const get of out.items('detection.notes', MOST_SHOWN))
      out.say`${get('check')}: ${get('reason')} (${get('subjects')}); cure: ${get('cure')}.`;
    const wrapBlind = out.ground('live.counts.wrap_blind');
    if (wrapBlind.value !== 0)
      out.say`The confinement of ${counted(wrapBlind, 'process', 'processes')} could not be read.`;
    const broken = out.ground('version.engine.probes[works=false].length');
    if (question.has('probe') || broken.value !== 0) {
      out.say`${broken} of ${out.ground('version.engine.probes.length')} probes do not work.`;
      for (const get of out.items('version.engine.probes[works=false]', MOST_SHOWN))
        out.say`${get('id')}: ${get('reason')}.`;
    }
    out.suggest('desk doctor');
    return true;
  },
};
