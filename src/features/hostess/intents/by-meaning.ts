/** What is asked for by purpose or meaning instead of by name: found by full-text search. */
import { type AnswerBuilder, plain } from '../answer-builder.ts';
import { areAlike, type SearchMatch } from '../document-index.ts';
import type { Intent, Query } from '../intent.ts';
import { folded, type Library, type TermKind } from '../knowledge.ts';
import { quoted } from '../paths.ts';
import type { Question } from '../understand.ts';
import { EXPLAIN, explain } from './explain.ts';

export const HOW_TO =
  /\b(?:how (?:do|can|could|should|would|to|must|might)\b|where (?:can|could|do|must|should) i\b|which (?:config(?:uration)? )?(?:key|setting|option)|which command|what command|command (?:to|for|that)|way to|befehl (?:um|zum|fur)|commande pour|comando para|wie (?:kann|mache|soll|geht|andere|stelle|setze|\p{L}+ (?:ich|man))|womit|welcher befehl|mit welchem|comment (?:puis|faire|je|on|\p{L}+(?:er|ir|re)\b)|quelle commande|como (?:puedo|hago|se|\p{L}+[oa]\b|\p{L}+[aei]r\b)|que comando)/u;

const WHICH_COMMAND =
  /\b(?:which|what) command\b|\bwelcher befehl\b|\bmit welchem befehl\b|\bquelle commande\b|\bque comando\b/;

/** Asks what to do, not what is. */
const STRICT =
  /\bhow (?:do|can|could|should|would|must) (?:i|we|one|you) (?!know\b|tell\b|see\b|find out|get to know|do\b|like)|^how to (?!know|tell|see)|\bwhere (?:do|can|could|should|must) i (?:put|store|set|configure|keep|save|write|change)\b|\bwie (?:kann|muss|soll|\p{L}+e) ich\b/u;
/** How to fix a thing is part of the answer about the thing. */
const FIX = /\b(?:fix|repair|mend|cure|solve|become|improve|reparier\w*|behebe\w*|repare\w*|arregl\w*)\b/;
const POSSIBLE =
  /\b(?:can|could|may) (?:i|we|one)\b|\bis (?:it possible|there a way)\b|\bkann (?:ich|man)\b|\bpuis je\b|\bpeut on\b|\bpuedo\b/;

export const SETTING =
  /\b(?:set|sets|put|store|keep|save|configure|change|choose|switch|turn|adjust|move|connect|plug|hook|attach|link|more|longer|shorter|faster|slower|einstell\w*|setze|andere|verbind\w*|konfigurier\w*|regler|configurer|changer|configur\w*|cambi\w*)\b/iu;

/** Words for the kind of thing that is searched. */
const KINDS: readonly (readonly [kind: TermKind, word: RegExp])[] = [
  [
    'key',
    /^(?:config|configuration|konfiguration|schlussel|cle|clave|keys?|settings?|options?|parameters?|einstellung\w*|reglages?|ajustes?)$/,
  ],
  ['command', /^(?:commands?|befehl\w*|commandes?|comandos?|cli)$/],
  ['endpoint', /^(?:endpoints?|apis?|routes?|rest)$/],
];
const BY_HTTP = /\b(?:by|via|over|per|with|mit|uber|par|por) (?:https?|curl|url)\b/;
/** "Under which path", "which URL gives me". */
const BY_PATH =
  /\b(?:under|at|from|on) (?:which|what) (?:path|url|route)\b|\b(?:which|what) (?:path|url|route) (?:do|does|can|gives?|serves?|has|returns?|must|should)\b/;
const kindAsked = ({ words, says }: Question): TermKind | undefined =>
  says(BY_HTTP) || says(BY_PATH)
    ? 'endpoint'
    : KINDS.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
export const asksForEndpoint = (question: Question): boolean => kindAsked(question) === 'endpoint';
const contentOf = (words: readonly string[]): readonly string[] =>
  words.filter(
    (word) =>
      !/^(?:https?|curl|url|path|json|script|fetch|serves?|gives?|returns?)$/.test(word) &&
      !SETTING.test(word) &&
      !KINDS.some(([, pattern]) => pattern.test(word)),
  );

