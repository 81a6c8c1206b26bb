/** What the desk itself uses: "how much memory do you need". Pure. */
import type { Build } from './follow.ts';
import type { Heard, Quantity } from './hear.ts';
import { USES, type Use } from './quantities.ts';

/** "You" or the desk, as what uses something. */
const OWN =
  /\b(?:(?:does|do|is) (?:the |this )?(?:desk|hostess|you)\b.*\b(?:us\w+|need\w*|tak\w+|consum\w+|cost\w*|eat\w*)|(?:are )?you (?:us\w+|need\w*|tak\w+|consum\w+|eat\w*)|(?:own|your|desk s) (?:cpu|memory|ram|resource\w*|usage|consumption|footprint)|(?:braucht|verbraucht|belegt|nutzt|frisst|benutzt) (?:der |dieser )?desk|(?:brauchst|verbrauchst|belegst|nutzt|frisst|benutzt) du|(?:usa|consume|ocupa|gasta|necesita) (?:el |este )?desk|(?:usas|consumes|ocupas|gastas|necesitas)|(?:utilise|consomme|prend) (?:le |ce )?desk|(?:utilises|consommes|prends)(?: tu)?)\b/;
const OWN_USES: ReadonlySet<Quantity> = new Set(['cpu', 'memory', 'load', 'io']);

/** `self`: the process of the service; null without one. */
export function ownUse(
  { plain, programs, users, moment, quantities }: Heard,
  uses: readonly Use[],
  self: number | null,
): Build | null {
  if (self === null || uses.length === 0 || moment !== null || !OWN.test(plain)) return null;
  if (programs.length > 0 || users.length > 0 || quantities.some((one) => !OWN_USES.has(one))) return null;
  const where = `pid = ${self}`;
  const sums = uses.flatMap((use) => USES[use].map((column) => `sum(${column})`));
  return {
    ...{ kind: 'total', uses, names: [{ text: 'desk', where }], unused: [] },
    query: `slow select count(), ${sums.join(', ')} where ${where}`,
  };
}
