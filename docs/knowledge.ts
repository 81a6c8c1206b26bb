/** What the hostess knows beside the moment, gathered from what defines it: `docs/knowledge.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import { CHECKS } from '../src/checks/index.ts';
import type { CliCommand } from '../src/cli/command.ts';
import { allCommands } from '../src/cli/commands/index.ts';
import type { Knowledge } from '../src/features/hostess/knowledge.ts';
import { isStopWord } from '../src/features/hostess/lexicon.ts';
import { OPERATIONS } from '../src/features/table.ts';
import { describe } from '../src/records/describe.ts';
import { ALL } from '../src/records/index.ts';

const commands = await allCommands();

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The root that grounds of a record begin with; records that are no grounds are left out. */
const ROOTS: Readonly<Record<string, string>> = {
  DeskStatus: 'status',
  ChargeReport: 'charge',
  DeskHygiene: 'av',
  Detection: 'detection',
  Live: 'live',
  Scar: 'scar',
  Site: 'site',
  MailState: 'mail',
  Version: 'version',
  BaselineDiff: 'baseline_diff',
  Who: 'who',
  People: 'people',
};

const bare = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .trim();

/** The rows of the glossary's tables; one row may explain several words. */
function words(): Knowledge['words'] {
  const rows = [...read('glossary.md').matchAll(/^\| (.+?) \| (.+) \|$/gm)].filter(
    ([, word]) => word !== 'word',
  );
  return rows.flatMap(([, names = '', meaning = '']) =>
    bare(names)
      .split(/, (?=\S)/)
      .map((word) => ({ word, meaning: bare(meaning) })),
  );
}

const fields = (): Knowledge['fields'] =>
  ALL.flatMap((record) => {
    const root = ROOTS[record.name];
    return root === undefined
      ? []
      : describe(record).map(({ path, type, meaning }) => ({ path: `${root}.${path}`, type, meaning }));
  });

const checks = (): Knowledge['checks'] =>
  CHECKS.map(({ id, avenue, severity, tier, text: { about, benign, remedy } }) => ({
    id,
    avenue,
    severity,
    tier,
    about,
    benign,
    remedy,
  }));

function usage({ name, arguments: args = [], options = [] }: CliCommand): string {
  const parts = args.map(({ name: word, choices, optional, rest }) => {
    const inner = `${choices?.join('|') ?? word}${rest ? '...' : ''}`;
    return optional ? `[${inner}]` : choices === undefined ? `<${inner}>` : inner;
  });
  return ['desk', name, ...parts, ...options.map(({ flags }) => `[${flags}]`)].join(' ');
}

const commandRows = (): Knowledge['commands'] =>
  commands.map((command) => ({
    name: command.name,
    usage: usage(command),
    summary: command.summary,
    examples: command.examples.map(([line]) => line),
  }));

const endpoints = (): Knowledge['endpoints'] =>
  OPERATIONS.map(({ method, path, summary }) => ({ name: `${method} ${path}`, summary }));

/** The keys of the configuration as its page lists them, with default and remark. */
function keys(): Knowledge['keys'] {
  const page = read('configuration.md');
  const listed = page.slice(page.indexOf('## Every key'));
  const block = /```toml\n([\s\S]*?)\n```/.exec(listed)?.[1] ?? '';
  let section = '';
  const found: { key: string; default: string; meaning: string }[] = [];
  for (const line of block.split('\n')) {
    const head = /^\[\[?([\w.]+)\]?\](?:\s*#\s*(.*))?$/.exec(line);
    const row = /^(\w+) = (.*?)(?:\s+#\s*(.*))?$/.exec(line);
    const more = /^\s+#\s*(.*)$/.exec(line);
    const last = found.at(-1);
    if (head !== null) {
      section = head[1] as string;
      found.push({ key: section, default: 'as its keys say', meaning: head[2] ?? '' });
    } else if (row !== null)
      found.push({ key: `${section}.${row[1]}`, default: row[2] as string, meaning: row[3] ?? '' });
    else if (more !== null && last !== undefined) last.meaning = `${last.meaning} ${more[1]}`.trim();
  }
  return found.filter(({ key, meaning }) => key.includes('.') || meaning !== '');
}

/** Pages that are not about how the desk is used. */
const NOT_USED =
  /^(?:architecture|benchmarks|bounds|checks|engine|gallery|glossary|hostess|operations|query|records|testing)\.md$/;
const LONGEST_ABOUT = 240;

/** What each section of the pages is about: its first sentence, and each word of it once. */
function sections(): Knowledge['sections'] {
  const files = readdirSync(new URL('.', import.meta.url)).filter(
    (name) => name.endsWith('.md') && !NOT_USED.test(name),
  );
  return files.sort().flatMap((file) =>
    read(file)
      .replace(/^```[\s\S]*?^```/gm, '```')
      .split(/^(?=#{1,3} )/m)
      .flatMap((section) => {
        const [head = '', ...lines] = section.split('\n');
        const heading = bare(head.replace(/^#+ /, ''));
        const opening = lines.join('\n').split(/^(?:```|\|)/m)[0] ?? '';
        const prose = bare(opening.replace(/\n/g, ' ')).replace(/^(?:\d+\w?\.|-) /, '');
        const about = /^.*?\.(?=\s|$)/.exec(prose)?.[0] ?? '';
        if (heading === '') return [];
        const words = new Set(
          lines
            .join(' ')
            .toLowerCase()
            .match(/\p{L}[\p{L}\d]{2,}/gu) ?? [],
        );
        return [
          {
            name: `docs/${file}, ${heading}`,
            about: about.slice(0, LONGEST_ABOUT),
            words: [...words]
              .filter((word) => !isStopWord(word))
              .sort()
              .join(' '),
          },
        ];
      }),
  );
}

/** One line for each thing, so that changes of two hands seldom meet. */
export function knowledgeText(): string {
  const knowledge: Knowledge = {
    words: words(),
    fields: fields(),
    checks: checks(),
    commands: commandRows(),
    endpoints: endpoints(),
    keys: keys(),
    sections: sections(),
  };
  const parts = Object.entries(knowledge).map(
    ([name, rows]) =>
      `${JSON.stringify(name)}: [\n${rows.map((row: unknown) => JSON.stringify(row)).join(',\n')}\n]`,
  );
  return `{\n${parts.join(',\n')}\n}\n`;
}
