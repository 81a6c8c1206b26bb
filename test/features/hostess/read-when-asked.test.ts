/** The comparison of packages is looked up, and startup places and accounts are read, for questions about them, and for no others. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../../src/base/desk-error.ts';
import { PACKAGES } from '../../../src/desk/packages.ts';
import type { TABLES } from '../../../src/desk/query.ts';
import { STARTUP as STARTUP_API } from '../../../src/desk/startup.ts';
import { THINK } from '../../../src/desk/think.ts';
import { provideHostess } from '../../../src/features/hostess/desk-hostess.ts';
import { asksForPackages } from '../../../src/features/hostess/packages-asked.ts';
import { understand } from '../../../src/features/hostess/understand.ts';
import { expect } from '../../support/expect.ts';
import { startupScene } from '../../support/startup-scenes.ts';
import { QUESTIONS } from './questions/index.ts';
import { STARTUP } from './questions/startup.ts';
import { sceneDesk } from './scene-desk.ts';
import { LIBRARY, stageOf } from './scenes.ts';

const test = suite('what the hostess has read');
const { at } = stageOf('healthy').parts.state.snapshot;

test('of more than a thousand other questions none looks up packages', () => {
  const own = new Set(STARTUP.map(({ ask }) => ask));
  const others = QUESTIONS.filter(({ ask }) => !own.has(ask));
  assert.ok(others.length > 1000);
  expect(
    others.filter(({ ask }) => asksForPackages(understand(ask, at, LIBRARY))).map(({ ask }) => ask),
  ).equals([]);
});

test('nor do questions that use some of the words', () => {
  for (const text of [
    'which packages need an update?',
    'which package does vim come from?',
    'how many packets were lost?',
    'wie viele Pakete gehen pro Sekunde durchs Netzwerk?',
  ])
    assert.not(asksForPackages(understand(text, at, LIBRARY)), text);
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
  const scene = sceneDesk('healthy');
  const find = (token: unknown): unknown => {
    const isRead = token === STARTUP_API || token === PACKAGES;
    return isRead ? (offered.get(token) ?? null) : scene.find(token as typeof TABLES);
  };
  let think: ((message: string) => Promise<{ readonly answer: string }>) | undefined;
  provideHostess({
    config: state.desk.config,
    latest: () => state,
    state: async () => state,
    finding: () => undefined,
    allowSources: () => state.snapshot.listeners.map(() => ''),
    use: (token) => {
      const api = find(token);
      if (api === null)
        throw new DeskError('unavailable', 'This desk was built without it', 'Install a build that has it.');
      return api as never;
    },
    find: (token) => find(token) as never,
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
