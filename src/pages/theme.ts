/** The user's theme as a style sheet that comes after the design's own and sets nothing but its tokens. */
import { THEME_COLOURS, type Theme } from '../config-theme.ts';

/** Media type of the sheet. */
export const STYLE_TYPE = 'text/css; charset=utf-8';

/** Declarations of the tokens that are set, "" for none. */
function declarations(tokens: Omit<Theme, 'dark'>): string {
  const set = THEME_COLOURS.map((name): string => tokens[name] && `--${name}:${tokens[name]}`);
  return [
    ...set,
    tokens.radius === '' ? '' : `--radius:${tokens.radius}px`,
    tokens.font && `--font:${tokens.font}`,
  ]
    .filter((one) => one !== '')
    .join(';');
}

/** CSS that overrides the tokens which the configuration sets; "" when it sets none. Takes a checked theme only. */
export function themeCss(theme: Theme): string {
  const [both, dark] = [declarations(theme), declarations(theme.dark)];
  return [both && `:root{${both}}\n`, dark && `@media (prefers-color-scheme:dark){:root{${dark}}}\n`].join(
    '',
  );
}
