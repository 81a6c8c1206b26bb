/** The scar gate, the baseline, the law. */

import { part, plain, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';

const TOLD = 4;
const WHEN = /\b(?:when|last|wann|zuletzt|quand|cuando)\b/;

export const gate: Intent = {
  id: 'gate',
  score: ({ question }) => {
    if (question.has('gate')) return 53;
    // C is the residue: the word for it is one letter, in capitals.
    if (question.tokens.includes('C') && question.any('find', 'which') && !question.has('axes')) return 57;
    return question.has('scar') ? 45 : 0;
  },
  answer(speech, { question }) {
    const [state, scars] = [speech.ground('scar.gate'), speech.ground('scar.scar_count')];
    speech.say`The gate is at ${state}: ${scars} ${plural(scars, 'scar', 'scars')}, GOD ${speech.ground('scar.god')}.`;
    for (const row of speech.rows('scar.c', TOLD))
      speech.say`${speech.ground(`${row}.severity`)} ${speech.ground(`${row}.id`)}: ${speech.ground(`${row}.summary`)}.`;
    if (Number(scars.value) > TOLD) speech.say`There are more.`;
    if (speech.look('scar.last.at') === undefined) {
      speech.ground('scar.last');
      speech.say`It has not run yet.`;
    } else {
      speech.say`It ran last at ${speech.ground('scar.last.at')}.`;
      const steps = speech.look<readonly { ok: boolean }[]>('scar.last.steps') ?? [];
      const failed = steps.findIndex(({ ok }) => !ok);
      const told = failed < 0 ? steps.length - 1 : failed;
      if (told >= 0)
        speech.say`${plain(failed < 0 ? 'Its last step' : 'The first step that failed')}, ${speech.ground(`scar.last.steps[${told}].step`)}: ${speech.ground(`scar.last.steps[${told}].detail`)}.`;
    }
    const failure = 'gate_runs[state=fail]';
    if (question.has('outcome') && question.says(WHEN) && speech.look(`${failure}.at`) !== undefined) {
      speech.say`The last recorded run that failed was at ${speech.ground(`${failure}.at`)}, with ${speech.ground(`${failure}.scar_count`)} scars.`;
      speech.suggest('desk history');
    }
    speech.suggest(
      'desk scar check',
      ...(scars.value === 0 ? [] : ['desk findings', 'desk scar cook check']),
    );
    return true;
  },
};

const GENERATION = /\bgenera[ct]i\w+ (?:no\.? |number |nr\.? )?(\d{1,6})\b/;

export const baseline: Intent = {
  id: 'baseline',
  score: ({ question }) => {
    if (question.has('review')) return 61;
    if (question.has('unlearned') && question.any('process', 'baseline')) return 62;
    if (!question.has('baseline')) return 0;
    return question.has('change') || question.has('not') ? 62 : 51;
  },
  answer(speech, { question }) {
    const held = speech.ground('scar.a.generation');
    const total = speech.ground('charge.learn.vocab_total');
    const learned = speech.ground('scar.a.learned');
    if (held.value === 0) {
      speech.say`Nothing is learned yet: generation ${held}, the empty one, is held.`;
      speech.suggest('desk secure learn once');
    } else {
      speech.say`Generation ${held} is held, learned at ${learned}.`;
      speech.say`It knows ${total} identities, ${speech.ground('charge.learn.vocab_correct')} of them seen again since, and has ${speech.ground('charge.learn.learned_rows')} rows.`;
    }
    const numbered = GENERATION.exec(question.plain)?.[1];
    if (numbered !== undefined) {
      const path = `generations[number=${numbered}]`;
      if (speech.look(`${path}.number`) === undefined)
        speech.say`No generation ${plain(numbered)} is among the ${speech.ground('generations.length')} that are kept.`;
      else
        speech.say`Generation ${speech.ground(`${path}.number`)} was learned at ${speech.ground(`${path}.learned_at`)}, how: ${speech.ground(`${path}.how`)}.`;
    }
    if (question.says(/\bgenera[ct]ion(?:s|en|es)\b/)) {
      const kept = speech.ground('generations.length');
      const first = speech.rows('generations', TOLD).map((row) => speech.ground(`${row}.number`));
      speech.say`${kept} generations are kept: ${speech.join(first)}${plain(Number(kept.value) > first.length ? ' and more' : '')}.`;
    }
    const fresh = speech.ground('charge.security_learn.new_comm');
    const added = speech.ground('baseline_diff.added.length');
    speech.say`${fresh} running ${plural(fresh, 'identity is', 'identities are')} not in it; ${added} ${plural(added, 'row', 'rows')} would be new.`;
    if (question.any('change', 'not', 'unlearned') || Number(added.value) <= TOLD)
      for (const row of speech.rows('baseline_diff.added', TOLD))
        speech.say`${speech.ground(`${row}.kind`)}: ${speech.ground(`${row}.text`)}.`;
    const refusal = speech.ground('baseline_diff.learn.refusal');
    if (refusal.value !== '') speech.say`Learning would be refused now: ${refusal}.`;
    const review = speech.ground('page.baseline.to_review');
    if (review.value !== 0) {
      speech.say`${review} ${plural(review, 'row', 'rows')} should be reviewed.`;
      speech.suggest('desk baseline review');
    } else if (question.has('review')) speech.say`Nothing is left to review (${review}).`;
    if (speech.value('page.baseline.window_open') === true) speech.say`A learning window is open.`;
    speech.suggest('desk baseline diff', 'desk baseline list');
    return true;
  },
};

export const law: Intent = {
  id: 'law',
  score: ({ question }) =>
    question.has('law')
      ? question.any('allowed', 'listen') && question.entities.ports.length === 0
        ? 61
        : 53
      : question.has('allowed')
        ? 40
        : 0,
  answer(speech, { question }) {
    const listen = speech.ground('law.listen.length');
    const except = speech.ground('law.except.length');
    speech.say`The law is ${speech.ground('law.version')}: it allows ${listen} ${plural(listen, 'listener', 'listeners')} beside what is learned, and has ${except} ${plural(except, 'exception', 'exceptions')} of its own.`;
    for (const row of speech.rows('law.listen', TOLD))
      speech.say`Allowed: ${speech.ground(`${row}.protocol`)} port ${speech.ground(`${row}.ports`)}, ${speech.ground(`${row}.scope`)}: ${speech.ground(`${row}.why`)}.`;
    for (const row of speech.rows('law.except', TOLD)) {
      const [checks, source] = [speech.ground(`${row}.checks`), speech.ground(`${row}.source`)];
      const programs = speech.rows(`${row}.executable`, TOLD).map((one) => speech.ground(one));
      const which = (checks.value as readonly string[]).length === 0 ? plain('every check') : checks;
      const of = programs.length === 0 ? plain('') : part` of ${speech.join(programs)}`;
      speech.say`Excepted (${source}): ${which}${of}: ${speech.ground(`${row}.why`)}.`;
    }
    const excused = speech.ground('detection.excused.length');
    speech.say`Just now ${excused} ${plural(excused, 'fail is', 'fails are')} excused.`;
    for (const row of speech.rows('detection.excused', TOLD))
      speech.say`${speech.ground(`${row}.summary`)} (${speech.ground(`${row}.check`)}, by ${speech.ground(`${row}.source`)}): ${speech.ground(`${row}.why`)}.`;
    if (
      question.has('expire') ||
      question.says(/\b(?:r[au]n out|lapsed|ended|outdated|stale|vorbei|perime\w*)\b/)
    ) {
      // What has ended counts no more; to renew it stands among what can be improved.
      const steps = speech.value<string>('charge.improvements').split('; ');
      const ended = steps.filter((step) => /\bended\b/.test(step)).slice(0, TOLD);
      if (ended.length === 0) speech.say`No exception and no allowed listener has ended.`;
      else speech.say`${plain(ended.join('; '))}.`;
    }
    speech.say`Banned ports: ${speech.ground('law.banned')}.`;
    speech.suggest('desk law show');
    return true;
  },
};
