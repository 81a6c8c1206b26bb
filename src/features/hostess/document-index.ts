/**
 * Full-text search over names, meanings and the meanings of parent records, by words and by concepts in any of the languages. The share
 * of a question that a document explains, weighted by the rarity of each word, rejects nonsense: a word that nothing explains counts most.
 */
import MiniSearch from 'minisearch';
import { folded, type Term, type TermKind } from './knowledge.ts';
import { exactConceptsOf, isFrequent, isStopWord } from './lexicon.ts';

interface IndexedTerm extends Term {
  /** What it means. */
  readonly text: string;
  /** Meanings of the records it belongs to. */
  readonly context: string;
}

export interface SearchMatch {
  readonly term: Term;
  /** How much of the question it explains, 0 to 1. */
  readonly coverage: number;
  /** How many words of the question were searched. */
  readonly words: number;
  /** No document of another meaning explains nearly as much. */
  readonly leads: boolean;
}

/** Synonyms, a line each; the lexicon has more. */
const ALIKE: readonly (readonly string[])[] = [
  'recheck loop sweep',
  'teach learn train normal usual',
  'temperature heat thermal hot warm sensor',
  'outage down unreachable failed fail failure broken trouble',
  'restore back return older previous rollback revert undo',
  'forget remove erase delete purge',
  'accept approve excuse excused explain explained exception waive except allow permit whitelist annehmen nehme akzeptiere akzeptieren acepto aceptar accepte accepter',
  'history past happened changed log',
  'cook rid',
  'interval often frequency period every',
  'duration long time took last',
  'speed fast quick slow latency duration ms',
  'people person contact correspondent human',
  'outside beyond public world internet external exposed reachable',
  'local localhost loopback internal',
  'hidden invisible concealed covered',
  'deleted removed gone missing',
  'size big large much',
  'begin start started since boot',
  'end ended expire expired expires',
  'ask talk think question',
  'browser page open',
  'colour color accent theme',
  'excused explained exception',
  'program process executable application',
  'count number many amount total',
  'address mail email',
  'folder directory path file',
  'remedy cure fix repair heal solve',
  'measure performance benchmark bench',
  'certificate tls ssl https',
  'password credential secret',
  'network net tcp socket connection',
  'mode event poll polling',
  'score points mark axes',
  'camera webcam video',
  'microphone audio hear',
  'save write stored export',
  'debug trace traced ptrace attach',
  'memory ram memfd',
  'driver module kernel',
].map((line) => line.split(' '));

/** Concepts of nearly every document. */
const VAGUE: ReadonlySet<string> = new Set(
  'nothing count not which who why self see since well up issue change should cheer run'.split(' '),
);
const MOST_WORDS = 12;
/** A document must explain this share of a question. */
const SOME = 0.45;
/** A document with a lower share of the best score is not a rival of it. */
const RIVAL = 0.92;
const BOOSTS: Readonly<Record<string, number>> = { name: 1.25, text: 1, context: 0.75 };

/** A word without its endings. */
function stemOf(word: string): string {
  if (word.length < 5 && !/[^s]s$/.test(word)) return word;
  const bare = word
    .replace(/(?:ies|y)$/, 'i')
    .replace(/(?:ings?|ed|ers?|ely|ly)$/, '')
    .replace(/(?<!s|u|i)s$/, '')
    .replace(/(?<=sh|ch|ss|x)e$/, '')
    .replace(/e$/, '')
    .replace(/([b-df-hj-kmnp-rtv-z])\1$/, '$1');
  return bare.length < 3 ? word : bare;
}

const ALIKE_BY_STEM = new Map<string, readonly string[]>();
for (const stems of ALIKE.map((group) => group.map(stemOf)))
  for (const stem of stems) ALIKE_BY_STEM.set(stem, [...(ALIKE_BY_STEM.get(stem) ?? []), ...stems]);

