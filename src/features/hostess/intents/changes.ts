/** What changed since a time: findings, runs of the gate, generations, the site. */
import { offsetTime } from '../../../engine/time.ts';
import { type AnswerBuilder, counted, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { exactConceptsOf } from '../lexicon.ts';
import { FROM_OUTSIDE, SINCE_START } from '../times.ts';
import type { Question } from '../understand.ts';
import { isOfThen } from './state.ts';

const DAY_MS = 86_400_000;
const MOST_SHOWN = 5;

/** What happens to findings and to the site. */
const EVENT =
  /\b(?:(?:re)?opened|closed|resolved|(?:dis)?appeared|broke|fell|recorded|occurred|went|geschlossen|aufgetaucht)\b/;

const WHAT_HAPPENED =
  /^(?:what|which|was|welche\w*) (?:\w+ )?(?:was|were|has|have|got|wurde\w*) .*(?:closed|opened|resolved|geschlossen)\b/;
/** How to change something, what a word means, and what is counted. */
const OTHER =
  /^(?:how|wie|como|comment) (?!.*\b(?:since|seit|desde|depuis)\b)|\b(?:mean|means|bedeutet|heisst|significa|signifie|longtemps)\b/;
const SUMMARY =
  /\b(?:summar\w*|recap|overview|report|zusammenfassung|uberblick|ruckblick|bericht|resumen|informe|resume|bilan|rapport)\b/;
const SINCE_WHEN = /^(?:since when|seit wann|depuis quand|desde cuando)\b/;

/** "Since boot" or "from outside" without a word for a change does not ask what changed. */
const countsSinceStart = ({ says, words }: Question): boolean =>
  (says(SINCE_START) || says(FROM_OUTSIDE)) &&
  !words.some((word) => {
    const concepts = exactConceptsOf(word);
    return concepts.includes('change') && !concepts.includes('since');
  });

/** What was before the first event that is kept is not known. */
function sayReach(out: AnswerBuilder, fromMs: number): void {
  const kept = out.read<number>('finding_events.length') ?? 0;
  const first = `finding_events[${kept - 1}].at`;
  if (kept > 0 && Date.parse(String(out.read(first))) > fromMs)
    out.say`The history begins at ${out.ground(first)}: what was before is not known.`;
}

export const changes: Intent = {
  id: 'changes',
  score: ({ question, reading }) => {
    if (question.says(SINCE_WHEN) || question.says(OTHER) || countsSinceStart(question)) return 0;
    if (question.has('change') && !question.any('baseline', 'review')) return 58;
    if (question.timeMs === null) return question.says(WHAT_HAPPENED) ? 43 : 0;
    if (question.any('find', 'gate', 'scar')) return 57;
    if (isOfThen(question, reading) && (question.any('issue', 'well') || question.says(SUMMARY))) return 57;
    return question.says(EVENT) && question.entities.ports.length === 0 && question.names.length === 0
      ? 47.5
      : 0;
  },
  answer(out, { question, context }) {
    const { at } = context.state.snapshot;
    if (question.timeMs === null && question.has('since')) {
      out.say`I do not understand that time. Say it like "since noon", "since yesterday", "in the last hour", or as an ISO time with offset.`;
      return false;
    }
    const fromMs = question.timeMs ?? at.epochMs - DAY_MS;
    if (fromMs > at.epochMs) {
      out.say`That is in the future: the last sweep was at ${out.ground('live.ts')}, and I know only what was measured.`;
      return false;
    }
    const time = offsetTime({ epochMs: fromMs, offsetMin: at.offsetMin });
    out.put('asked', { since: time });
    const asked = out.ground('asked.since');
    if (question.timeMs === null) out.say`You named no time; I take yesterday at this time, ${asked}.`;
    else out.say`Since ${asked}:`;
    const opened = out.ground(`detection.findings[first_seen>=${time}].length`);
    const events = out.ground(`finding_events[at>=${time}].length`);
    const runs = out.ground(`gate_runs[at>=${time}].length`);
    const learned = out.ground(`generations[learned_at>=${time}].length`);
    const site = out.ground(`site.history[at>=${time}].length`);
    out.say`${opened} of the findings that are open now ${plural(opened, 'was', 'were')} first seen since; ${counted(events, 'event', 'events')} of findings ${plural(events, 'was', 'were')} recorded.`;
    sayReach(out, fromMs);
    for (const get of out.items('finding_events', Math.min(MOST_SHOWN, Number(events.value))))
      out.say`${get('at')}: ${get('event')}, ${get('summary')}.`;
    if (events.value === 0 || question.has('find'))
      for (const get of out.items(`detection.findings[first_seen>=${time}]`, MOST_SHOWN))
        out.say`${get('summary')}.`;
    out.say`The gate ran ${counted(runs, 'time', 'times')}.`;
    if (question.has('gate'))
      out.say`${out.ground(`gate_runs[state=fail][at>=${time}].length`)} of these runs failed.`;
    if (runs.value !== 0)
      out.say`Its last run: ${out.ground('gate_runs[0].state')}, ${out.ground('gate_runs[0].scar_count')} scars, at ${out.ground('gate_runs[0].at')}.`;
    out.say`${counted(learned, 'generation was', 'generations were')} learned.`;
    const changed = (out.read<readonly { changed: string }[]>(`site.history[at>=${time}]`) ?? []).findIndex(
      (line) => line.changed !== '',
    );
    if (changed < 0)
      out.say`Nothing is recorded as changed at the site (${counted(site, 'line', 'lines')} of its history).`;
    else
      out.say`The site: ${out.ground(`site.history[${changed}].changed`)}, at ${out.ground(`site.history[${changed}].at`)} (${counted(site, 'line', 'lines')} of its history).`;
    out.suggest('desk history', 'desk findings');
    return true;
  },
};
