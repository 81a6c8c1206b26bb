/** What changed since a time: findings, runs of the gate, generations, the site. */
import { offsetTime } from '../../../records/time.ts';
import { plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { exactConceptsOf } from '../lexicon.ts';
import { FROM_OUTSIDE, SINCE_START } from '../times.ts';
import type { Understood } from '../understand.ts';

const DAY_MS = 86_400_000;
const TOLD = 5;

/** What happens to findings and to the site. */
const EVENT =
  /\b(?:(?:re)?opened|closed|resolved|(?:dis)?appeared|broke|fell|recorded|occurred|went|geschlossen|aufgetaucht)\b/;

const WHAT_HAPPENED =
  /^(?:what|which|was|welche\w*) (?:\w+ )?(?:was|were|has|have|got|wurde\w*) .*(?:closed|opened|resolved|geschlossen)\b/;
const SINCE_WHEN = /^(?:since when|seit wann|depuis quand|desde cuando)\b/;

/** "Since boot", or from where, with no word for a change: it is not asked what changed. */
const countsSinceStart = ({ says, words }: Understood): boolean =>
  (says(SINCE_START) || says(FROM_OUTSIDE)) &&
  !words.some((word) => {
    const concepts = exactConceptsOf(word);
    return concepts.includes('change') && !concepts.includes('since');
  });

export const changes: Intent = {
  id: 'changes',
  score: ({ question }) => {
    if (question.says(SINCE_WHEN) || countsSinceStart(question)) return 0;
    if (question.has('change') && !question.any('baseline', 'review')) return 58;
    if (question.timeMs === null) return question.says(WHAT_HAPPENED) ? 43 : 0;
    if (question.any('find', 'gate', 'scar')) return 57;
    return question.says(EVENT) && question.entities.ports.length === 0 && question.names.length === 0
      ? 47.5
      : 0;
  },
  answer(speech, { question, world }) {
    const { at } = world.moment.snapshot;
    if (question.timeMs === null && question.has('since')) {
      speech.say`I do not understand that time. Say it like "since noon", "since yesterday", "in the last hour", or as an ISO time with offset.`;
      return false;
    }
    const fromMs = question.timeMs ?? at.epochMs - DAY_MS;
    if (fromMs > at.epochMs) {
      speech.say`That is in the future: the desk looked last at ${speech.ground('live.ts')}, and I know only what was measured.`;
      return false;
    }
    const time = offsetTime({ epochMs: fromMs, offsetMin: at.offsetMin });
    speech.put('asked', { since: time });
    const asked = speech.ground('asked.since');
    if (question.timeMs === null) speech.say`You named no time; I take yesterday at this time, ${asked}.`;
    else speech.say`Since ${asked}:`;
    const opened = speech.ground(`detection.findings[first_seen>=${time}].length`);
    const events = speech.ground(`finding_events[at>=${time}].length`);
    const runs = speech.ground(`gate_runs[at>=${time}].length`);
    const learned = speech.ground(`generations[learned_at>=${time}].length`);
    const site = speech.ground(`site.history[at>=${time}].length`);
    speech.say`${opened} of the findings that are open now ${plural(opened, 'was', 'were')} first seen since; ${events} ${plural(events, 'event', 'events')} of findings ${plural(events, 'was', 'were')} recorded.`;
    for (const row of speech.rows('finding_events', Math.min(TOLD, Number(events.value))))
      speech.say`${speech.ground(`${row}.at`)}: ${speech.ground(`${row}.event`)}, ${speech.ground(`${row}.summary`)}.`;
    if (events.value === 0 || question.has('find'))
      for (const row of speech.rows(`detection.findings[first_seen>=${time}]`, TOLD))
        speech.say`${speech.ground(`${row}.summary`)}.`;
    speech.say`The gate ran ${runs} ${plural(runs, 'time', 'times')}.`;
    if (question.has('gate'))
      speech.say`${speech.ground(`gate_runs[state=fail][at>=${time}].length`)} of these runs failed.`;
    if (runs.value !== 0)
      speech.say`Its last run: ${speech.ground('gate_runs[0].state')}, ${speech.ground('gate_runs[0].scar_count')} scars, at ${speech.ground('gate_runs[0].at')}.`;
    speech.say`${learned} ${plural(learned, 'generation was', 'generations were')} learned.`;
    const changed = (
      speech.look<readonly { changed: string }[]>(`site.history[at>=${time}]`) ?? []
    ).findIndex((line) => line.changed !== '');
    if (changed < 0)
      speech.say`Nothing is recorded as changed at the site (${site} ${plural(site, 'line', 'lines')} of its history).`;
    else
      speech.say`The site: ${speech.ground(`site.history[${changed}].changed`)}, at ${speech.ground(`site.history[${changed}].at`)} (${site} ${plural(site, 'line', 'lines')} of its history).`;
    speech.suggest('desk history', 'desk findings');
    return true;
  },
};
