/** The user's theme as a style sheet that comes after the design's own and sets nothing but its tokens. */
import type { Theme } from '../config/theme.ts';

/** Text on the accent: white, or black where that has more contrast (relative luminance of WCAG 2.2). */
function onAccent(accent: string): string {
  const [, r = '', g = '', b = ''] =
    /^#(..)(..)(..)$/.exec(accent.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')) ?? [];
  const [red = 0, green = 0, blue = 0] = [r, g, b].map((two) => {
    const part = Number.parseInt(two, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  // Where both contrasts are the same: (1 + 0.05) / (x + 0.05) = (x + 0.05) / 0.05.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.1791 ? '#000' : '#fff';
}

type Tokens = Omit<Theme, 'dark'>;

/** Declarations of the tokens that are set, "" for none. */
const declarations = ({ radius, font, ...colours }: Tokens): string =>
  [
    ...Object.entries(colours).map(([name, colour]) => colour && `--${name}:${colour}`),
    colours.accent && `--on-accent:${onAccent(colours.accent)}`,
    radius === '' ? '' : `--radius:${radius}px`,
    font && `--font:${font}`,
  ]
    .filter((one) => one !== '')
    .join(';');

/** CSS that overrides the tokens which the configuration sets; "" when it sets none. Takes a checked theme only. */
export function themeCss({ dark, ...both }: Theme): string {
  const [always, inTheDark] = [declarations(both), declarations(dark)];
  return `${always && `:root{${always}}\n`}${inTheDark && `@media screen and (prefers-color-scheme:dark){:root{${inTheDark}}}\n`}`;
}
