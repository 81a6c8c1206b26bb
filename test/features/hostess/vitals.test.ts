/** Every column of the machine and of what processes use is answered, in four languages; nothing measured is refused. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Language } from '../../../src/features/hostess/grammar/vocabulary.ts';
import { QUANTITIES } from '../../../src/features/hostess/vitals/hear.ts';
import { COLUMNS, USES } from '../../../src/features/hostess/vitals/quantities.ts';
import { UNMEASURED } from '../../../src/features/hostess/vitals/unmeasured.ts';
import { wordsOf } from '../../../src/features/hostess/vitals/vocabulary.ts';
import { QUERY_TABLES } from '../../../src/features/vitals/query-tables.ts';
import { expect } from '../../support/expect.ts';
import { VITAL_QUESTIONS } from './questions/vitals.ts';
import { ask, scoreAll } from './score.ts';

const test = suite('what the hostess says of the machine');

/** Columns of rows that are not asked for alone: keys, and why others are not known. */
const BESIDE = ['slow.pid', 'slow.name', 'slow.executable', 'slow.uid', 'slow.state'];

test('every column of these tables belongs to a quantity that can be asked for', () => {
  const answered = new Set([
    ...Object.values(COLUMNS).flatMap((tables) =>
      Object.entries(tables).flatMap(([table, columns = []]) => columns.map((one) => `${table}.${one}`)),
    ),
    ...Object.values(USES)
      .flat()
      .map((one) => `slow.${one}`),
    ...BESIDE,
  ]);
  const declared = QUERY_TABLES.flatMap(({ table }) =>
    table.columns.map(({ name }) => `${table.name}.${name}`),
  );
  expect(declared.filter((one) => !answered.has(one))).equals([]);
});

const VALUE: Readonly<Record<Language, (word: string) => string>> = {
  en: (word) => `what is the ${word}?`,
  de: (word) => `Wie ist ${word} gerade?`,
  es: (word) => `¿Cuánto es ${word} ahora?`,
  fr: (word) => `Quel est ${word} actuellement ?`,
};

/** Alone it is an order. */
const REBOOT: Readonly<Record<Language, string>> = {
  en: 'is a reboot needed?',
  de: 'Ist ein Neustart nötig?',
  es: '¿Es necesario un reinicio?',
  fr: 'Un redémarrage est-il nécessaire ?',
};

test('no quantity is refused in any language', async () => {
  const refused: string[] = [];
  for (const language of ['en', 'de', 'es', 'fr'] as const)
    for (const quantity of QUANTITIES) {
      const [word = ''] = wordsOf(quantity, language);
      const text = quantity === 'reboot' ? REBOOT[language] : VALUE[language](word);
      const { grounds, intent } = await ask('healthy', text);
      const isKnown = grounds.some(({ path }) => /^query\.|^status\.iron/.test(path));
      if (intent === 'unmeasured' || !isKnown) refused.push(`${text} (${intent})`);
    }
  expect(refused).equals([]);
});

test('words of measured quantities are never refused as unmeasured', () => {
  for (const quantity of QUANTITIES)
    for (const language of ['en', 'de', 'es', 'fr'] as const)
      for (const word of wordsOf(quantity, language)) assert.not(UNMEASURED.test(word), word);
  for (const word of ['gpu', 'fan speed', 'akku', 'carte graphique']) assert.match(word, UNMEASURED);
});

test('questions about the machine and about what processes use are right', async () => {
  expect(
    (await scoreAll(VITAL_QUESTIONS)).flatMap(({ message, answered, verdict: { wrong, invented } }) =>
      wrong.length + invented.length === 0 ? [] : [[message, answered.answer, ...wrong, ...invented]],
    ),
  ).equals([]);
});

test.run();
