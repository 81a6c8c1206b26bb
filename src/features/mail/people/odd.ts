/** What is odd about a name or an address alone: scripts that do not belong together, a name that contains another address. */
import { domainPart } from './address.ts';
import { addressesIn } from './name.ts';
import { shown } from './skeleton.ts';

const SCRIPTS =
  'Latin Cyrillic Greek Armenian Hebrew Arabic Devanagari Bengali Tamil Thai Georgian Ethiopic Khmer Cherokee Coptic Han Hiragana Katakana Hangul Bopomofo'
    .split(' ')
    .map((name) => ({ name, has: new RegExp(`\\p{Script=${name}}`, 'u') }));
const OF_NO_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;
/** What UTS #39 section 5.2 calls highly restrictive. */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

export function mixesScripts(word: string): boolean {
  if (isAscii(word)) return false;
  const scripts = new Set<string>();
  for (const char of word)
    if (!OF_NO_SCRIPT.test(char)) scripts.add(SCRIPTS.find(({ has }) => has.test(char))?.name ?? 'another');
  return (
    scripts.size > 1 && !TOGETHER.some((group) => [...scripts].every((script) => group.includes(script)))
  );
}

interface Odd {
  readonly kind: 'mixed-script' | 'address-in-name';
  readonly about: string;
}

/** What is odd about a person by themselves: of several the first. */
export function oddOf(address: string, names: readonly string[]): Odd[] {
  const odd: Odd[] = [];
  const mixed = [shown(domainPart(address)), ...names]
    .filter((text) => !isAscii(text))
    .flatMap((text) => text.split(/[\s,.]+/))
    .find(mixesScripts);
  if (mixed !== undefined) odd.push({ kind: 'mixed-script', about: mixed });
  const other = names.flatMap(addressesIn).find((one) => one !== address);
  if (other !== undefined) odd.push({ kind: 'address-in-name', about: other });
  return odd;
}
