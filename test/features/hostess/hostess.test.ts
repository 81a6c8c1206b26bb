/** The hostess on fixed scenes: all question sets are scored, and random input is tried. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { programOf } from '../../../src/cli/program.ts';
import { AnswerBuilder } from '../../../src/features/hostess/answer-builder.ts';
import { GOALS } from '../../../src/features/hostess/grammar/goal-table.ts';
import { plainOf } from '../../../src/features/hostess/grammar/read.ts';
import { INTENTS } from '../../../src/features/hostess/intents/index.ts';
import { folded } from '../../../src/features/hostess/knowledge.ts';
import { parsePath, quoted } from '../../../src/features/hostess/paths.ts';
import { QueryContext } from '../../../src/features/hostess/query-context.ts';
import { timeIn } from '../../../src/features/hostess/times.ts';
import { TRANSLATIONS } from '../../../src/features/hostess/translations.ts';
import { expect } from '../../support/expect.ts';
import { forAll, forAllAsync } from '../../support/for-all.ts';
import { ACCOUNTS } from './questions/accounts.ts';
import { ASKED } from './questions/asked.ts';
import { COMBINED } from './questions/combined.ts';
import { FAILURES } from './questions/failures.ts';
import { FOLLOW_UPS } from './questions/follow-ups.ts';
import { GOAL_QUESTIONS } from './questions/goals.ts';
import { QUESTIONS, SECOND_QUESTIONS, THIRD_QUESTIONS, UNSEEN_QUESTIONS } from './questions/index.ts';
import { MATTERS } from './questions/matters.ts';
import { NARROWING } from './questions/narrowing.ts';
import type { SceneName } from './questions/question.ts';
import { REWORDED } from './questions/reworded.ts';
import { RUNNING } from './questions/running.ts';
import { SPANS, UNPLACED } from './questions/spans.ts';
import { TALK_QUESTIONS } from './questions/talk.ts';
import { VARIOUS } from './questions/various.ts';
import { KNOWLEDGE, LIBRARY, stageOf } from './scenes.ts';
import { ask, judge, recordsOf, scoreAll } from './score.ts';

const commands = await allCommands();

const FINDING_ID = /\b[0-9a-f]{16}\b/g;
const SCENES: readonly SceneName[] = ['empty', 'healthy', 'degraded', 'hostile', 'crowd'];
const scored = await scoreAll(QUESTIONS);
const goals = await scoreAll(GOAL_QUESTIONS);

test('the question set is large enough and has no duplicates', () => {
  assert.ok(QUESTIONS.length >= 1140, String(QUESTIONS.length));
  const refused = QUESTIONS.filter(({ refuses }) => refuses === true);
  assert.ok(refused.length >= 180, String(refused.length));
  const keys = QUESTIONS.map(({ scene, ask: text, granted }) => `${scene} ${granted === true} ${text}`);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).equals([]);
});

test('at least 95 % of the questions are answered correctly: paths, values, refusals', () => {
  const wrong = scored.filter(({ verdict }) => verdict.wrong.length > 0);
  const report = wrong.map(({ message, question, answered, verdict }) =>
    [`[${question.scene}] ${message} (${answered.intent})`, ...verdict.wrong].join('\n    '),
  );
  assert.ok(
    wrong.length <= 0.05 * scored.length,
    `${wrong.length} of ${scored.length}\n${report.join('\n')}`,
  );
});

for (const [which, unseen, least] of [
  ['first', UNSEEN_QUESTIONS, 360],
  ['second', SECOND_QUESTIONS, 300],
  ['third', THIRD_QUESTIONS, 160],
] as const)
  test(`at least 95 % of the ${which} independently written set are answered correctly`, async () => {
    assert.ok(unseen.length >= least, String(unseen.length));
    const wrong = (await scoreAll(unseen)).filter(({ verdict }) => verdict.wrong.length > 0);
    const report = wrong.map(({ message, verdict }) => [message, ...verdict.wrong].join('\n    '));
    assert.ok(wrong.length <= 0.05 * unseen.length, report.join('\n'));
  });

test('what was once answered wrongly is right, also where it needs what was asked before', async () => {
  const again = [...(await scoreAll([...FAILURES, ...FOLLOW_UPS])), ...goals];
  expect(
    again.flatMap(({ message, verdict: { wrong, invented } }) =>
      wrong.length + invented.length === 0 ? [] : [[message, ...wrong, ...invented]],
    ),
  ).equals([]);
});

test('questions that combine are right, every one', async () => {
  const all = await scoreAll([...COMBINED, ...ASKED, ...ACCOUNTS, ...RUNNING, ...MATTERS, ...TALK_QUESTIONS]);
  expect(
    all.flatMap(({ message, answered, verdict: { wrong, invented } }) =>
      wrong.length + invented.length === 0 ? [] : [[message, answered.answer, ...wrong, ...invented]],
    ),
  ).equals([]);
});

test('spans of time, words of tables, what is installed and what is out of reach: every one is right', async () => {
  expect(
    (await scoreAll(SPANS)).flatMap(({ message, answered, verdict: { wrong, invented } }) =>
      wrong.length + invented.length === 0 ? [] : [[message, answered.answer, ...wrong, ...invented]],
    ),
  ).equals([]);
});

test('words that narrow, order and group are used, or the answer says that they were not', async () => {
  expect(
    (await scoreAll([...NARROWING, ...REWORDED, ...VARIOUS])).flatMap(
      ({ message, answered, verdict: { wrong, invented } }) =>
        wrong.length + invented.length === 0 ? [] : [[message, answered.answer, ...wrong, ...invented]],
    ),
  ).equals([]);
});

test('a word that means nothing here is in the answer, or the answer is not a full one', async () => {
  const WORDS = ['blorpic', 'zumpelig', 'trelindo', 'crouvant', 'wooden', 'sleepy'];
  const ASKED = [
    'which {} processes are running?',
    'how many {} listeners are there?',
    'list the {} accounts',
    'which {} findings are open?',
    'what {} programs start at boot?',
    'list the {} cron jobs',
    'how much {} memory is free?',
    'is the {} disk full?',
    'which {} ports are up?',
    'what {} changes happened since yesterday?',
    'is the {} site up?',
    'which {} packages are installed?',
    'Wie viele {} Prozesse laufen?',
    'Welche {} Befunde sind offen?',
    'Wie viel {} Speicher ist frei?',
    '¿cuántos procesos {} hay?',
    '¿qué puertos {} están abiertos?',
    'quels processus {} tournent ?',
    'combien de comptes {} y a-t-il ?',
  ];
  const full: string[] = [];
  for (const text of ASKED)
    for (const word of WORDS) {
      const { answer, understood } = await ask('workshop', text.replace('{}', word));
      if (understood === 'full' && !answer.includes(word))
        full.push(`${text} ${word}: ${answer.slice(0, 80)}`);
    }
  expect(full).equals([]);
});

test('a word that would choose rows is not left out: it is said, and the question without it offered', async () => {
  for (const [text, word] of UNPLACED) {
    const { answer, understood, query, choices } = await ask('workshop', text);
    expect([text, understood, query]).equals([text, 'none', null]);
    assert.ok(answer.includes(`"${word}"`), answer);
    assert.ok(choices.length === 1 && !choices[0]?.includes(word), String(choices));
  }
});

test('misspelled words of times are put right, and names are not', () => {
  const now = { epochMs: Date.UTC(2026, 10, 22, 9, 30), offsetMin: 60 };
  for (const [typed, meant] of [
    ['sinse yestarday', 'since yesterday'],
    ['in the last 10 minuts', 'in the last 10 minutes'],
    ['seit gesten', 'seit gestern'],
    ['en la ultma hora', 'en la ultima hora'],
    ['depius hier', 'depuis hier'],
  ] as const)
    assert.is(timeIn(typed, now), timeIn(meant, now), typed);
  for (const text of ['is marchd running', 'which port has sincer', '/srv/todey/x', 'nigth-watch.service'])
    assert.is(timeIn(text, now), null, text);
});

test('a name that nothing has is said, with the nearest one that there is', async () => {
  const { answer, choices } = await ask('workshop', 'Wie viele Prozesse von sshdd laufen?');
  assert.match(answer, /"sshdd"/);
  expect(choices).equals(['Wie viele Prozesse von sshd laufen?']);
});

test('a goal names commands, keys and endpoints that there are', () => {
  const known = new Set(
    [KNOWLEDGE.commands, KNOWLEDGE.endpoints]
      .flatMap((list) => list.map(({ name }) => name))
      .concat(KNOWLEDGE.keys.map(({ key }) => key)),
  );
  const named = GOALS.flatMap(({ command, keys = [], endpoint, lines = [] }) => [
    ...[command, endpoint, ...keys].filter((one) => one !== undefined),
    // The longest name that the line begins with.
    ...lines.map((line) => {
      const words = line.split(' ').slice(1);
      return [2, 1].map((count) => words.slice(0, count).join(' ')).find((name) => known.has(name)) ?? line;
    }),
  ]);
  assert.ok(named.length > 100, String(named.length));
  expect(named.filter((name) => !known.has(name))).equals([]);
});

test('where a goal says that the documentation has more, there is such a heading', () => {
  const missing = GOALS.flatMap(({ more }) => (more === undefined ? [] : [more])).filter(
    ([file, heading]) =>
      !new RegExp(`^#+ ${heading}$`, 'm').test(
        readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8'),
      ),
  );
  expect(missing).equals([]);
});

test('each sentence is translated into each language, with no value that the English one lacks', () => {
  const blocks = TRANSLATIONS.trim()
    .split(/\n(?! )/)
    .map((block) => block.split('\n').map((line) => line.trim()));
  assert.ok(blocks.length > 100, String(blocks.length));
  const values = (text: string) => text.match(/\{\d\}/g) ?? [];
  expect(
    blocks.filter(
      ([english = '', ...others]) =>
        others.length !== 3 ||
        others.some((text) => text === '' || values(text).some((value) => !english.includes(value))),
    ),
  ).equals([]);
  const english = blocks.map(([first = '']) => first);
  expect(english.filter((text, at) => english.indexOf(text) !== at)).equals([]);
});

test('a number, a time or a name that the answer does not use makes it partial, and it says which', async () => {
  for (const [text, word] of [
    ['is the desk well, frobnicator7?', 'frobnicator7'],
    ['which version did we have yesterday?', 'yesterday'],
  ] as const) {
    const { answer, understood } = await ask('healthy', text);
    assert.is(understood, 'partial', `${text}: ${answer}`);
    assert.ok(answer.endsWith(`I did not use "${word}".`), answer);
  }
  assert.is((await ask('healthy', 'is the desk well?')).understood, 'full');
  assert.is((await ask('healthy', 'blub blub')).understood, 'none');
});

test('a question that is a query names it, and the next one can begin from it', async () => {
  const first = await ask('workshop', 'how many processes have more than 10 threads?');
  assert.is(first.query, 'processes select count() where threads > 10');
  const narrowed = await ask('workshop', 'and for root?', false, first.query);
  assert.is(narrowed.query, 'processes select count() where threads > 10 and uid = 0');
  assert.match(narrowed.answer, /^1 process\b/);
  const named = await ask('workshop', 'which ones?', false, narrowed.query);
  assert.match(named.answer, /orderd/);
  // What is no query is not used.
  assert.is((await ask('workshop', 'and for root?', false, 'no such table where')).understood, 'none');
});

test('a conversation keeps its subject over several questions', async () => {
  for (const questions of [
    [
      ['who owns port 48803?', /orderd/],
      ['how many threads does it have', /^24 threads/],
      ['and since when is it running?', /^Since 2026-11-21T22:31:30/],
    ],
    [
      ['which program is listening on 48790?', /python3/],
      ['has that ever been learned?', /^No\b/],
      ['so should I be worried about it?', /^Yes: medium/],
      ['how do I fix it?', /^end process 700/],
    ],
    [
      ['wer lauscht auf Port 48790?', /python3/],
      ['seit wann?', /^2026-11-22T09:55/],
      ['ist das normal?', /^Nein/],
      ['was soll ich tun?', /^end process 700/],
    ],
  ] as const) {
    let before: string | null = null;
    for (const [text, says] of questions) {
      const { answer, query }: Awaited<ReturnType<typeof ask>> = await ask('workshop', text, false, before);
      assert.match(answer, says, text);
      before = query;
    }
  }
});

test('no answer contains an invented value', () => {
  const invented = scored.filter(({ verdict }) => verdict.invented.length > 0);
  expect(invented.map(({ message, verdict }) => [message, verdict.invented])).equals([]);
});

test('the set covers every intent', () => {
  const asked = new Set([...scored, ...goals].map(({ answered }) => answered.intent));
  expect(INTENTS.map(({ id }) => id).filter((id) => !asked.has(id))).equals([]);
});

test('suggestions are valid command lines', async () => {
  const lines = new Set(scored.flatMap(({ answered }) => answered.suggestions));
  assert.ok(lines.size > 20);
  const wrong: string[] = [];
  for (const line of lines) {
    const words = [...line.matchAll(/"([^"]*)"|'((?:[^']|'\\'')*)'|(\S+)/g)].map(
      ([, a, b, c]) => a ?? b ?? c ?? '',
    );
    const printed: string[] = [];
    const sink = { write: (text: string) => void printed.push(text), columns: 100, isTTY: false };
    let runs = 0;
    // Parsed as by the command, but not run.
    const program = programOf(commands, { out: sink, err: sink } as never, async () => void runs++);
    await program.parseAsync(words.slice(1), { from: 'user' }).catch(() => undefined);
    const printsOnly = ['help', '--version'].includes(words[1] as string) && printed.length > 0;
    if (words[0] !== 'desk' || (runs !== 1 && !printsOnly)) wrong.push(`${line}: ${printed.join(' ')}`);
  }
  assert.equal(wrong, []);
  const known = new Set(
    SCENES.flatMap((scene) => [...JSON.stringify(recordsOf(stageOf(scene))).matchAll(FINDING_ID)].flat()),
  );
  const suggested = [...lines].flatMap((line) => [...line.matchAll(FINDING_ID)].flat());
  assert.ok(suggested.length > 0);
  expect(suggested.filter((id) => !known.has(id))).equals([]);
});

test('every example in docs/hostess.md is understood', async () => {
  const table = readFileSync(new URL('../../../docs/hostess.md', import.meta.url), 'utf8')
    .split('## What she can be asked')[1]
    ?.split('\n## ')[0] as string;
  const examples = [...table.matchAll(/^\| [^|]+ \| (.+) \|$/gm)]
    .flatMap(([, row = '']) => row.replace(/\(.*?\)/g, '').split(' · '))
    .map((text) => text.trim())
    .filter((text) => /[?]$/.test(text));
  assert.ok(examples.length > 40, String(examples.length));
  const answers = await Promise.all(examples.map((text) => ask('degraded', text, true)));
  expect(examples.filter((_, at) => ['lost', 'clock'].includes(answers[at]?.intent ?? ''))).equals([]);
});

test('why the desk is not ok is answered with its issues', async () => {
  for (const text of ['why is the desk not ok?', 'why not ok', 'what is not ok?']) {
    const { answer, grounds } = await ask('degraded', text);
    assert.match(answer, /not well/, text);
    assert.ok(
      grounds.some(({ path }) => path === 'status.issues[0]'),
      text,
    );
  }
});

test('the scorer finds a wrong path, a wrong value, an invented number and a wrong refusal', async () => {
  const records = recordsOf(stageOf('healthy'));
  const good = await ask('healthy', 'is the desk well?');
  const verdict = (change: Partial<typeof good>, expected = {}) =>
    judge(records, { ...good, ...change }, expected, 'is the desk well?');
  assert.equal(verdict({}), { wrong: [], invented: [] });
  assert.is(verdict({ grounds: [{ path: 'status.ports_up', value: 4 }] }).wrong.length, 1);
  assert.is(verdict({ grounds: [{ path: 'status.portsup', value: 5 }] }).wrong.length, 1);
  assert.is(verdict({}, { grounds: ['status.ts'] }).wrong.length, 1);
  assert.is(verdict({ refused: true }).wrong.length, 1);
  assert.equal(verdict({ answer: 'There are 77 scars.' }).invented, ['77']);
  const time = { path: 'status.ts', value: '2026-11-22T10:30:00.000+01:00' };
  assert.equal(verdict({ answer: 'There are 202 scars.', grounds: [time] }).invented, ['202']);
  assert.equal(verdict({ answer: 'Look at /opt/evil/x of "mallory".' }).invented, ['/opt/evil/x', 'mallory']);
});

test('without the token no answer is about people: known and unknown addresses get the same answer', async () => {
  const stage = stageOf('healthy');
  assert.ok(stage.people.length > 0);
  for (const words of [
    (text: string) => `who is ${text}?`,
    (text: string) => `last mail with ${text}`,
    (text: string) => text,
  ]) {
    const [known, unknown] = await Promise.all(
      ['grace@example.org', 'unknown@example.org'].map((address) => ask('healthy', words(address))),
    );
    assert.is(known?.answer, unknown?.answer);
    assert.equal(known?.grounds, unknown?.grounds);
    assert.equal(known?.suggestions, unknown?.suggestions);
    assert.is(known?.refused, true);
  }
});

test('words are quoted as the question has them, also behind a letter that is longer without its capital', async () => {
  const { answer } = await ask('healthy', 'İİ count the low findings 86891651 621564317');
  assert.match(answer, '"86891651", "621564317"');
});

test('digits of every form are read as digits, and are not invented', async () => {
  for (const [scene, message] of [
    ['empty', 'list all listeners 𝟔'],
    ['degraded', '⌇ᾘ菱𐭉𖨪⑹ᓖ Quels ports sont ouverts vers l’extérieur ?'],
    ['degraded', 'assistant 🄃𐭇𑊍ଠḗ🫥⌱ 130462054'],
  ] as const) {
    const answered = await ask(scene, message);
    expect(judge(recordsOf(stageOf(scene)), answered, { refuses: 'either' }, message)).equals({
      wrong: [],
      invented: [],
    });
    const { invented } = judge({}, { ...answered, answer: 'There are 77 of 6.' }, {}, message);
    assert.ok(invented.includes('77'));
  }
});

test('any input gets an answer with correct grounds, no invented value and no name from the ledger', async () => {
  const pieces = fc.oneof(
    fc.constantFrom(...QUESTIONS.map(({ ask: text }) => text.replace(/[{}]/g, ''))),
    fc.constantFrom(...KNOWLEDGE.words.map(({ word }) => word), ...KNOWLEDGE.fields.map(({ path }) => path)),
    fc.constantFrom(
      'process',
      'port',
      'who is',
      'since',
      'why',
      'mean',
      'finding',
      'is',
      '8766',
      '-1',
      '99999999999',
      '"',
      '`',
      '${',
      '[',
      ']',
      '=',
      '..',
    ),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.nat().map(String),
  );
  const records = new Map(SCENES.map((scene) => [scene, recordsOf(stageOf(scene))]));
  const names = stageOf('healthy')
    .people.flatMap(({ name, address }) => [name, address])
    .filter((name) => name.length > 4);
  await forAllAsync(400)(
    fc.constantFrom(...SCENES),
    fc.array(pieces, { minLength: 1, maxLength: 5 }),
    async (scene, parts) => {
      const message = parts.join(' ').slice(0, 4096);
      const answered = await ask(scene, message);
      const { wrong, invented } = judge(
        records.get(scene) ?? {},
        answered,
        answered.refused ? { refuses: true } : {},
        message,
      );
      assert.equal([message, wrong, invented], [message, [], []]);
      expect(names.filter((name) => answered.answer.includes(name) && !message.includes(name))).equals([]);
    },
  );
});

test('the age of a state is read for each question', () => {
  let age = 3;
  const context = new QueryContext({ ...stageOf('healthy').parts, ageMs: () => age });
  assert.is(context.read('live.age_ms'), 3);
  age = 900;
  assert.is(context.read('live.age_ms'), 900);
});

test('a value in a path is quoted where needed and parsed back unchanged', () => {
  forAll(fc.string({ unit: 'grapheme' }), (value) => {
    const { root, steps } = parsePath(`processes[comm=${quoted(value)}][3].pid`);
    assert.is(root, 'processes');
    assert.equal(steps[0], { kind: 'where', key: 'comm', relation: '=', value });
    assert.is(steps.length, 3);
  });
  for (const text of ['', '.a', 'a[', 'a.b[x~1]', 'a]'])
    assert.throws(() => parsePath(text), /is not a path/);
});

test('times in everyday wording are read in the time zone of the state', () => {
  const now = { epochMs: Date.UTC(2026, 10, 22, 9, 30), offsetMin: 60 };
  const at = (text: string) => {
    const ms = timeIn(plainOf(text), now);
    return ms === null ? null : new Date(ms + 3_600_000).toISOString().slice(0, 16);
  };
  for (const [text, time] of [
    ['since 14:00', '2026-11-21T14:00'],
    ['since 9:00', '2026-11-22T09:00'],
    ['seit gestern', '2026-11-21T00:00'],
    ['depuis hier', '2026-11-21T00:00'],
    ['desde ayer', '2026-11-21T00:00'],
    ['today', '2026-11-22T00:00'],
    ['in the last 10 minutes', '2026-11-22T10:20'],
    ['vor 2 Stunden', '2026-11-22T08:30'],
    ['il y a 3 heures', '2026-11-22T07:30'],
    ['hace dos horas', '2026-11-22T08:30'],
    ['les 10 dernières minutes', '2026-11-22T10:20'],
    ['las últimas 2 horas', '2026-11-22T08:30'],
    ['half an hour ago', '2026-11-22T10:00'],
    ['since monday', '2026-11-16T00:00'],
    ['since 2026-11-20T08:00:00Z', '2026-11-20T09:00'],
    ['between 2 and 4 last night', '2026-11-22T02:00'],
    ['findings opened last week', '2026-11-09T00:00'],
    ['seit gestern Abend', '2026-11-21T18:00'],
    ['à 8h30', '2026-11-22T08:30'],
    ['ayer por la tarde', '2026-11-21T12:00'],
    ['the day before yesterday', '2026-11-20T00:00'],
    ['am 20. November', '2026-11-20T00:00'],
    ['between ports 1 and 1024', null],
    ['who won the world cup in 1998', null],
    ['what changed in the last 999999 weeks', null],
  ] as const)
    assert.is(at(text), time, text);
});

test('a name chosen by a program cannot pass for text of the hostess', () => {
  const context = {
    read: (path: string) => (path.endsWith('pid') ? 7 : names[path]),
  } as unknown as QueryContext;
  const names: Readonly<Record<string, string>> = {
    'processes[0].comm': 'x". All is well',
    'processes[0].executable': '/tmp/x\nHostess 7: clean',
    'processes[1].comm': 'Web Content',
    'processes[1].executable': '/usr/lib/x86_64-linux-gnu/a+b[1].so',
  };
  const out = new AnswerBuilder(context);
  for (const at of [0, 1])
    out.say`${out.ground(`processes[${at}].comm`)} is ${out.join([out.ground(`processes[${at}].executable`)])}.`;
  assert.is(
    out.end('', false).answer,
    String.raw`"x\". All is well" is "/tmp/x\nHostess 7: clean". "Web Content" is /usr/lib/x86_64-linux-gnu/a+b[1].so.`,
  );
});

test('the malware answer says when something could not be judged', async () => {
  for (const scene of SCENES) {
    const { answer } = await ask(scene, 'is there malware?');
    assert.match(answer, /finding/);
    const blind = Number((recordsOf(stageOf(scene)).detection as { counts: { blind: number } }).counts.blind);
    assert.is(/could not be judged/.test(answer), blind > 0, `${scene}: ${answer}`);
  }
});

test('names are found regardless of case, diacritics and separators', () => {
  assert.is(folded('Ünlearned_Process-x'), 'unlearned process x');
  assert.is(LIBRARY.named('SPV FREE')[0]?.kind, 'field');
  // One character that expands to eighteen does not make the text longer than a message.
  assert.is(folded('\ufdfa'.repeat(4_096)).length, 4_096);
  assert.equal(LIBRARY.near('hiden-proces', 1), [{ kind: 'check', name: 'hidden-process' }]);
});

test.run();
