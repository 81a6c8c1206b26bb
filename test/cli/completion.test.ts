/** What shells complete, by the shells themselves. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allCommands } from '../../src/cli/commands/index.ts';
import { bashCompletion } from '../../src/cli/completion/bash.ts';
import { fishCompletion } from '../../src/cli/completion/fish.ts';
import { treeOf } from '../../src/cli/completion/tree.ts';
import { zshCompletion } from '../../src/cli/completion/zsh.ts';
import { SEVERITIES } from '../../src/policy/severity.ts';
import { cli } from '../support/cli.ts';
import { expect } from '../support/expect.ts';
import { testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('completion');
const commands = await allCommands();
const tree = treeOf(commands);
const folder = tempFolder('desk-completion-');
const scriptOf = (shell: string, text: string): string => {
  const path = join(folder, `desk.${shell}`);
  writeFileSync(path, text);
  return path;
};
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

type Complete = (words: readonly string[]) => readonly string[];

/** `words`: what is typed, the last one still open. */
const COMPLETE: Readonly<Record<'bash' | 'zsh' | 'fish', Complete>> = {
  bash: (words) => {
    const path = scriptOf('bash', bashCompletion(tree));
    const run = `source "$0"; COMP_WORDS=(desk "$@"); COMP_CWORD=$#; _desk; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return linesOf(execFileSync('bash', ['-c', run, path, ...words], { encoding: 'utf8' }));
  },
  zsh: (words) => {
    const path = scriptOf('zsh', zshCompletion(tree));
    // What zsh itself would filter and show.
    const run = `compdef() { }; _describe() { print -l -- $found }; path=$1; shift
words=(desk "$@"); CURRENT=$#words; source $path; _desk`;
    const all = linesOf(execFileSync('zsh', ['-fc', run, 'zsh', path, ...words], { encoding: 'utf8' }));
    const typed = words.at(-1) ?? '';
    return all.map((line) => line.replace(/(?<!\\):.*$/, '')).filter((word) => word.startsWith(typed));
  },
  fish: (words) => {
    const path = scriptOf('fish', fishCompletion(tree));
    const run = 'source $argv[1]; complete -C "desk $argv[2]"';
    const printed = execFileSync('fish', ['--no-config', '-c', run, path, words.join(' ')], {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    });
    return linesOf(printed).map((line) => line.replace(/\t.*$/, ''));
  },
};

for (const shell of ['bash', 'zsh', 'fish'] as const)
  testsNeeding(test, shell)(`${shell} completes commands, options and their values`, () => {
    const of = (...words: string[]) => [...COMPLETE[shell](words)].sort();
    const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')), 'help'];
    expect(of('')).equals(first.sort());
    expect(of('stat')).equals(['stats', 'status']);
    expect(of('scar', '')).equals(['check', 'cook']);
    expect(of('findings', '--severity', '')).equals([...SEVERITIES].sort());
    expect(of('findings', '--se')).equals(['--severity']);
    expect(of('startup', '--pl')).equals(['--place']);
    expect(of('scar', 'cook', 'co')).equals(['cook']);
    assert.ok(of('scar', 'cook', '--').includes('--json'));
    expect(of('query', 'proc')).equals(['processes']);
    expect(of('query', 'processes', 'thr')).equals(['threads']);
    expect(of('query', '--columns', 'finding_')).equals(['finding_events']);
    expect(of('nonsense', '')).equals([]);
  });

test('the command prints the script of a shell', async () => {
  for (const [shell, text] of [
    ['bash', bashCompletion(tree)],
    ['zsh', zshCompletion(tree)],
    ['fish', fishCompletion(tree)],
  ] as const) {
    const { code, out } = await cli(['completion', shell], {});
    assert.is(code, 0);
    assert.is(out, text);
  }
  assert.is((await cli(['completion', 'tcsh'], {})).code, 2);
});

test.run();