const wordsIn = (text: string): string[] => folded(text.replace(/[./]/g, ' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
const aboutOf = (word: string): string[] =>
  exactConceptsOf(word)
    .filter((concept) => !VAGUE.has(concept))
    .map((concept) => `~${concept}`);

/** Forms of a word in the index, with their weights. */
function formsOf(word: string): Map<string, number> {
  const forms = new Map<string, number>();
  for (const about of aboutOf(word)) forms.set(about, 0.75);
  const stem = stemOf(word);
  for (const alike of ALIKE_BY_STEM.get(stem) ?? []) forms.set(alike, 0.85);
  return forms.set(stem, 1);
}

/** Whether two words mean nearly the same. */
export const areAlike = (a: string, b: string): boolean => formsOf(a).has(stemOf(b));

export class DocumentIndex {
  readonly #terms: readonly IndexedTerm[];
  readonly #index: MiniSearch;
  /** Number of documents with a form. */
  readonly #held = new Map<string, number>();
  readonly #nameWords: readonly number[];

  constructor(terms: readonly IndexedTerm[]) {
    this.#terms = terms;
    const known = new Map<string, readonly string[]>();
    const formsIn = (word: string): readonly string[] => {
      const forms = known.get(word) ?? [...new Set([stemOf(word), ...aboutOf(word)])];
      known.set(word, forms);
      return forms;
    };
    this.#index = new MiniSearch({
      fields: ['name', 'text', 'context'],
      tokenize: wordsIn,
      processTerm: (word) => [...formsIn(word)],
      searchOptions: { tokenize: (text) => text.split(' '), processTerm: (form) => form },
    });
    this.#index.addAll(terms.map(({ name, text, context }, id) => ({ id, name, text, context })));
    this.#nameWords = terms.map(({ name }) => wordsIn(name).length);
    for (const { name, text, context } of terms)
      for (const form of new Set(wordsIn(`${name} ${text} ${context}`).flatMap(formsIn)))
        this.#held.set(form, (this.#held.get(form) ?? 0) + 1);
  }

  /** What explains most of these words, among terms of these kinds; null when nothing explains any. */
  seek(words: readonly string[], kinds: readonly TermKind[]): SearchMatch | null {
    const wanted = [...new Set(words.map(folded))]
      .filter((word) => word.length > 1 && !isStopWord(word))
      .slice(0, MOST_WORDS)
      .map((word) => {
        const forms = formsOf(word);
        const held =
          this.#held.get(stemOf(word)) ??
          Math.max(0, ...[...forms.keys()].map((form) => this.#held.get(form) ?? 0));
        const weight = Math.log(1 + this.#terms.length / (held || (isFrequent(word) ? 20 : 0.3)));
        return { forms, held, weight };
      });
    if (wanted.length === 0) return null;
    const all = wanted.reduce((sum, { weight }) => sum + weight, 0);
    const explained = wanted.reduce((sum, { weight, held }) => sum + (held > 0 ? weight : 0), 0);
    if (explained < SOME * all) return null;
    const query = [...new Set(wanted.flatMap(({ forms }) => [...forms.keys()]))].join(' ');
    const results = this.#index.search(query, {
      filter: ({ id }) => kinds.includes(this.#terms[id as number]?.kind as TermKind),
    });
    const rated = results.map(({ id, match }) => {
      let [coverage, score, named] = [0, 0, 0];
      for (const { forms, weight } of wanted) {
        let [covers, counts] = [0, 0];
        for (const [form, good] of forms) {
          const fields = Object.hasOwn(match, form) ? match[form] : undefined;
          if (fields === undefined) continue;
          covers = Math.max(covers, good);
          counts = Math.max(counts, ...fields.map((field) => good * (BOOSTS[field] as number)));
          if (fields.includes('name')) named++;
        }
        coverage += (covers * weight) / all;
        score += (counts * weight) / all;
      }
      const at = id as number;
      return { at, coverage, score: score + 0.1 * Math.min(1, named / (this.#nameWords[at] as number)) };
    });
    // Of equal ones the first.
    const best = rated.reduce<(typeof rated)[number] | undefined>(
      (most, one) => (most === undefined || one.score > most.score ? one : most),
      undefined,
    );
    if (best === undefined) return null;
    const { kind, name, text } = this.#terms[best.at] as IndexedTerm;
    const rivals = rated.filter(({ at }) => this.#terms[at]?.text !== text);
    const leads = rivals.every(({ score }) => score < RIVAL * best.score) && best.score > 0;
    return { term: { kind, name }, coverage: best.coverage, words: wanted.length, leads };
  }
}
