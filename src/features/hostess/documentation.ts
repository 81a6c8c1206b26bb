/** The documentation as entries: words, fields, checks, commands, endpoints and keys with their meanings. It is the same on every machine. */
import MiniSearch from 'minisearch';
import { isStopWord } from './lexicon.ts';
import { readKnowledge } from './read-knowledge.ts';

const MOST_ENTRIES = 12;
/** Characters of all of them. */
const MOST_TEXT = 3_000;

interface Entry {
  readonly kind: 'word' | 'field' | 'check' | 'command' | 'endpoint' | 'key';
  readonly name: string;
  readonly meaning: string;
}

let entries: readonly Entry[] | null = null;

/** All entries. */
export function documentation(): readonly Entry[] {
  entries ??= readEntries();
  return entries;
}

function readEntries(): readonly Entry[] {
  const { words, fields, checks, commands, endpoints, keys } = readKnowledge();
  const all: readonly Entry[] = [
    ...words.map(({ word, meaning }) => ({ kind: 'word' as const, name: word, meaning })),
    ...fields.map(({ path, meaning }) => ({ kind: 'field' as const, name: path, meaning })),
    ...checks.map(({ id, about }) => ({ kind: 'check' as const, name: id, meaning: about })),
    ...commands.map(({ name, summary }) => ({
      kind: 'command' as const,
      name: `desk ${name}`,
      meaning: summary,
    })),
    ...endpoints.map(({ name, summary }) => ({ kind: 'endpoint' as const, name, meaning: summary })),
    ...keys.map(({ key, meaning }) => ({ kind: 'key' as const, name: key, meaning })),
  ];
  // A name that is explained twice is one entry.
  const byKey = new Map<string, Entry>();
  for (const one of all) {
    const key = `${one.kind} ${one.name}`;
    const before = byKey.get(key);
    const same = before === undefined || before.meaning === one.meaning;
    byKey.set(key, same ? one : { ...one, meaning: `${before.meaning}; ${one.meaning}` });
  }
  return [...byKey.values()];
}

let index: MiniSearch | null = null;

/** Those that fit some words best, the best first. */
export function entriesFor(words: string): readonly Entry[] {
  const all = documentation();
  if (index === null) {
    index = new MiniSearch({
      fields: ['name', 'meaning'],
      processTerm: (word) => (isStopWord(word.toLowerCase()) ? null : word.toLowerCase()),
      searchOptions: { boost: { name: 2 } },
    });
    index.addAll(all.map(({ name, meaning }, id) => ({ id, name, meaning })));
  }
  let room = MOST_TEXT;
  const found = index.search(words).map(({ id }) => all[id as number] as Entry);
  return found.slice(0, MOST_ENTRIES).filter(({ name, meaning }) => {
    room -= name.length + meaning.length;
    return room >= 0;
  });
}
