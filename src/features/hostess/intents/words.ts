/** What a word, field, check, command, key or endpoint means; lists of commands and checks; where things are. */

import { ours, plain } from '../answer-builder.ts';
import type { SearchMatch } from '../document-index.ts';
import type { Intent } from '../intent.ts';
import { type Library, nameGround, type Term, writtenIn } from '../knowledge.ts';
import type { Question } from '../understand.ts';
import { EXPLAIN, explain } from './explain.ts';

export const meaning: Intent = {
  id: 'meaning',
  score: ({ question: { term, meaning: asked } }) => (term === null ? 0 : asked ? 78 : 20),
  answer(out, asked) {
    const { term, other } = asked.question;
    for (const one of [term, other]) if (one !== null) explain(out, one, asked);
    const { unknownTerm, text } = asked.question;
    const at = text.toLowerCase().indexOf(unknownTerm);
    if (unknownTerm !== '' && at >= 0)
      out.say`I have no word ${plain(`"${text.slice(at, at + unknownTerm.length)}"`)}.`;
    return true;
  },
};

/** A field that is named in passing: "is the orphan timer active". */
export const field: Intent = {
  id: 'field',
  // Two words can be side by side by chance: then an intent of their subject goes first.
  score: ({ question: { field: found, words } }) => {
    if (found === null) return 0;
    return found.words > 2 || found.words === words.flatMap((word) => word.split('_')).length ? 59 : 43;
  },
  answer(out, asked) {
    explain(out, asked.question.field as Term, asked);
    return true;
  },
};

/** A check, or what it detects, without a question about its meaning. */
const HARMLESS =
  /\b(?:false (?:alarm|positive|alert)|fehlalarm|fausse alerte|falsa alarma|normal|ok|okay|innocuous)\b/;

export const check: Intent = {
  id: 'check',
  score: ({ question, library }) => {
    if (question.entities.check !== null) return question.has('benign') || question.says(HARMLESS) ? 81 : 48;
    if (question.words.some((word) => calledFor(word) !== undefined)) return 56;
    if (question.has('check') && (seekCheck(question.words, library)?.coverage ?? 0) > SOME)
      return question.any('which') ? 56 : 46.9;
    return question.has('check') && question.any('which') && nearCheck(question.words, library) !== undefined
      ? 56
      : 0;
  },
  answer(out, asked) {
    const { entities, words } = asked.question;
    EXPLAIN.check(out, entities.check ?? (nearCheck(words, asked.library) as string), asked);
    return true;
  },
};

/** Common names, and the words of the check's own description. */
const CALLED: Readonly<Record<string, string>> = {
  keylogger: 'typed clipboard',
  rootkit: 'hidden modules',
  sniffer: 'raw frames network',
  debugger: 'controls through ptrace',
  backdoor: 'shell socket network connection',
  spyware: 'camera microphone clipboard',
  webcam: 'camera',
  keyboard: 'typed clipboard',
  keystroke: 'typed clipboard',
  injected: 'code wrote memory',
  injection: 'code wrote memory',
  preload: 'library loaded every program',
};
const calledFor = (word: string): string | undefined => {
  const name = word.replace(/s$/, '');
  return Object.hasOwn(CALLED, name) ? CALLED[name] : undefined;
};
/** Share of the searched words that a check must explain. */
const SOME = 0.45;
const wantedOf = (words: readonly string[]): readonly string[] =>
  words
    .filter((word) => !/^(?:checks?|which|finds?|looks?)$/.test(word))
    .flatMap((word) => calledFor(word)?.split(' ') ?? [word]);
const seekCheck = (words: readonly string[], library: Library): SearchMatch | null =>
  library.seek(wantedOf(words), ['check']);
function nearCheck(words: readonly string[], library: Library): string | undefined {
  const found = seekCheck(words, library);
  if (found !== null && found.coverage > SOME) return found.term.name;
  return library.near(wantedOf(words).join(' '), 1, 'check')[0]?.name;
}

const LONGEST_TERM = 60;
const KINDS: readonly (readonly [said: RegExp, root: string, called: string])[] = [
  [/\b(?:config\w*|keys?|settings?)\b/, 'keys', 'keys'],
  [/\bfields?\b/, 'fields', 'fields'],
  [/\bcommands?\b/, 'commands', 'commands'],
  [/\bchecks?\b/, 'checks', 'checks'],
  [/\bendpoints?\b/, 'endpoints', 'endpoints'],
];

