import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../src/config/schema.ts';
import { THEME_COLOURS, THEME_FONTS } from '../../src/config/theme.ts';
import { themeCss } from '../../src/pages/theme.ts';

const test = suite('theme');
const css = (theme: unknown): string => themeCss(configSchema.parse({ theme }).theme);

test('without settings the style sheet is empty', () => {
  assert.is(css({}), '');
  assert.is(themeCss(configSchema.parse({}).theme), '');
});

test('each setting becomes a CSS variable, dark ones in their media query', () => {
  assert.is(
    css({
      accent: '#a1b',
      ink: '#0F0F0F',
      radius: 0,
      font: 'serif',
      dark: { accent: '#ffffff', radius: 24 },
    }),
    ':root{--accent:#a1b;--ink:#0F0F0F;--on-accent:#fff;--radius:0px;--font:serif}\n' +
      '@media screen and (prefers-color-scheme:dark){:root{--accent:#ffffff;--on-accent:#000;--radius:24px}}\n',
  );
  assert.is(
    css({ dark: { font: 'monospace' } }),
    '@media screen and (prefers-color-scheme:dark){:root{--font:monospace}}\n',
  );
});

/** The only possible style sheets. */
const value = `(#[0-9a-f]{3}([0-9a-f]{3})?|\\d{1,2}px|${THEME_FONTS.join('|')})`;
const block = `:root\\{--[a-z-]+:${value}(;--[a-z-]+:${value})*\\}`;
const sheet = new RegExp(
  `^(${block}\\n)?(@media screen and \\(prefers-color-scheme:dark\\)\\{${block}\\}\\n)?$`,
  'i',
);

test('no value can break out of its declaration', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '#fff;}body{display:none}',
      '#fff\n',
      '#ffg',
      '#ffff',
      'red',
      'url(//x)',
      'serif;',
      'serif}',
      '</style>',
      'Arial',
      '5',
      '#abc',
      'serif',
      '',
    ),
    fc.integer(),
    fc.double(),
    fc.constantFrom(null, true, [], {}),
  );
  const tokens = Object.fromEntries([...THEME_COLOURS, 'radius', 'font'].map((name) => [name, hostile]));
  const theme = fc.record(
    { ...tokens, dark: fc.record(tokens, { requiredKeys: [] }) } as Record<string, fc.Arbitrary<unknown>>,
    { requiredKeys: [] },
  );
  let taken = 0;
  fc.assert(
    fc.property(theme, (one) => {
      const read = configSchema.safeParse({ theme: one });
      if (!read.success) return;
      taken += 1;
      assert.match(themeCss(read.data.theme), sheet);
    }),
    { numRuns: 2000, examples: [[{ accent: '#abc', radius: 3 }]] },
  );
  assert.ok(taken > 0);
});

test('a hostile value is refused alone, in either scheme', () => {
  for (const [name, wrong] of [
    ['accent', '#fff;}body{display:none}'],
    ['ink', '#fff\n'],
    ['card', 'red'],
    ['line', '#12345'],
    ['font', 'Comic Sans MS'],
    ['font', 'serif;--ink:#fff'],
    ['radius', 25],
    ['radius', -1],
    ['radius', 1.5],
    ['radius', '4'],
    ['shadow', '#fff'],
  ] as const)
    for (const theme of [{ [name]: wrong }, { dark: { [name]: wrong } }])
      assert.not.ok(configSchema.safeParse({ theme }).success, JSON.stringify(theme));
});

test.run();
