/** The one way from text to HTML: a tagged template that escapes every value, and shows invisible characters. */

/** Markup that is already safe. Only `html` makes it. */
export class Html {
  readonly markup: string;
  private constructor(markup: string) {
    this.markup = markup;
  }
  /** For constants of this program (the style sheet), never for data. */
  static constant(markup: string): Html {
    return new Html(markup);
  }
  toString(): string {
    return this.markup;
  }
}

export type Value = Html | string | number | bigint | boolean | null | undefined | readonly Value[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Controls, format characters (bidi, zero-width: Unicode UAX #9, UAX #44), separators of lines, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Shows what a reader could not see: C0 as control pictures (␛), everything else as its code point (⟨U+202E⟩). */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
  });
}

/** Text for element content or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"'`]/g, (sign) => ENTITIES[sign] as string);

function render(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === null || value === undefined || value === false || value === true) return '';
  return escapeHtml(String(value));
}

/** `html\`<p>${text}</p>\``: strings and numbers are escaped, lists joined, null, undefined and booleans leave nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return Html.constant(parts.reduce((markup, part, at) => `${markup}${render(values[at - 1])}${part}`));
}

/** A link target of an allowed scheme or of this site; anything else is null, to be shown as text. */
export function safeHref(target: string): string | null {
  if (/^\/(?!\/)/.test(target) || target.startsWith('#')) return target;
  return /^(https?:\/\/|mailto:)/i.test(target) ? target : null;
}