/** Share of a purpose that must be explained; below it, the term with the nearest name is used. */
const SOME = 0.45;

/** Searched once per question. */
function once(search: (asked: Query) => SearchMatch | null): (asked: Query) => SearchMatch | null {
  const found = new WeakMap<Question, SearchMatch | null>();
  return (asked) => {
    const known = found.get(asked.question);
    if (known !== undefined) return known;
    const match = search(asked);
    found.set(asked.question, match);
    return match;
  };
}

/** The command, configuration key or endpoint for the purpose of a question. */
const purposeOf = once(({ question, library }) => {
  const said = kindAsked(question);
  const words = contentOf(question.words);
  let found = library.seek(words, [said ?? 'command']);
  if (said === undefined) {
    const key = library.seek(words, ['key']);
    const setting = question.says(SETTING) ? 0.3 : -0.25;
    if (key !== null && key.coverage + setting > (found?.coverage ?? 0)) found = key;
    const served = library.seek(words, ['endpoint']);
    if (served !== null && served.coverage > (found?.coverage ?? 0) + 0.25) found = served;
  }
  // If the whole question finds nothing, its part from "how" on is searched.
  const asked = question.words.join(' ');
  const from = asked.search(HOW_TO);
  if (found === null && from > 0) {
    const part = contentOf(asked.slice(from).split(' '));
    const among = said !== undefined ? [said] : question.says(SETTING) ? (['key'] as const) : [];
    if (among.length > 0) found = library.seek(part, among);
  }
  return found;
});

/** Asks how to do something that a command, key or endpoint is for: where to put a secret, how to forget a person. */
export const servesPurpose = (asked: Query, least = SOME): boolean =>
  asked.question.says(HOW_TO) && (purposeOf(asked)?.coverage ?? 0) >= least;

/** The variant of a command that fits: "restore" of "list|diff|review|restore". */
function sayVariant(out: AnswerBuilder, name: string, { words }: Question): void {
  const usage = out.value<string>(`commands[name=${quoted(name)}].usage`);
  const variants = /\b[a-z]+(?:\|[a-z]+)+/.exec(usage)?.[0].split('|') ?? [];
  const serving = variants.find((variant) =>
    words.some((word) => word.length > 3 && areAlike(word, variant)),
  );
  if (serving !== undefined) out.say`Here: ${plain(`desk ${name} ${serving}`)}.`;
}

/** How to do something: the configuration key to set, else the command. */
export const howTo: Intent = {
  id: 'how-to',
  score: (asked) => {
    const { question, library } = asked;
    const said = kindAsked(question);
    if (said !== 'key' && !question.says(HOW_TO) && !question.says(POSSIBLE)) return 0;
    const match = purposeOf(asked);
    // The question has the word "command".
    if (question.says(WHICH_COMMAND) && match !== null && match.coverage >= SOME) return 67.5;
    if (question.says(FIX) && said === undefined)
      return question.says(HOW_TO) && library.near(question.words.join(' '), 1, 'command').length > 0
        ? 40
        : 0;
    if (question.says(HOW_TO) || (said === 'key' && contentOf(question.names).length === 0)) {
      if (match !== null && match.coverage >= 0.6 && question.says(STRICT) && !question.says(FIX))
        return 66.5;
      if (match !== null && match.coverage >= SOME)
        return match.term.kind === 'key' && (said === 'key' || question.says(SETTING)) ? 63.5 : 61.5;
      // Words that are in no document: how to do something else.
      const odd = question.names.some((name) => /^\p{L}+$/u.test(name) && !library.spells(folded(name)));
      return !odd && library.near(question.words.join(' '), 1, 'command').length > 0 && question.says(HOW_TO)
        ? 44.5
        : 0;
    }
    return question.says(POSSIBLE) && match !== null && match.coverage > 0.8 ? 44.9 : 0;
  },
  answer(out, asked) {
    const { question, library } = asked;
    const match = purposeOf(asked);
    const near = library.near(question.words.join(' '), 2, 'command');
    const [first, second] =
      match !== null && match.coverage >= SOME
        ? [match.term, ...near.filter(({ name }) => name !== match.term.name)]
        : near;
    if (first?.kind === 'command') out.say`The nearest command I know:`;
    if (first !== undefined) explain(out, first, asked);
    if (first?.kind === 'command') sayVariant(out, first.name, question);
    if (second !== undefined && first?.kind === 'command')
      out.say`Or: ${out.ground(`commands[name=${quoted(second.name)}].usage`)}.`;
    return true;
  },
};

