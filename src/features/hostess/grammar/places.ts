/** Names that two words make: a desk port, an account. Pure. */
import type { Names, Slot, Token } from './read.ts';

/** "Keys for admin": the account of that name, which is also a word for one that may do everything. */
export const isAccount = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.plain === 'admin' && BEFORE_ACCOUNT.test(tokens[at - 1]?.plain ?? '');
const BEFORE_ACCOUNT =
  /^(?:for|of|by|from|user|account|benutzers?|konto|fur|von|usuario|cuenta|de|para|por|utilisateur|compte|pour|par)$/;

/** "The public port", "the office desk port", "le port public": one desk port by its name. */
export function deskPortAt(
  tokens: readonly Token[],
  at: number,
  names: Names,
): { readonly slot: Slot; readonly length: number } | null {
  const said = tokens.slice(at, at + 3).map(({ plain }) => plain);
  const [first = '', second = '', third = ''] = said;
  const [name, length] =
    second === 'port' || second === 'puerto'
      ? [first, 2]
      : second === 'desk' && third === 'port'
        ? [first, 3]
        : first === 'port' || first === 'puerto'
          ? [second, 2]
          : ['', 0];
  const port = name === '' || name === 'desk' ? null : names.deskPort(name);
  if (port === null) return null;
  return { slot: { part: 'deskport', value: port, text: name }, length };
}
