/** Secrets in text, found by their form: for questions to an assistant, and for what is kept of command lines. */

export const SECRET = '[secret removed]';

/** Also behind other words: `DB_PASSWORD`, `client_secret`. */
const NAMES_SECRET =
  '(?:pass(?:word|wd|phrase|wort)?|pwd|secret|token|kennwort|mot de passe|contrase(?:\u00f1|n|n\u0303)a|(?:api|access|auth|private)[-_ ]?key)';
const VALUE = `(?:"[^"\\n]+"?|'[^'\\n]+'?|[^\\s"',;]+)`;

/** What has the form of a secret. What only might be one is removed too. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
  // JSON Web Tokens (RFC 7519), and the key forms of well-known services.
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[oprsu]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}|\bxox[a-z]-[\w-]{8,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{16,}/g,
  /(?<=\bauthorization["']?\s{0,8}[:=]\s{0,8}["']?(?:[\w-]{1,40}\s{1,8})?)[^\s"',;]+/gi,
  /(?<=\bbearer\s{1,8})(?=\S*\d)[\w.~+/=-]{8,}/gi,
  new RegExp(`(?<=${NAMES_SECRET}["']?\\s{0,8}(?:[:=]>?|%3[ad])\\s{0,8})${VALUE}`, 'gi'),
  new RegExp(
    `(?<=(?<![\\p{L}\\p{N}])${NAMES_SECRET}["']?\\s{0,8}(?:is|ist|lautet|est|es)\\s{1,8})${VALUE}`,
    'giu',
  ),
  // User name and password of an address (RFC 3986 section 3.2.1).
  /(?<=\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/]*:[^\s/]*(?=@)/gi,
  // A token in the place of the user name.
  /(?<=\bhttps?:\/\/)[^\s/:]+(?=@)/gi,
];
/** Runs without a word in them, also behind `NAME=`: tokens, keys and digests. The identifiers of findings are shorter. */
const LONG_RUN = /(?<![\w+/-])(?=[\w+-]*\d)(?=[\w+-]*[a-z])[\w+-]{32,}={0,2}(?![\w+/-])/gi;
/** Maybe base64 (RFC 4648), of at least eight bytes. */
const ENCODED = /(?<![\w+=-])[\w+-]{11,}={0,2}(?![\w+=-])/g;

/** Whether something in the text has the form of a secret by itself, without being decoded. */
export const hasSecret = (text: string): boolean => SECRETS.some((secret) => text.search(secret) >= 0);

/** `hides`: whether a text that was found encoded must not be shown; default: it has a secret. */
export function withoutSecrets(text: string, hides: (decoded: string) => boolean = hasSecret): string {
  let shown = text;
  for (const secret of SECRETS) shown = shown.replace(secret, SECRET);
  return shown.replace(LONG_RUN, SECRET).replace(ENCODED, (found) => {
    const inside = decoded(found);
    return inside !== '' && hides(inside) ? SECRET : found;
  });
}

/** The text in base64; "" when it is not readable. */
function decoded(text: string): string {
  const found = Buffer.from(text, 'base64').toString();
  return /^[^\p{Cc}\ufffd]{8,}$/u.test(found) ? found : '';
}
