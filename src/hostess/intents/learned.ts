/** The scar gate, the baseline, the law. */
import type { Intent } from '../intent.ts';
import { plain, plural } from '../speech.ts';

const TOLD = 4;

export const gate: Intent = {
  id: 'gate',
  score: ({ question }) => (question.has('gate') ? 53 : question.has('scar') ? 45 : 0),
  answer(speech) {
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
    speech.suggest(
      'desk scar check',
      ...(scars.value === 0 ? [] : ['desk findings', 'desk scar cook check']),
    );
    return true;
  },
};

export const baseline: Intent = {
  id: 'baseline',
  score: ({ question }) => {
    if (question.has('review')) return 61;
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
    const fresh = speech.ground('charge.security_learn.new_comm');
    const added = speech.ground('baseline_diff.added.length');
    speech.say`${fresh} running ${plural(fresh, 'identity is', 'identities are')} not in it; ${added} ${plural(added, 'row', 'rows')} would be new.`;
    if (question.any('change', 'not') || Number(added.value) <= TOLD)
      for (const row of speech.rows('baseline_diff.added', TOLD))
        speech.say`${speech.ground(`${row}.kind`)}: ${speech.ground(`${row}.text`)}.`;
    const refusal = speech.ground('baseline_diff.learn.refusal');
    if (refusal.value !== '') speech.say`Learning would be refused now: ${refusal}.`;
    const review = speech.ground('page.baseline.to_review');
    if (review.value !== 0) {
      speech.say`${review} ${plural(review, 'row deserves', 'rows deserve')} a look.`;
      speech.suggest('desk baseline review');
    } else if (question.has('review')) speech.say`Nothing is left to review (${review}).`;
    if (speech.value('page.baseline.window_open') === true) speech.say`A learning window is open.`;
    speech.suggest('desk baseline diff', 'desk baseline list');
    return true;
  },
};

export const law: Intent = {
  id: 'law',
  score: ({ question }) => (question.has('law') ? 53 : question.has('allowed') ? 40 : 0),
  answer(speech) {
    const listen = speech.ground('law.listen.length');
    const except = speech.ground('law.except.length');
    speech.say`The law is ${speech.ground('law.version')}: it allows ${listen} ${plural(listen, 'listener', 'listeners')} beside what is learned, and has ${except} ${plural(except, 'exception', 'exceptions')} of its own.`;
    for (const row of speech.rows('law.listen', TOLD))
      speech.say`Allowed: ${speech.ground(`${row}.protocol`)} port ${speech.ground(`${row}.ports`)}, ${speech.ground(`${row}.scope`)}: ${speech.ground(`${row}.why`)}.`;
    for (const row of speech.rows('law.except', TOLD))
      speech.say`Excepted (${speech.ground(`${row}.source`)}): ${speech.ground(`${row}.why`)}.`;
    const excused = speech.ground('detection.excused.length');
    speech.say`Just now ${excused} ${plural(excused, 'fail is', 'fails are')} excused.`;
    for (const row of speech.rows('detection.excused', TOLD))
      speech.say`${speech.ground(`${row}.summary`)} (${speech.ground(`${row}.check`)}, by ${speech.ground(`${row}.source`)}): ${speech.ground(`${row}.why`)}.`;
    speech.say`Banned ports: ${speech.ground('law.banned')}.`;
    speech.suggest('desk law show');
    return true;
  },
};
