/** Every command that a message, page or document prints is valid. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allCommands, groups } from '../../src/cli/commands/index.ts';
import { programOf } from '../../src/cli/program.ts';
import { projectRoot } from '../support/require.ts';

const commands = await allCommands();

const FIRST = [
  ...new Set([...commands.map(({ name }) => name.split(' ')[0] ?? ''), ...Object.keys(groups), 'help']),
];

/**
 * Commands in quotes, backticks and tags, alone or after "or": in quoted places a text that begins with `desk WORD` is a command when the
 * word is one of ours.
 */
const QUOTED = new RegExp(
  `["'\`>](?:sudo )?desk ((?:${FIRST.join('|')})(?![a-z])[^"'\`<>·|;]*)["'\`<·|;]`,
  'g',
);

const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));

const FILES = ['README.md', ...filesOf('src', /\.tsx?$/), ...filesOf('docs', /\.(?:md|toml)$/)];

/** What takes the place of a value, in templates and documents. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/\$\{[^}]*\}?/g, '1'],
  // Options that may be left out, as a usage line shows them.
  [/\[[^\]]*\]?/g, ''],
  [/…|\.\.\./g, ''],
  [/\\$/g, ''],
];

/** Not commands: the domain of a seal, and templates that insert a word of the command. */
const NONE = /^baseline 1$|^(?:law|help) \$\{/;

const words = (line: string): string[] => line.split(/\s+/).filter((word) => word !== '');

/** Why it does not parse; "" when it does. */
async function refusal(line: string): Promise<string> {
  const silent = { write: () => true } as unknown as NodeJS.WriteStream;
  const tree = programOf(commands, { out: silent, err: silent }, async () => undefined);
  try {
    await tree.parseAsync(words(line), { from: 'user' });
    return '';
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // The rest of the command is in another string: this part is valid.
    const cut = [
      'commander.missingArgument',
      'commander.optionMissingArgument',
      'commander.missingMandatoryOptionValue',
    ];
    return error.exitCode === 0 || cut.includes(error.code) ? '' : error.message;
  }
}

test('every printed command parses', async () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const file of FILES) {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    for (const [, found = ''] of text.matchAll(QUOTED)) {
      if (NONE.test(found)) continue;
      const line = VALUES.reduce((one, [what, by]) => one.replace(what, by), found);
      seen += 1;
      const why = await refusal(line);
      if (why !== '') wrong.push(`${file}: desk ${found}: ${why}`);
    }
  }
  assert.equal(wrong, []);
  assert.ok(seen > 150, String(seen));
});

test.run();
