/** What is asked for by its purpose or its meaning and not by its name: found in full text over everything that is known. */

import { type AnswerBuilder, plain } from '../answer-builder.ts';
import { areAlike, type SearchMatch } from '../document-index.ts';
import type { Intent, Query } from '../intent.ts';
import type { Library, TermKind } from '../knowledge.ts';
import { quoted } from '../paths.ts';
import type { Question } from '../understand.ts';
import { EXPLAIN, explain } from './explain.ts';

export const HOW_TO =
  /\b(?:how (?:do|can|could|should|would|to|must|might)\b|where (?:can|could|do|must|should) i\b|which (?:config(?:uration)? )?(?:key|setting|option)|which command|what command|command (?:to|for|that)|way to|befehl (?:um|zum|fur)|commande pour|comando para|wie (?:kann|mache|soll|geht|andere|stelle|setze|\p{L}+ (?:ich|man))|womit|welcher befehl|mit welchem|comment (?:puis|faire|je|on|\p{L}+(?:er|ir|re)\b)|quelle commande|como (?:puedo|hago|se|\p{L}+[oa]\b|\p{L}+[aei]r\b)|que comando)/u;

const WHICH_COMMAND =
  /\b(?:which|what) command\b|\bwelcher befehl\b|\bmit welchem befehl\b|\bquelle commande\b|\bque comando\b/;

/** So asks nobody for what is, but for what to do. */
const STRICT =
  /\bhow (?:do|can|could|should|would|must) (?:i|we|one|you) (?!know\b|tell\b|see\b|find out|get to know|do\b|like)|^how to (?!know|tell|see)|\bwhere (?:do|can|could|should|must) i (?:put|store|set|configure|keep|save|write|change)\b|\bwie (?:kann|muss|soll|\p{L}+e) ich\b/u;
/** What mends a thing is told where the thing is. */
const FIX = /\b(?:fix|repair|mend|cure|solve|become|improve|reparier\w*|behebe\w*|repare\w*|arregl\w*)\b/;
const POSSIBLE =
  /\b(?:can|could|may) (?:i|we|one)\b|\bis (?:it possible|there a way)\b|\bkann (?:ich|man)\b|\bpuis je\b|\bpeut on\b|\bpuedo\b/;

export const SETTING =
  /\b(?:set|sets|put|store|keep|save|configure|change|choose|switch|turn|adjust|move|connect|plug|hook|attach|link|more|longer|shorter|faster|slower|einstell\w*|setze|andere|verbind\w*|konfigurier\w*|regler|configurer|changer|configur\w*|cambi\w*)\b/iu;

/** Words that tell of which kind the thing is that is looked for. */
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
const kindSaid = ({ words, says }: Question): TermKind | undefined =>
  says(BY_HTTP) || says(BY_PATH)
    ? 'endpoint'
    : KINDS.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
export const asksForEndpoint = (question: Question): boolean => kindSaid(question) === 'endpoint';
const contentOf = (words: readonly string[]): readonly string[] =>
  words.filter(
    (word) =>
      !/^(?:https?|curl|url|path|json|script|fetch|serves?|gives?|returns?)$/.test(word) &&
      !SETTING.test(word) &&
      !KINDS.some(([, pattern]) => pattern.test(word)),
  );

/** So much of a purpose must be explained, or what is nearly named so is told. */
const SOME = 0.45;

const purposes = new WeakMap<Question, SearchMatch | null>();
/** What serves the purpose that is asked for: a command, or a key of the configuration. */
function purposeOf({ question, library }: Query): SearchMatch | null {
  const known = purposes.get(question);
  if (known !== undefined) return known;
  const said = kindSaid(question);
  const words = contentOf(question.words);
  let found = library.seek(words, [said ?? 'command']);
  if (said === undefined) {
    const key = library.seek(words, ['key']);
    const setting = question.says(SETTING) ? 0.3 : -0.25;
    if (key !== null && key.coverage + setting > (found?.coverage ?? 0)) found = key;
    const served = library.seek(words, ['endpoint']);
    if (served !== null && served.coverage > (found?.coverage ?? 0) + 0.25) found = served;
  }
  // Of a longer question the part that asks how counts, where all of it explains nothing.
  const asked = question.words.join(' ');
  const from = asked.search(HOW_TO);
  if (found === null && from > 0) {
    const part = contentOf(asked.slice(from).split(' '));
    const among = said !== undefined ? [said] : question.says(SETTING) ? (['key'] as const) : [];
    if (among.length > 0) found = library.seek(part, among);
  }
  purposes.set(question, found);
  return found;
}

