/** What a word, field, check, command, key or endpoint means; lists of commands and checks; where things are. */
import type { Asked, Intent } from '../intent.ts';
import { type Library, nameGround, type Term } from '../knowledge.ts';
import { quoted } from '../paths.ts';
import { part, plain, type Speech } from '../speech.ts';

function sayNow(speech: Speech, path: string): void {
  const now = speech.ground(path);
  speech.say`Now it is ${now.value === '' ? plain('empty') : now}.`;
}

const TOLD = 3;

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
    const { term, other } = asked.question;
    for (const one of [term, other]) if (one !== null) tell(speech, one, asked);
    return true;
  },
};

function tell(speech: Speech, term: Term, asked: Asked): void {
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

/** A field that is named in passing: "is the orphan timer active". */
export const field: Intent = {
  id: 'field',
  // Two words may stand side by side by chance: what they are about goes before.
  score: ({ question: { field: found, words } }) => {
    if (found === null) return 0;
    return found.words > 2 || found.words === words.flatMap((word) => word.split('_')).length ? 59 : 43;
  },
  answer(speech, asked) {
    tell(speech, asked.question.field as Term, asked);
    return true;
  },
};

/** A check, or what one looks for, without a question for its meaning. */
export const check: Intent = {
  id: 'check',
  score: ({ question, library }) => {
    if (question.entities.check !== null) return question.has('benign') ? 79 : 48;
    if (question.words.some((word) => calledFor(word) !== undefined)) return 56;
    return question.has('check') && question.any('which') && nearCheck(question.words, library) !== undefined
      ? 56
      : 0;
  },
  answer(speech, asked) {
    const { entities, words } = asked.question;
    TELL.check(speech, entities.check ?? (nearCheck(words, asked.library) as string), asked);
    return true;
  },
};

/** What people call what a check looks for, in its own words. */
const CALLED: Readonly<Record<string, string>> = {
  keylogger: 'typed clipboard',
  rootkit: 'hidden modules',
  sniffer: 'raw frames network',
  debugger: 'controls through ptrace',
  backdoor: 'shell socket network connection',
  spyware: 'camera microphone clipboard',
  webcam: 'camera',
};
const calledFor = (word: string): string | undefined => {
  const name = word.replace(/s$/, '');
  return Object.hasOwn(CALLED, name) ? CALLED[name] : undefined;
};
const nearCheck = (words: readonly string[], library: Library): string | undefined =>
  library.near(
    words
      .filter((word) => !/^(?:checks?|which)$/.test(word))
      .map((word) => calledFor(word) ?? word)
      .join(' '),
    1,
    'check',
  )[0]?.name;

/** An avenue is told with what keeps it open. */
export const avenue: Intent = {
  id: 'avenue',
  score: ({ question }) => (question.entities.avenue !== null ? 78.5 : 0),
  answer(speech, { question }) {
    const row = `detection.avenues[id=${question.entities.avenue}]`;
    const open = speech.ground(`${row}.open`);
    speech.say`${speech.ground(`${row}.id`)} is the avenue "${speech.ground(`${row}.name`)}". It is ${plain(open.value === true ? 'open' : 'closed')}: ${speech.ground(`${row}.detail`)}.`;
    speech.suggest('desk findings');
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
      : question.has('check', 'count') && !question.has('blind')
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
  /\b(?:how (?:do|can|could|should|would|to)\b|where (?:can|do) i|which (?:config(?:uration)? )?(?:key|setting)|which command|what command|command (?:to|for|that)|befehl (?:um|zum|fur)|commande pour|comando para|wie (?:kann|mache|soll|geht)|welcher befehl|comment (?:puis|faire|je)|quelle commande|como (?:puedo|hago|se)|que comando)/u;

const SETTING =
  /\b(?:set|sets|configure|change|choose|switch|einstell\w*|setze|andere|konfigurier\w*|regler|configurer|changer|configur\w*|cambi\w*)\b/iu;

/** How to do something: the key where something is to be set, else the command whose words are nearest. */
export const howTo: Intent = {
  id: 'how-to',
  score: ({ question, library }) =>
    question.says(HOW_TO) && library.near(question.words.join(' '), 1, 'command').length > 0
      ? question.says(SETTING)
        ? 63.5
        : 61
      : 0,
  answer(speech, asked) {
    const { text, names } = asked.question;
    const key = SETTING.test(text)
      ? asked.library.near(
          names.filter((name) => !/^(?:config\w*|keys?|settings?)$/i.test(name)).join(' '),
          1,
          'key',
        )[0]
      : undefined;
    if (key !== undefined) {
      TELL.key(speech, key.name, asked);
      return true;
    }
    const [first, second] = asked.library.near(asked.question.words.join(' '), 2, 'command');
    speech.say`The nearest command I know:`;
    if (first !== undefined) TELL.command(speech, first.name, asked);
    if (second !== undefined)
      speech.say`Or: ${speech.ground(`commands[name=${quoted(second.name)}].usage`)}.`;
    return true;
  },
};

/** An endpoint by what it answers. */
export const endpoint: Intent = {
  id: 'endpoint',
  score: ({ question, library }) => {
    if (question.has('endpoint')) return nearEndpoint(question.words, library) === undefined ? 0 : 62;
    // "Where do I get X", when X stands in the name of one.
    const name = question.has('link') ? nearEndpoint(question.names, library)?.toLowerCase() : undefined;
    return name !== undefined && question.names.some((one) => name.includes(`/${one.toLowerCase()}`))
      ? 40
      : 0;
  },
  answer(speech, asked) {
    const { words, names } = asked.question;
    const found = nearEndpoint(asked.question.has('endpoint') ? words : names, asked.library) as string;
    TELL.endpoint(speech, found, asked);
    return true;
  },
};

const nearEndpoint = (words: readonly string[], library: Library): string | undefined =>
  library.near(words.filter((word) => !/^endpoints?$/.test(word)).join(' '), 1, 'endpoint')[0]?.name;

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
