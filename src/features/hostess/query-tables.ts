/** What a query can ask of the documentation: words, fields, checks, commands, endpoints and keys with their meanings. */
import { type DeskTable, ownColumn, recordTable } from '../../desk/query.ts';
import { readKnowledge } from './read-knowledge.ts';

interface Section {
  readonly kind: 'word' | 'field' | 'check' | 'command' | 'endpoint' | 'key';
  readonly name: string;
  readonly meaning: string;
}

let sections: readonly Section[] | null = null;

function readSections(): readonly Section[] {
  const { words, fields, checks, commands, endpoints, keys } = readKnowledge();
  const all: readonly Section[] = [
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
  const entries = new Map<string, Section>();
  for (const one of all) {
    const key = `${one.kind} ${one.name}`;
    const before = entries.get(key);
    const same = before === undefined || before.meaning === one.meaning;
    entries.set(key, same ? one : { ...one, meaning: `${before.meaning}; ${one.meaning}` });
  }
  return [...entries.values()];
}

const documentation = recordTable({
  name: 'documentation',
  meaning:
    'words, fields of records, checks, commands, endpoints and keys of the configuration, with their meanings',
  noun: ['entry of the documentation', 'entries of the documentation'],
  key: ['kind', 'name'],
  label: 'name',
  columns: [
    ownColumn('kind', 'text', 'what it is', {
      values: ['word', 'field', 'check', 'command', 'endpoint', 'key'],
    }),
    ownColumn('name', 'text', 'what it is called'),
    ownColumn('meaning', 'text', 'what it means'),
  ],
  read: () => {
    sections ??= readSections();
    return { rows: sections };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [documentation];
