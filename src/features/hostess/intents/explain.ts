/** The answer about a word, field, check, command, endpoint or key. */
import { type AnswerBuilder, part, plain } from '../answer-builder.ts';
import type { Query } from '../intent.ts';
import type { Term } from '../knowledge.ts';
import { quoted } from '../paths.ts';

/** Items of a list that are shown. */
const MOST_ITEMS = 4;
/** Fields that name an item of a list, in order of preference. */
const CALLED_BY = ['source', 'id', 'name', 'check', 'text', 'summary'] as const;

/** Values of a list: "names", or of a field of its items: "sources[].complete_at". */
function sayItems(out: AnswerBuilder, path: string): void {
  const [list = '', key] = path.split('[].');
  const items = out.read(list);
  if (!Array.isArray(items)) return;
  const count = out.ground(`${list}.length`);
  const rows = out.rows(list, MOST_ITEMS);
  if (rows.length === 0) out.say`There is none now (${count}).`;
  for (const row of rows) {
    const item = out.read<Readonly<Record<string, unknown>>>(row) ?? {};
    const plainItem = typeof item !== 'object';
    const called = plainItem ? undefined : CALLED_BY.find((name) => name !== key && item[name] !== undefined);
    const shown = plainItem
      ? row
      : `${row}.${key ?? CALLED_BY.find((name) => name !== called && item[name] !== undefined)}`;
    const value = out.read(shown);
    if (called !== undefined && (value === undefined || typeof value === 'object') && value !== null)
      out.say`${out.ground(`${row}.${called}`)}.`;
    else if (value === '' && called !== undefined) out.say`${out.ground(`${row}.${called}`)}: nothing.`;
    else if (value !== undefined && (value === null || typeof value !== 'object'))
      out.say`${called === undefined ? plain('It has') : part`${out.ground(`${row}.${called}`)}:`} ${out.ground(shown)}.`;
  }
  if (Number(count.value) > rows.length) out.say`There are ${count} in all.`;
}

/** The open findings of a check, and what it could not see. */
export function saySummaries(out: AnswerBuilder, check: string, most: number): void {
  for (const get of out.items(`detection.findings[check=${check}]`, most)) out.say`${get('summary')}.`;
  const note = `detection.notes[check=${check}]`;
  const get = out.at(note);
  if (out.read(`${note}.reason`) !== undefined)
    out.say`It could not see everything: ${get('reason')}; cure: ${get('cure')}.`;
}

function sayNow(out: AnswerBuilder, path: string): void {
  const now = out.ground(path);
  out.say`Now it is ${now.value === '' ? plain('empty') : now}.`;
}

const MOST_SHOWN = 3;
const MOST_KEYS = 12;

/** An example with the id of an open finding in place of its own; null when no finding is open. */
function withFinding(example: string, out: AnswerBuilder): string | null {
  const id = /\b[0-9a-f]{16}\b/;
  if (!id.test(example)) return example;
  const found = out.read<string>('detection.findings[0].id');
  return found === undefined ? null : example.replace(id, found);
}

/** By kind of term. The answer about a field has its present value, if it is a single one. */
export const EXPLAIN: Readonly<
  Record<Term['kind'], (out: AnswerBuilder, name: string, asked: Query) => void>
> = {
  section: (out, name) => {
    const get = out.at(`sections[name=${quoted(name)}]`);
    out.quotesDocumentation();
    out.say`${get('name')}: ${get('about')}.`;
  },
  word: (out, name) => {
    const get = out.at(`words[word=${quoted(name)}]`);
    out.say`${get('word')}: ${get('meaning')}.`;
  },
  field: (out, name) => {
    const get = out.at(`fields[path=${quoted(name)}]`);
    out.say`${get('path')} (${get('type')}): ${get('meaning')}.`;
    const value = /[[\]]/.test(name) ? undefined : out.read(name);
    if (/^[^[]+\[\]\.\w+$/.test(name) || Array.isArray(value)) sayItems(out, name);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) sayNow(out, name);
    const duty = `page.duties[name=${name.slice(name.lastIndexOf('.') + 1)}].reason`;
    if (name.startsWith('charge.in_charge.') && value === false && out.read(duty) !== '')
      out.say`Why: ${out.ground(duty)}.`;
    out.suggest('desk status --json');
  },
  check: (out, name) => {
    const get = out.at(`checks[id=${name}]`);
    out.say`The check ${get('id')} (tier ${get('tier')}, severity ${get('severity')}, avenue ${get('avenue')}): ${get('about')}.`;
    out.say`A fail may be benign: ${get('benign')}. What to do: ${get('remedy')}.`;
    const list = `detection.findings[check=${name}]`;
    const count = out.ground(`${list}.length`);
    out.say`Findings of it now: ${count}.`;
    saySummaries(out, name, MOST_SHOWN);
    out.suggest('desk findings');
  },
  command: (out, name) => {
    const row = `commands[name=${quoted(name)}]`;
    const get = out.at(row);
    out.say`${get('usage')}: ${get('summary')}.`;
    for (const example of out.rows(`${row}.examples`, 1)) {
      const line = withFinding(out.value<string>(example), out);
      if (line !== null) out.suggest(line);
    }
    out.suggest(`desk help ${name.split(' ')[0]}`);
    // Complete without further words.
    const needed = out.value<string>(`${row}.usage`).replace(/\[[^\]]*\]/g, '');
    if (needed.trim() === `desk ${name}`) out.suggest(`desk ${name}`);
  },
  endpoint: (out, name) => {
    const get = out.at(`endpoints[name=${quoted(name)}]`);
    out.say`${get('name')}: ${get('summary')}.`;
    out.suggest('desk open');
  },
  key: (out, name) => {
    const get = out.at(`keys[key=${quoted(name)}]`);
    const [meaning, standard] = [get('meaning'), get('default')];
    out.say`${get('key')} is a key of the configuration${meaning.value === '' ? plain('') : part`: ${meaning}`}. Its default is ${standard}.`;
    const now = out.read(`config.${name}`);
    if (now !== undefined && typeof now !== 'object') sayNow(out, `config.${name}`);
    else if (now === undefined) out.say`I do not tell how it is set.`;
    // The keys of a table.
    const within = (out.read<readonly { readonly key: string }[]>('keys') ?? []).filter(
      ({ key }) => key.startsWith(`${name}.`) && !key.includes('.', name.length + 1),
    );
    if (within.length > 0)
      out.say`In it: ${out.join(
        within.slice(0, MOST_KEYS).map(({ key }) => out.ground(`keys[key=${quoted(key)}].key`)),
        within.length,
      )}.`;
    out.suggest('desk config check');
  },
};

export function explain(out: AnswerBuilder, term: Term, asked: Query): void {
  out.quotesDocumentation();
  EXPLAIN[term.kind](out, term.name, asked);
  // A word can be the name of a field too: then the answer has its value.
  if (term.kind !== 'word') return;
  const value = asked.library
    .named(term.name)
    .find(
      ({ kind, name }) =>
        kind === 'field' && !/[[\]]/.test(name) && ['number', 'boolean'].includes(typeof out.read(name)),
    );
  if (value !== undefined) EXPLAIN.field(out, value.name, asked);
}
