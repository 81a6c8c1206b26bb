/** `[theme]` of the configuration: a closed set of tokens with values so narrow that they cannot leave their CSS declaration. */
import { z } from 'zod';

/** Colours that a theme may set; each is the CSS variable of that name. */
export const THEME_COLOURS = [
  'accent',
  'ground',
  'card',
  'ink',
  'soft',
  'line',
  'good',
  'warn',
  'bad',
] as const;
/** Generic families only (CSS Fonts 4, 2.1.2): a page loads no font. */
export const THEME_FONTS = [
  'system-ui',
  'sans-serif',
  'serif',
  'monospace',
  'ui-sans-serif',
  'ui-serif',
  'ui-monospace',
  'ui-rounded',
] as const;
const MOST_RADIUS_PX = 24;

type Colour = (typeof THEME_COLOURS)[number];

/** "" leaves a token as it is designed. */
const colour = z
  .string()
  .regex(/^(#([0-9a-f]{3}|[0-9a-f]{6}))?$/i, 'expected a colour as "#rgb" or "#rrggbb", or ""')
  .default('');
const radius = z
  .union([z.literal(''), z.int().min(0).max(MOST_RADIUS_PX)], {
    error: `expected a whole number from 0 to ${MOST_RADIUS_PX}, or ""`,
  })
  .default('');
const font = z.enum(['', ...THEME_FONTS]).default('');

const tokens = {
  ...(Object.fromEntries(THEME_COLOURS.map((name) => [name, colour])) as Record<Colour, typeof colour>),
  radius,
  font,
};

/** Tokens for both schemes, and those that the dark one has otherwise. */
export const themeSchema = z
  .strictObject({ ...tokens, dark: z.strictObject(tokens).prefault({} as never) })
  .prefault({} as never);

export type Theme = z.output<typeof themeSchema>;
