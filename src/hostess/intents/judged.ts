/** What was found, one finding, avenues, what could not be seen. */
import { AVENUE_IDS } from '../../checks/judgement.ts';
import type { Intent } from '../intent.ts';
import { either, plain, plural, type Speech } from '../speech.ts';

const TOLD = 5;
const RANK = { critical: 0, high: 1, medium: 2, low: 3 } as const;

export const finding: Intent = {
  id: 'finding',
  score: ({ question }) => (question.entities.finding === null ? 0 : 95),
  answer(speech, { question }) {
    const id = question.entities.finding as string;
    const whole = `findings/${id}`;
    if (speech.look(`${whole}.open`) === undefined) {
      speech.say`There is no finding ${plain(id)}, now or in the store; ${speech.ground('detection.findings.length')} stand now.`;
      speech.suggest('desk findings');
      return false;
    }
    const get = (key: string) => speech.ground(`${whole}.finding.${key}`);
    const open = speech.ground(`${whole}.open`);
    speech.say`Finding ${get('id')} of the check ${get('check')}, severity ${get('severity')}, ${either(open, 'stands', 'is closed')}: ${get('summary')}.`;
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

/** The findings of a list, the most severe first. */
function sayFindings(
  speech: Speech,
  list: readonly { readonly id: string; readonly severity: keyof typeof RANK }[],
): void {
  const first = [...list].sort((a, b) => RANK[a.severity] - RANK[b.severity]).slice(0, TOLD);
  for (const { id } of first) {
    const row = `detection.findings[id=${id}]`;
    speech.say`${speech.ground(`${row}.severity`)} ${speech.ground(`${row}.id`)}: ${speech.ground(`${row}.summary`)}.`;
  }
  if (list.length > first.length) speech.say`There are more.`;
  if (first[0] !== undefined) speech.suggest(`desk findings ${first[0].id}`);
}

export const findings: Intent = {
  id: 'findings',
  score: ({ question }) => {
    const { severity, avenue, check } = question.entities;
    if (avenue !== null && question.any('up', 'find', 'which')) return 79;
    if (check !== null && question.has('find')) return 80;
    if (question.any('find', 'scar', 'issue') && (severity !== null || question.has('worst'))) return 56;
    return question.has('find') ? 46 : 0;
  },
  answer(speech, { question }) {
    const { severity, avenue, check } = question.entities;
    const filter =
      check !== null
        ? `[check=${check}]`
        : avenue !== null
          ? `[avenue=${avenue}]`
          : severity !== null
            ? `[severity=${severity}]`
            : '';
    if (avenue !== null) {
      const row = `detection.avenues[id=${avenue}]`;
      speech.say`Avenue ${speech.ground(`${row}.id`)} (${speech.ground(`${row}.name`)}) is ${plain(speech.value(`${row}.open`) === true ? 'open' : 'closed')}: ${speech.ground(`${row}.detail`)}.`;
    }
    const list = `detection.findings${filter}`;
    const count = speech.ground(`${list}.length`);
    const which = filter === '' ? '' : ` (${check ?? avenue ?? severity})`;
    if (count.value === 0) speech.say`There is no finding${plain(which)}: ${count} stand.`;
    else speech.say`${count} ${plural(count, 'finding stands', 'findings stand')}${plain(which)}.`;
    if (filter !== '') speech.ground('detection.findings.length');
    sayFindings(speech, speech.look(list) ?? []);
    const scars = speech.ground('scar.scar_count');
    speech.say`${scars} ${plural(scars, 'is a scar', 'are scars')} in all.`;
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

export const blind: Intent = {
  id: 'blind',
  score: ({ question }) => {
    if (question.has('probe') && !question.has('site')) return 58;
    return question.has('blind') || question.has('see', 'not') ? 57 : 0;
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
