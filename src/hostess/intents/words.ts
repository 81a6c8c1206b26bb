/** What a word, field, check, command, key or endpoint means; lists of commands and checks; where things are. */
import type { Asked, Intent } from '../intent.ts';
import { nameGround, type Term } from '../knowledge.ts';
import { quoted } from '../paths.ts';
import { part, plain, type Speech } from '../speech.ts';

function sayNow(speech: Speech, path: string): void {
  const now = speech.ground(path);
  speech.say`Now it is ${now.value === '' ? plain('empty') : now}.`;
}

/** What is asked, and where it is told: the value of a field is told beside its meaning where it is one value. */
const TELL: Readonly<Record<Term['kind'], (speech: Speech, name: string, asked: Asked) => void>> = {
  word: (speech, name) => {
    const row = `words[word=${quoted(name)}]`;
    speech.say`${speech.ground(`${row}.word`)}: ${speech.ground(`${row}.meaning`)}.`;
  },
  field: (speech, name) => {
    const row = `fields[path=${quoted(name)}]`;
    speech.say`${speech.ground(`${row}.path`)} (${speech.ground(`${row}.type`)}): ${speech.ground(`${row}.meaning`)}.`;
    const value = /[[\]]/.test(name) ? undefined : speech.look(name);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) sayNow(speech, name);
    speech.suggest('desk status --json');
  },
  check: (speech, name) => {
    const row = `checks[id=${name}]`;
    speech.say`The check ${speech.ground(`${row}.id`)} (tier ${speech.ground(`${row}.tier`)}, severity ${speech.ground(`${row}.severity`)}, avenue ${speech.ground(`${row}.avenue`)}): ${speech.ground(`${row}.about`)}.`;
    speech.say`A fail may be benign: ${speech.ground(`${row}.benign`)}. What to do: ${speech.ground(`${row}.remedy`)}.`;
    const count = speech.ground(`detection.findings[check=${name}].length`);
    speech.say`Findings of it now: ${count}.`;
    speech.suggest('desk findings');
  },
  command: (speech, name) => {
    const row = `commands[name=${quoted(name)}]`;
    speech.say`${speech.ground(`${row}.usage`)}: ${speech.ground(`${row}.summary`)}.`;
    for (const example of speech.rows(`${row}.examples`, 1)) speech.suggest(speech.value<string>(example));
    speech.suggest(`desk help ${name.split(' ')[0]}`);
    // As it stands it runs when it needs no word more.
    if (!/<\w/.test(speech.value<string>(`${row}.usage`))) speech.suggest(`desk ${name}`);
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
    speech.suggest('desk config check');
  },
};

export const meaning: Intent = {
  id: 'meaning',
  score: ({ question: { term, meaning: asked } }) => (term === null ? 0 : asked ? 78 : 20),
  answer(speech, asked) {
    const term = asked.question.term as Term;
    TELL[term.kind](speech, term.name, asked);
    // A word may be the name of a field too: its value belongs to the answer.
    if (term.kind === 'word') {
      const field = asked.library
        .named(term.name)
        .find(({ kind, name }) => kind === 'field' && !/[[\]]/.test(name));
      const value = field === undefined ? undefined : speech.look(field.name);
      if (field !== undefined && (typeof value === 'number' || typeof value === 'boolean'))
        TELL.field(speech, field.name, asked);
    }
    return true;
  },
};

const LONGEST_TERM = 60;

export const unknownMeaning: Intent = {
  id: 'unknown-meaning',
  score: ({ question: { term, unknownTerm, meaning: asked } }) =>
    term === null && unknownTerm !== '' && asked ? 72 : 0,
  answer(speech, { question, library }) {
    // Told as it was written, where it is short enough to be a term.
    const at = question.text.toLowerCase().indexOf(question.unknownTerm);
    const term = question.text.slice(at, at + question.unknownTerm.length);
    const echoed = at >= 0 && term.length <= LONGEST_TERM ? plain(`"${term}"`) : plain('that');
    speech.say`I do not know ${echoed}: it is no word, field, check, command, key or endpoint of mine.`;
    const near = library.near(question.unknownTerm);
    for (const term of near) speech.say`Nearly so is called: ${speech.ground(nameGround(term))}.`;
    speech.suggest('desk help');
    return false;
  },
};

export const lists: Intent = {
  id: 'lists',
  score: ({ question }) =>
    question.has('command') && (question.has('count') || question.says(/\b(?:there|all|gibt|hay|y a t il)\b/))
      ? 62
      : question.has('check', 'count')
        ? 58
        : 0,
  answer(speech, { question }) {
    if (question.has('check')) {
      speech.say`There are ${speech.ground('checks.length')} checks.`;
      speech.suggest('desk findings');
      return true;
    }
    const count = speech.ground('commands.length');
    const names = speech.rows('commands', Number(count.value)).map((row) => speech.ground(`${row}.name`));
    speech.say`There are ${count} commands, each after "desk": ${speech.join(names)}.`;
    speech.suggest('desk help');
    return true;
  },
};

const HOW_TO =
  /\b(?:how (?:do|can|could|should|would|to)\b|which command|what command|wie (?:kann|mache|soll|geht)|welcher befehl|comment (?:puis|faire|je)|quelle commande|como (?:puedo|hago|se)|que comando)/u;

/** How to do something: the command whose words are nearest. */
export const howTo: Intent = {
  id: 'how-to',
  score: ({ question, library }) =>
    question.says(HOW_TO) && library.near(question.words.join(' '), 1, 'command').length > 0 ? 61 : 0,
  answer(speech, asked) {
    const [first, second] = asked.library.near(asked.question.words.join(' '), 2, 'command');
    speech.say`The nearest command I know:`;
    if (first !== undefined) TELL.command(speech, first.name, asked);
    if (second !== undefined)
      speech.say`Or: ${speech.ground(`commands[name=${quoted(second.name)}].usage`)}.`;
    return true;
  },
};

/** What people call a link, by its key. */
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
  answer(speech, { question }) {
    const path = linkIn(question.text) as string;
    const link = speech.ground(path);
    if (link.value === '')
      speech.say`It is not configured, or nothing answers there (${plain(path)} is empty).`;
    else speech.say`It is at ${link}.`;
    speech.suggest('desk public');
    return true;
  },
};
