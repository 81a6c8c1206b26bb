/** The commands that README.md tells a new user to run, with the output it shows for them. Pure. */

export interface Command {
  /** As it is written; several lines where a command has them. */
  readonly text: string;
  /** Lines of the output that the README shows for it; empty when it shows none. */
  readonly shown: readonly string[];
}

export interface Block {
  /** Heading of the section it is in. */
  readonly step: string;
  /** `build`: where the package is made; `machine`: the one that is watched; `other`: one that looks at it. */
  readonly place: Place;
  readonly commands: readonly Command[];
}

type Place = 'build' | 'machine' | 'other';

/** First line of a block that does not belong to the machine itself. */
const PLACES: Readonly<Record<string, Place>> = {
  '# where you build': 'build',
  '# on the other machine': 'other',
};

const SECTION = /^## (.*)$/m;
const FENCED = /^```(sh|text)\n([\s\S]*?)^```$/gm;

/** Splits a block into commands: a here-document and a line that ends with a backslash go on in the next line. */
function commandsIn(text: string): readonly string[] {
  const commands: string[] = [];
  let open = '';
  let until: string | undefined;
  for (const line of text.split('\n')) {
    if (open === '' && (line.trim() === '' || line.startsWith('#'))) continue;
    open += `${open === '' ? '' : '\n'}${line}`;
    until ??= /<<'?(\w+)'?/.exec(line)?.[1];
    if (until === undefined ? line.endsWith('\\') : line !== until) continue;
    commands.push(open);
    open = '';
    until = undefined;
  }
  if (open !== '') throw new Error(`a command does not end: ${open}`);
  return commands;
}

/** The text below a heading of level 2. Throws when it is not there. */
function sectionOf(readme: string, heading: string): string {
  const parts = readme.split(SECTION);
  const at = parts.indexOf(heading);
  if (at < 0) throw new Error(`README.md has no section "${heading}"`);
  return parts[at + 1] as string;
}

/** Commands of the desk in a section's running text and tables. */
export const inlineOf = (readme: string, heading: string): readonly Command[] =>
  [...sectionOf(readme, heading).matchAll(/`(sudo desk [^`]+)`/g)].map(([, text = '']) => ({
    text,
    shown: [],
  }));

/**
 * The blocks of commands (`sh`) below a heading of level 2, in order. A block of `text` is the output of the last command before it.
 * @throws when the heading is not there, or a block of text has no command
 */
export function blocksOf(readme: string, heading: string): readonly Block[] {
  const blocks: { step: string; place: Place; commands: { text: string; shown: readonly string[] }[] }[] = [];
  for (const part of sectionOf(readme, heading).split(/^### /m).slice(1)) {
    const step = part.slice(0, part.indexOf('\n'));
    for (const [, language, content = ''] of part.matchAll(FENCED)) {
      if (language === 'text') {
        const last = blocks.at(-1)?.commands.at(-1);
        if (last === undefined) throw new Error(`${step}: a block of text without a command`);
        last.shown = content.trimEnd().split('\n');
        continue;
      }
      const [first = ''] = content.split('\n');
      const commands = commandsIn(content).map((text) => ({ text, shown: [] }));
      blocks.push({ step, place: PLACES[first.trim()] ?? 'machine', commands });
    }
  }
  return blocks;
}

/** What differs from one machine and run to the next, as a pattern. */
const VARIES: readonly (readonly [RegExp, string])[] = [
  [/[0-9A-F]{2}(?::[0-9A-F]{2}){7,}/, '[0-9A-F:]+'],
  [/desk_[\w-]{20,}|desk_…/, 'desk_[\\w-]{43}'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z?/, '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z?'],
  [/\b[0-9a-f]{16}\b/, '[0-9a-f]{16}'],
  [/…/, '.*'],
  [/\d+(?:,\d{3})*(?:\.\d+)?/, '[\\d,.]+'],
  [/\s+/, '\\s+'],
];

/** A pattern for a line that the README shows: numbers, times, ids and digests may be others, `…` is any text. */
function patternOf(line: string): RegExp {
  const any = new RegExp(VARIES.map(([of]) => `(${of.source})`).join('|'), 'g');
  let pattern = '';
  let from = 0;
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  for (const found of line.trim().matchAll(any)) {
    const which = found.slice(1).findIndex((group) => group !== undefined);
    pattern +=
      literal(line.trim().slice(from, found.index)) + (VARIES[which] as readonly [RegExp, string])[1];
    from = found.index + found[0].length;
  }
  return new RegExp(`^\\s*${pattern}${literal(line.trim().slice(from))}\\s*$`);
}

/** The first line that the README shows and the output does not have, after those before it; undefined when it has all. */
export function missingIn(output: string, shown: readonly string[]): string | undefined {
  const lines = output.split('\n');
  let at = 0;
  for (const line of shown) {
    if (line.trim() === '' || line.trim() === '…') continue;
    const pattern = patternOf(line);
    const found = lines.findIndex((one, index) => index >= at && pattern.test(one));
    if (found < 0) return line;
    at = found + 1;
  }
  return undefined;
}