/** A purpose is asked for, and it is of this kind: where a secret is put, how a person is forgotten. */
export const servesPurpose = (asked: Query, least = SOME): boolean =>
  asked.question.says(HOW_TO) && (purposeOf(asked)?.coverage ?? 0) >= least;

/** Of a command with several words to choose from the one that serves: "restore" of "list|diff|review|restore". */
function sayVariant(out: AnswerBuilder, name: string, { words }: Question): void {
  const usage = out.value<string>(`commands[name=${quoted(name)}].usage`);
  const variants = /\b[a-z]+(?:\|[a-z]+)+/.exec(usage)?.[0].split('|') ?? [];
  const serving = variants.find((variant) =>
    words.some((word) => word.length > 3 && areAlike(word, variant)),
  );
  if (serving !== undefined) out.say`Here: ${plain(`desk ${name} ${serving}`)}.`;
}

/** How to do something: the key where something is to be set, else the command that serves. */
export const howTo: Intent = {
  id: 'how-to',
  score: (asked) => {
    const { question, library } = asked;
    const said = kindSaid(question);
    if (said !== 'key' && !question.says(HOW_TO) && !question.says(POSSIBLE)) return 0;
    const sought = purposeOf(asked);
    // A command is asked for by that word.
    if (question.says(WHICH_COMMAND) && sought !== null && sought.coverage >= SOME) return 67.5;
    if (question.says(FIX) && said === undefined) return question.says(HOW_TO) ? 40 : 0;
    if (question.says(HOW_TO) || (said === 'key' && contentOf(question.names).length === 0)) {
      if (sought !== null && sought.coverage >= 0.6 && question.says(STRICT) && !question.says(FIX))
        return 66.5;
      if (sought !== null && sought.coverage >= SOME)
        return sought.term.kind === 'key' && (said === 'key' || question.says(SETTING)) ? 63.5 : 61.5;
      return library.near(question.words.join(' '), 1, 'command').length > 0 && question.says(HOW_TO)
        ? 44.5
        : 0;
    }
    return question.says(POSSIBLE) && sought !== null && sought.coverage > 0.8 ? 44.9 : 0;
  },
  answer(out, asked) {
    const { question, library } = asked;
    const sought = purposeOf(asked);
    const near = library.near(question.words.join(' '), 2, 'command');
    const [first, second] =
      sought !== null && sought.coverage >= SOME
        ? [sought.term, ...near.filter(({ name }) => name !== sought.term.name)]
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
    if (kindSaid(question) === 'endpoint' && nearEndpoint(question.words, library) !== undefined)
      return question.has('endpoint') ? 62 : 61.8;
    // "Where do I get X", when X stands in the name of one.
    const name = question.has('link') ? nearEndpoint(question.names, library)?.toLowerCase() : undefined;
    return name !== undefined && question.names.some((one) => name.includes(`/${one.toLowerCase()}`))
      ? 40
      : 0;
  },
  answer(out, asked) {
    const { words, names } = asked.question;
    const said = kindSaid(asked.question) === 'endpoint';
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
const found = new WeakMap<Question, SearchMatch | null>();
/** What the words of a question mean, whatever its kind. */
function soughtIn({ question, library }: Query): SearchMatch | null {
  const known = found.get(question);
  if (known !== undefined) return known;
  const sought = library.seek(question.words, MEANT);
  found.set(question, sought);
  return sought;
}

const BY_WHOM =
  /^(?:which|what|welcher|quel|que) (?:user|person|human|one|colleague|benutzer|utilisateur|usuario)\b/;

/** All of the question, or nearly all, is explained by one document. */
export const sought: Intent = {
  id: 'sought',
  most: 44.2,
  score: (asked) => {
    const one = soughtIn(asked);
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
    explain(out, (soughtIn(asked) as SearchMatch).term, asked);
    return true;
  },
};

/** A longer list is not told beside. */
const MOST_BESIDE = 4;

/** A subject was told: a field of one value that explains all of the question is told too, where it was not. */
export function sayBeside(out: AnswerBuilder, asked: Query): void {
  const one = soughtIn(asked);
  if (one === null || one.term.kind !== 'field' || one.words < 2 || one.coverage < 0.95 || !one.leads) return;
  const { name } = one.term;
  if (name.includes('[]')) {
    const items = out.look(name.slice(0, name.indexOf('[')));
    if (!Array.isArray(items) || items.length > MOST_BESIDE) return;
  } else {
    const value = out.look(name);
    const told = Array.isArray(value)
      ? value.length <= MOST_BESIDE
      : ['number', 'boolean', 'string'].includes(typeof value);
    if (!told || value === '' || out.includes(name)) return;
  }
  explain(out, one.term, asked);
}