export const unknownMeaning: Intent = {
  id: 'unknown-meaning',
  score: ({ question: { term, unknownTerm, meaning: asked } }) =>
    term === null && unknownTerm !== '' && asked ? 72 : 0,
  answer(out, { question, library }) {
    // Echoed as written, if it is short enough to be a term.
    const term = writtenIn(question.text, question.unknownTerm);
    const echoed = term !== null && term.length <= LONGEST_TERM ? plain(`"${term}"`) : ours('that');
    out.say`I do not know ${echoed}: I have no word, field, check, command, key or endpoint of that name.`;
    for (const [said, root, called] of KINDS)
      if (question.says(said)) out.say`There are ${out.ground(`${root}.length`)} ${plain(called)}.`;
    const near = library.near(question.unknownTerm);
    for (const term of near) out.say`Nearly so is called: ${out.ground(nameGround(term))}.`;
    out.suggest('desk help');
    return false;
  },
};

const MOST_CHECKS = 40;
/** Checks of one severity or tier, as a step of a path; "" where neither is asked for. */
function checksOf({ has, any, entities, plain: text }: Question): string {
  if (!has('check') || !any('which', 'count') || any('find', 'scar', 'blind', 'outcome')) return '';
  const tier = /\btier (\d)\b/.exec(text)?.[1];
  if (tier !== undefined) return `[tier=${tier}]`;
  return entities.severity === null ? '' : `[severity=${entities.severity}]`;
}

export const lists: Intent = {
  id: 'lists',
  score: ({ question }) =>
    question.has('command') && (question.has('count') || question.says(/\b(?:there|all|gibt|hay|y a t il)\b/))
      ? 62
      : checksOf(question) !== '' || (question.has('check', 'count') && !question.has('blind'))
        ? 58
        : 0,
  answer(out, { question }) {
    if (question.has('check')) {
      out.say`There are ${out.ground('checks.length')} checks.`;
      const some = checksOf(question);
      if (some !== '') {
        const list = `checks${some}`;
        const ids = out.rows(list, MOST_CHECKS).map((row) => out.ground(`${row}.id`));
        out.say`${out.ground(`${list}.length`)} of them are so: ${out.join(ids)}.`;
      }
      out.suggest('desk findings');
      return true;
    }
    const count = out.ground('commands.length');
    const names = out.rows('commands', Number(count.value)).map((row) => out.ground(`${row}.name`));
    out.say`There are ${count} commands, each after "desk": ${out.join(names)}.`;
    out.suggest('desk help');
    return true;
  },
};

/** Common names of links, with their paths. */
const LINKS: readonly (readonly [pattern: RegExp, path: string])[] = [
  [/\b(?:web-?mail)\b/i, 'status.nav.provider_webmail'],
  [/\bmagazin/i, 'status.nav.magazine'],
  [/\bsource|quell|code\b/i, 'status.whole_stick.source_desk'],
  [/\b(?:office|employee|büro|bureau|oficina)\b/i, 'status.nav.employee'],
  [/\bhostess\b/i, 'status.nav.hostess7'],
  [/\bcharge\b/i, 'status.nav.h7_charge'],
  [/\blinks?\s+page\b/i, 'status.nav.links'],
  [/\bthemed?\b/i, 'status.nav.themed_local_optional'],
  [/\b(?:site|website|webseite)\b/i, 'status.whole_stick.public_site'],
  [/\bmail\b/i, 'status.whole_stick.email'],
  [/\bjoin\b/i, 'status.nav.join'],
  [/\bclaws\b/i, 'status.nav.claws'],
];
const linkIn = (text: string): string | null => LINKS.find(([pattern]) => pattern.test(text))?.[1] ?? null;

export const links: Intent = {
  id: 'links',
  score: ({ question }) =>
    question.has('link') && linkIn(question.text) !== null && !question.any('blind', 'see', 'find') ? 63 : 0,
  answer(out, { question }) {
    const path = linkIn(question.text) as string;
    const link = out.ground(path);
    if (link.value === '') out.say`It is not configured, or nothing answers there (${plain(path)} is empty).`;
    else out.say`It is at ${link}.`;
    out.suggest('desk public');
    return true;
  },
};
