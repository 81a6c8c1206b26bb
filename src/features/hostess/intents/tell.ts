/** What she tells of a word, field, check, command, endpoint or key. */

import { part, plain, type Speech } from '../answer-builder.ts';
import type { Asked } from '../intent.ts';
import type { Term } from '../knowledge.ts';
import { quoted } from '../paths.ts';

/** Items of a list whose value is told. */
const MOST_ITEMS = 4;
/** What an item of a list is called by, the first that it has. */
const CALLED_BY = ['source', 'id', 'name', 'check', 'text', 'summary'] as const;

/** Values of a list: "names", or of a field of its items: "sources[].complete_at". */
function sayItems(speech: Speech, path: string): void {
  const [list = '', key] = path.split('[].');
  const items = speech.look(list);
  if (!Array.isArray(items)) return;
  const count = speech.ground(`${list}.length`);
  const rows = speech.rows(list, MOST_ITEMS);
  if (rows.length === 0) speech.say`There is none now (${count}).`;
  for (const row of rows) {
    const item = speech.look<Readonly<Record<string, unknown>>>(row) ?? {};
    const plainItem = typeof item !== 'object';
    const called = plainItem ? undefined : CALLED_BY.find((name) => name !== key && item[name] !== undefined);
    const told = plainItem
      ? row
      : `${row}.${key ?? CALLED_BY.find((name) => name !== called && item[name] !== undefined)}`;
    const value = speech.look(told);
    if (called !== undefined && (value === undefined || typeof value === 'object') && value !== null)
      speech.say`${speech.ground(`${row}.${called}`)}.`;
    else if (value === '' && called !== undefined) speech.say`${speech.ground(`${row}.${called}`)}: nothing.`;
    else if (value !== undefined && (value === null || typeof value !== 'object'))
      speech.say`${called === undefined ? plain('It has') : part`${speech.ground(`${row}.${called}`)}:`} ${speech.ground(told)}.`;
  }
  if (Number(count.value) > rows.length) speech.say`There are ${count} in all.`;
}

function sayNow(speech: Speech, path: string): void {
  const now = speech.ground(path);
  speech.say`Now it is ${now.value === '' ? plain('empty') : now}.`;
}

const TOLD = 3;
const MOST_KEYS = 12;

/** An example names a finding that is not there: the first that is takes its place; null where there is none. */
function withFinding(example: string, speech: Speech): string | null {
  const id = /\b[0-9a-f]{16}\b/;
  if (!id.test(example)) return example;
  const found = speech.look<string>('detection.findings[0].id');
  return found === undefined ? null : example.replace(id, found);
}

/** What is asked, and where it is told: the value of a field is told beside its meaning where it is one value. */
export const TELL: Readonly<Record<Term['kind'], (speech: Speech, name: string, asked: Asked) => void>> = {
  word: (speech, name) => {
    const row = `words[word=${quoted(name)}]`;
    speech.say`${speech.ground(`${row}.word`)}: ${speech.ground(`${row}.meaning`)}.`;
  },
  field: (speech, name) => {
    const row = `fields[path=${quoted(name)}]`;
    speech.say`${speech.ground(`${row}.path`)} (${speech.ground(`${row}.type`)}): ${speech.ground(`${row}.meaning`)}.`;
    const value = /[[\]]/.test(name) ? undefined : speech.look(name);
    if (/^[^[]+\[\]\.\w+$/.test(name) || Array.isArray(value)) sayItems(speech, name);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) sayNow(speech, name);
    const duty = `page.duties[name=${name.slice(name.lastIndexOf('.') + 1)}].reason`;
    if (name.startsWith('charge.in_charge.') && value === false && speech.look(duty) !== '')
      speech.say`Why: ${speech.ground(duty)}.`;
    speech.suggest('desk status --json');
  },
  check: (speech, name) => {
    const row = `checks[id=${name}]`;
    speech.say`The check ${speech.ground(`${row}.id`)} (tier ${speech.ground(`${row}.tier`)}, severity ${speech.ground(`${row}.severity`)}, avenue ${speech.ground(`${row}.avenue`)}): ${speech.ground(`${row}.about`)}.`;
    speech.say`A fail may be benign: ${speech.ground(`${row}.benign`)}. What to do: ${speech.ground(`${row}.remedy`)}.`;
    const list = `detection.findings[check=${name}]`;
    const count = speech.ground(`${list}.length`);
    speech.say`Findings of it now: ${count}.`;
    for (const found of speech.rows(list, TOLD)) speech.say`${speech.ground(`${found}.summary`)}.`;
    const note = `detection.notes[check=${name}]`;
    if (speech.look(`${note}.reason`) !== undefined)
      speech.say`It could not see everything: ${speech.ground(`${note}.reason`)}; cure: ${speech.ground(`${note}.cure`)}.`;
    speech.suggest('desk findings');
  },
  command: (speech, name) => {
    const row = `commands[name=${quoted(name)}]`;
    speech.say`${speech.ground(`${row}.usage`)}: ${speech.ground(`${row}.summary`)}.`;
    for (const example of speech.rows(`${row}.examples`, 1)) {
      const line = withFinding(speech.value<string>(example), speech);
      if (line !== null) speech.suggest(line);
    }
    speech.suggest(`desk help ${name.split(' ')[0]}`);
    // As it stands it runs when it needs no word more.
    const needed = speech.value<string>(`${row}.usage`).replace(/\[[^\]]*\]/g, '');
    if (needed.trim() === `desk ${name}`) speech.suggest(`desk ${name}`);
  },
  endpoint: (speech, name) => {
    const row = `endpoints[name=${quoted(name)}]`;
    speech.say`${speech.ground(`${row}.name`)}: ${speech.ground(`${row}.summary`)}.`;
    speech.suggest('desk open');
  },
  key: (speech, name) => {
    const row = `keys[key=${quoted(name)}]`;
    const [meaning, standard] = [speech.ground(`${row}.meaning`), speech.ground(`${row}.default`)];
    speech.say`${speech.ground(`${row}.key`)} is a key of the configuration${meaning.value === '' ? plain('') : part`: ${meaning}`}. Its default is ${standard}.`;
    const now = speech.look(`config.${name}`);
    if (now !== undefined && typeof now !== 'object') sayNow(speech, `config.${name}`);
    else if (now === undefined) speech.say`I do not tell how it is set.`;
    // Of a table of keys those that lie in it.
    const within = (speech.look<readonly { readonly key: string }[]>('keys') ?? []).filter(
      ({ key }) => key.startsWith(`${name}.`) && !key.includes('.', name.length + 1),
    );
    if (within.length > 0)
      speech.say`In it: ${speech.join(within.slice(0, MOST_KEYS).map(({ key }) => speech.ground(`keys[key=${quoted(key)}].key`)))}${plain(within.length > MOST_KEYS ? ' and more' : '')}.`;
    speech.suggest('desk config check');
  },
};

export function tell(speech: Speech, term: Term, asked: Asked): void {
  TELL[term.kind](speech, term.name, asked);
  // A word may be the name of a field too: its value belongs to the answer.
  if (term.kind !== 'word') return;
  const value = asked.library
    .named(term.name)
    .find(
      ({ kind, name }) =>
        kind === 'field' && !/[[\]]/.test(name) && ['number', 'boolean'].includes(typeof speech.look(name)),
    );
  if (value !== undefined) TELL.field(speech, value.name, asked);
}
