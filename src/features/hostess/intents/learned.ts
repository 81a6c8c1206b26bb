/** The scar gate, the baseline, the law. */

import { counted, ours, part, plain, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';

const MOST_SHOWN = 4;
const WHEN = /\b(?:when|last|wann|zuletzt|quand|cuando)\b/;

export const gate: Intent = {
  id: 'gate',
  score: ({ question }) => {
    if (question.has('gate')) return 53;
    // C, the residue, in capitals.
    if (question.tokens.includes('C') && question.any('find', 'which') && !question.has('axes')) return 57;
    return question.has('scar') ? 45 : 0;
  },
  answer(out, { question }) {
    const [state, scars] = [out.ground('scar.gate'), out.ground('scar.scar_count')];
    out.say`The gate is at ${state}: ${counted(scars, 'scar', 'scars')}, GOD ${out.ground('scar.god')}.`;
    for (const get of out.items('scar.c', MOST_SHOWN))
      out.say`${get('severity')} ${get('id')}: ${get('summary')}.`;
    out.sayMore(MOST_SHOWN, scars.value);
    if (out.read('scar.last.at') === undefined) {
      out.ground('scar.last');
      out.say`It has not run yet.`;
    } else {
      out.say`It ran last at ${out.ground('scar.last.at')}.`;
      const steps = out.read<readonly { ok: boolean }[]>('scar.last.steps') ?? [];
      const failed = steps.findIndex(({ ok }) => !ok);
      const last = failed < 0 ? steps.length - 1 : failed;
      if (last >= 0)
        out.say`${ours(failed < 0 ? 'Its last step' : 'The first step that failed')}, ${out.ground(`scar.last.steps[${last}].step`)}: ${out.ground(`scar.last.steps[${last}].detail`)}.`;
    }
    const failure = 'gate_runs[state=fail]';
    if (question.has('outcome') && question.says(WHEN) && out.read(`${failure}.at`) !== undefined) {
      out.say`The last recorded run that failed was at ${out.ground(`${failure}.at`)}, with ${out.ground(`${failure}.scar_count`)} scars.`;
      out.suggest('desk history');
    }
    out.suggest('desk scar check', ...(scars.value === 0 ? [] : ['desk findings', 'desk scar cook check']));
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
  answer(out, { question }) {
    const held = out.ground('scar.a.generation');
    const total = out.ground('charge.learn.vocab_total');
    const learned = out.ground('scar.a.learned');
    if (held.value === 0) {
      out.say`Nothing is learned yet: generation ${held}, the empty one, is held.`;
      out.suggest('desk secure learn once');
    } else {
      out.say`Generation ${held} is held, learned at ${learned}.`;
      out.say`It knows ${total} identities, ${out.ground('charge.learn.vocab_correct')} of them seen again since, and has ${out.ground('charge.learn.learned_rows')} rows.`;
    }
    const numbered = GENERATION.exec(question.plain)?.[1];
    if (numbered !== undefined) {
      const path = `generations[number=${numbered}]`;
      const get = out.at(path);
      if (out.read(`${path}.number`) === undefined)
        out.say`No generation ${plain(numbered)} is among the ${out.ground('generations.length')} that are kept.`;
      else out.say`Generation ${get('number')} was learned at ${get('learned_at')}, how: ${get('how')}.`;
    }
    if (question.says(/\bgenera[ct]ion(?:s|en|es)\b/)) {
      const kept = out.ground('generations.length');
      const first = out.rows('generations', MOST_SHOWN).map((row) => out.ground(`${row}.number`));
      out.say`${kept} generations are kept: ${out.join(first, kept.value)}.`;
    }
    const fresh = out.ground('charge.security_learn.new_comm');
    const added = out.ground('baseline_diff.added.length');
    out.say`${fresh} running ${plural(fresh, 'identity is', 'identities are')} not in it; ${counted(added, 'row', 'rows')} would be new.`;
    if (question.any('change', 'not', 'unlearned') || Number(added.value) <= MOST_SHOWN)
      for (const get of out.items('baseline_diff.added', MOST_SHOWN))
        out.say`${get('kind')}: ${get('text')}.`;
    const refusal = out.ground('baseline_diff.learn.refusal');
    if (refusal.value !== '') out.say`Learning would be refused now: ${refusal}.`;
    const review = out.ground('page.baseline.to_review');
    if (review.value !== 0) {
      out.say`${counted(review, 'row', 'rows')} should be reviewed.`;
      out.suggest('desk baseline review');
    } else if (question.has('review')) out.say`Nothing is left to review (${review}).`;
    if (out.value('page.baseline.window_open') === true) out.say`A learning window is open.`;
    out.suggest('desk baseline diff', 'desk baseline list');
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
      : question.has('allowed') ||
          question.says(/\b(?:exceptions?|ausnahmen?|excepcion(?:es)?|derogations?)\b/)
        ? 40
        : 0,
  answer(out, { question }) {
    const listen = out.ground('law.listen.length');
    const except = out.ground('law.except.length');
    out.say`The law is ${out.ground('law.version')}: it allows ${counted(listen, 'listener', 'listeners')} beside what is learned, and has ${counted(except, 'exception', 'exceptions')} of its own.`;
    for (const get of out.items('law.listen', MOST_SHOWN))
      out.say`Allowed: ${get('protocol')} port ${get('ports')}, ${get('scope')}: ${get('why')}.`;
    for (const row of out.rows('law.except', MOST_SHOWN)) {
      const get = out.at(row);
      const [checks, source] = [get('checks'), get('source')];
      const programs = out.rows(`${row}.executable`, MOST_SHOWN).map((one) => out.ground(one));
      const which = (checks.value as readonly string[]).length === 0 ? plain('every check') : checks;
      const of = programs.length === 0 ? plain('') : part` of ${out.join(programs)}`;
      out.say`Excepted (${source}): ${which}${of}: ${get('why')}.`;
    }
    const excused = out.ground('detection.excused.length');
    out.say`Just now ${counted(excused, 'fail is', 'fails are')} suppressed.`;
    for (const get of out.items('detection.excused', MOST_SHOWN))
      out.say`${get('summary')} (${get('check')}, by ${get('source')}): ${get('why')}.`;
    if (
      question.has('expire') ||
      question.says(/\b(?:r[au]n out|lapsed|ended|outdated|stale|vorbei|perime\w*)\b/)
    ) {
      // Expired entries have no effect; renewing them is among the improvements.
      const steps = out.value<string>('charge.improvements').split('; ');
      const ended = steps.filter((step) => /\bended\b/.test(step)).slice(0, MOST_SHOWN);
      if (ended.length === 0) out.say`No exception and no allowed listener has ended.`;
      else out.say`${plain(ended.join('; '))}.`;
    }
    out.say`Banned ports: ${out.ground('law.banned')}.`;
    out.suggest('desk law show');
    return true;
  },
};
