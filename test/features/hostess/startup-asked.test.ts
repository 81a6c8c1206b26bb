/** The machine is read for questions about startup places, accounts and packages, and for no others. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PACKAGES } from '../../../src/desk/packages.ts';
import { STARTUP as STARTUP_API } from '../../../src/desk/startup.ts';
import { THINK } from '../../../src/desk/think.ts';
import { provideHostess } from '../../../src/features/hostess/desk-hostess.ts';
import { startupWanted } from '../../../src/features/hostess/startup-asked.ts';
import { understand } from '../../../src/features/hostess/understand.ts';
import { expect } from '../../support/expect.ts';
import { startupScene } from '../../support/startup-scenes.ts';
import { QUESTIONS } from './questions/index.ts';
import { STARTUP } from './questions/startup.ts';
import { LIBRARY, stageOf } from './scenes.ts';

const test = suite('what the hostess has read');
const { at } = stageOf('healthy').parts.state.snapshot;

const topics = (text: string): string =>
  Object.entries(startupWanted(understand(text, at, LIBRARY)))
    .filter(([, wanted]) => wanted)
    .map(([topic]) => topic)
    .join(' ');

test('of more than a thousand other questions none has the machine read', () => {
  const own = new Set(STARTUP.map(({ ask }) => ask));
  const others = QUESTIONS.filter(({ ask }) => !own.has(ask));
  assert.ok(others.length > 1000);
  expect(others.map(({ ask }) => [ask, topics(ask)]).filter(([, topic]) => topic !== '')).equals([]);
});

test('nor have questions that use some of the words', () => {
  for (const text of [
    'when did nginx start?',
    'who started process 520?',
    'start nginx',
    'how do I start the desk at boot?',
    'does the desk start by itself?',
    'does the gate run automatically?',
    'what changed since yesterday?',
    'what is new since startup?',
    'which mail accounts do you read?',
    'who can connect to port 22?',
    'qui peut se connecter au port 22 ?',
    'do I need sudo to run the desk?',
    "what is bob's password?",
    'who is logged in now?',
    'which packages need an update?',
    'which package does vim come from?',
    'how many packets were lost?',
    'wie viele Pakete gehen pro Sekunde durchs Netzwerk?',
    'is ada learned?',
    '¿quién es ada?',
  ])
    assert.is(topics(text), '', text);
});

test('each question has one record read, once', async () => {
  const calls: string[] = [];
  const noted = <T>(what: string, value: T): T => {
    calls.push(what);
    return value;
  };
  const { startup, accounts, packages } = startupScene('healthy', at.epochMs);
  const { state } = stageOf('healthy').parts;
  const offered = new Map<unknown, unknown>([
    [
      STARTUP_API,
      {
        scan: async () => void calls.push('a full pass'),
        recent: async () => noted('startup', startup),
        accounts: async () => noted('accounts', accounts),
      },
    ],
    [
      PACKAGES,
      {
        latest: () => noted('packages', packages),
        verify: async () => void calls.push('a comparison'),
      },
    ],
  ]);
  let think: ((message: string) => Promise<{ readonly answer: string }>) | undefined;
  provideHostess({
    config: state.desk.config,
    latest: () => state,
    state: async () => state,
    finding: () => undefined,
    allowSources: () => state.snapshot.listeners.map(() => ''),
    use: () =>
      ({ current: () => stageOf('healthy').parts.law, runs: () => [], generations: () => [] }) as never,
    find: (token) => (offered.get(token) ?? null) as never,
    provide: (token, api) => {
      if ((token as unknown) === THINK) think = api as never;
    },
  });
  const readFor = async (text: string): Promise<string> => {
    calls.length = 0;
    const answered = await think?.(text);
    assert.ok(answered !== undefined && answered.answer !== '', text);
    return calls.join(' ');
  };
  for (const [text, read] of [
    ['is the desk well?', ''],
    ['who listens on port 22?', ''],
    ['what starts automatically?', 'startup'],
    ['what starts nginx?', 'startup'],
    ['who can log in?', 'accounts'],
    ['are all packages intact?', 'packages'],
  ] as const)
    assert.is(await readFor(text), read, text);
  // A desk without these features.
  offered.clear();
  for (const text of ['what starts automatically?', 'who can log in?', 'are all packages intact?'])
    assert.match((await think?.(text))?.answer ?? '', /I do not know/);
});

test.run();