/** An endpoint by what it answers. */
export const endpoint: Intent = {
  id: 'endpoint',
  score: ({ question, library }) => {
    if (kindAsked(question) === 'endpoint' && nearEndpoint(question.words, library) !== undefined)
      return question.has('endpoint') ? 62 : 61.8;
    // "Where do I get X", when X is part of the name of one.
    const name = question.has('link') ? nearEndpoint(question.names, library)?.toLowerCase() : undefined;
    return name !== undefined && question.names.some((one) => name.includes(`/${one.toLowerCase()}`))
      ? 40
      : 0;
  },
  answer(out, asked) {
    const { words, names } = asked.question;
    const said = kindAsked(asked.question) === 'endpoint';
    EXPLAIN.endpoint(out, nearEndpoint(said ? words : names, asked.library) as string, asked);
    return true;
  },
};

function nearEndpoint(words: readonly string[], library: Library): string | undefined {
  const found = library.seek(contentOf(words), ['endpoint']);
  if (found !== null && found.coverage >= SOME) return found.term.name;
  return library.near(contentOf(words).join(' '), 1, 'endpoint')[0]?.name;
}

const MEANT: readonly TermKind[] = ['word', 'field', 'check', 'key', 'command'];
/** What the words of a question mean, whatever its intent. */
const matchOf = once(({ question, library }) => library.seek(question.words, MEANT));

const BY_WHOM =
  /^(?:which|what|welcher|quel|que) (?:user|person|human|one|colleague|benutzer|utilisateur|usuario)\b/;

/** One document explains all of the question, or nearly all. */
export const byMeaning: Intent = {
  id: 'by-meaning',
  most: 44.2,
  score: (asked) => {
    const one = matchOf(asked);
    // Who did something is in no document.
    if (
      one === null ||
      ((asked.question.has('who') || asked.question.says(BY_WHOM)) && one.term.kind !== 'word')
    )
      return 0;
    const { coverage, words, leads } = one;
    if (words === 1) return coverage === 1 && /^(?:word|check)$/.test(one.term.kind) ? 19 : 0;
    if (coverage > 0.9) return leads ? 44.2 : 31;
    if (coverage > 0.8) return leads ? 31 : 19;
    return words > 2 && coverage > 0.7 && leads ? 28 : 0;
  },
  answer(out, asked) {
    explain(out, (matchOf(asked) as SearchMatch).term, asked);
    return true;
  },
};

/** Longer lists are not added to an answer. */
const MOST_BESIDE = 4;

/** Adds a field that explains the whole question to the answer about its subject, if it is not in it. */
export function sayBeside(out: AnswerBuilder, asked: Query): void {
  const one = matchOf(asked);
  if (one === null || one.term.kind !== 'field' || one.words < 2 || one.coverage < 0.95 || !one.leads) return;
  const { name } = one.term;
  if (name.includes('[]')) {
    const items = out.read(name.slice(0, name.indexOf('[')));
    if (!Array.isArray(items) || items.length > MOST_BESIDE) return;
  } else {
    const value = out.read(name);
    const short = Array.isArray(value)
      ? value.length <= MOST_BESIDE
      : ['number', 'boolean', 'string'].includes(typeof value);
    if (!short || value === '' || out.includes(name)) return;
  }
  explain(out, one.term, asked);
}
