/**
 * What a reader cannot see, defined once for terminal, HTML and JSON, and the escaper of JSON. Imports nothing: the browser uses it too.
 */

/**
 * Members of a character class (flag u), by general category and property (UAX #44): C0, DEL and C1 (Cc), bidi and zero-width
 * formatting (Cf, UAX #9), lone surrogates (Cs), line and paragraph separators (Zl, Zp), and what is drawn as nothing: soft hyphen,
 * fillers, variation selectors, tags.
 */
export const INVISIBLE = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';

/** Printable ASCII needs no second scan, which costs ten times as much; line feeds are structure, JSON strings have no line feeds. */
const BEYOND_ASCII = /[^\n -~]+/g;
const INVISIBLE_ONE = new RegExp(`[${INVISIBLE}]`, 'gu');

/** `\uXXXX` for each UTF-16 code unit (RFC 8259, section 7). */
export const jsonEscape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** JSON text in which every character that a reader cannot see is an escape; the value stays the same. */
export const escapeJson = (json: string): string =>
  json.replace(BEYOND_ASCII, (some) => some.replace(INVISIBLE_ONE, jsonEscape));

/** Whether bytes were lost when this became text: U+FFFD may replace any, and half a character cannot be written. */
export const isLossy = (text: string): boolean => /[\ufffd\p{Cs}]/u.test(text);

/** The one way from a value to the JSON text that leaves the process. `indent` as for `JSON.stringify`. */
export const jsonText = (value: unknown, indent?: number): string =>
  escapeJson(JSON.stringify(value, null, indent));
