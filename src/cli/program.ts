/** Builds the command line from the index and runs one command. */
import {
  Command as Commander,
  Argument as CommanderArgument,
  CommanderError,
  Option as CommanderOption,
} from 'commander';
import type { Sink } from '../base/outlet.ts';
import { asSentence } from '../base/sentence.ts';
import { bad, dim, escapeTerminal, Terminal } from '../base/terminal.ts';
import { VERSION } from '../base/version.ts';
import type { Argument, Input } from '../desk/command.ts';
import { type ExitCode, exit, type Failure, failureOf, usage } from '../desk/failure.ts';
import type { CliCommand, Environment } from './command.ts';
import { commandsFor, groups } from './commands/index.ts';
import { contextOf } from './context.ts';

interface Streams {
  readonly out: Sink;
  readonly err: Sink;
}

/** What each exit code means. */
export const EXIT_CODES: Readonly<Record<number, string>> = {
  0: 'ok',
  1: 'findings or not ok',
  2: 'usage',
  3: 'service unreachable',
  4: 'refused',
};

/** Options that every command takes, and `--local`, which some do. */
export const MEANINGS = {
  json: 'print the record alone, as JSON, on stdout',
  local: 'run the engine in this process; a running service is asked only for what changes something',
  help: 'show this help',
} as const;

const codesText = `
Exit codes: ${Object.entries(EXIT_CODES)
  .map(([code, meaning]) => `${code} ${meaning}`)
  .join(', ')}.
With --json, a refusal is one JSON object on stderr: {"error": {"exit_code", "message", "why", "remedy"}}.`;

/** Runs a command line (without node and script) and returns its exit code. Throws bugs only. */
export async function runCommandLine(
  words: readonly string[],
  env: Environment,
  streams: Streams,
): Promise<ExitCode> {
  const out = new Terminal(streams.out, env);
  const err = new Terminal(streams.err, env);
  let code: ExitCode = exit.ok;
  const asJson = words.includes('--json');
  const quiet = { ...streams, err: { ...streams.err, write: () => true } };
  const commands = await commandsFor(words);
  const program = programOf(commands, asJson ? quiet : streams, async (command, input) => {
    const { json, local, ...options } = input.options;
    const orLocal = command.local === true;
    const context = contextOf({ out, err, env, json: json === true, local: local === true, orLocal });
    code = await command.run(context, { ...input, options });
  });
  try {
    if (words.length === 1 && /^(?:--version|-V)$/.test(words[0] ?? '')) {
      const { versionText } = await import('./version.ts');
      out.line(await versionText());
      return exit.ok;
    }
    refuseUnknownHelp(program, words);
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exit.ok;
    const failure = error instanceof CommanderError ? refused(error) : failureOf(error);
    if (failure === undefined) throw error;
    const { message, why, remedy } = failure;
    const { usageCode = failure.exitCode } = commands.find(({ name }) => name === words[0]) ?? {};
    const exitCode = failure.exitCode === exit.usage ? usageCode : failure.exitCode;
    if (asJson) err.json({ error: { exit_code: exitCode, message, why, remedy } });
    // The help of a command that needs another word is its own message.
    else if (!(error instanceof CommanderError && error.code === 'commander.help')) report(err, failure);
    return exitCode;
  }
}

/** What commander refuses: its message, and the suggestion on a second line. */
function refused({ message }: CommanderError): Failure {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n');
  return usage(
    asSentence(first),
    [...more.map((line) => line.replace(/^\((.*)\)$/, '$1')), 'See "desk help".'].join(' '),
  );
}

/** Commander answers a request for the help of an unknown command with the general help. */
function refuseUnknownHelp(program: Commander, [first, ...rest]: readonly string[]): void {
  if (first !== 'help') return;
  let at = program;
  for (const word of rest.filter((one) => !one.startsWith('-'))) {
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined && at.commands.length > 0)
      throw usage(`There is no command "${word}".`, 'See "desk help".');
    at = next ?? at;
  }
}

/** A refusal on stderr: what happened, why, what to do. */
export function report(err: Terminal, { message, why, remedy }: Failure): void {
  err.line(bad('desk: '), message);
  for (const line of why === '' ? [] : why.split('\n')) err.line('  ', line);
  if (remedy !== '') err.wrapped(dim('  '), remedy);
}

type Run = (command: CliCommand, input: Input) => Promise<void>;

/** The tree of commands; `run` is called with what the user gave. */
export function programOf(commands: readonly CliCommand[], streams: Streams, run: Run): Commander {
  // What commander repeats of the user's own words is escaped like any other text from outside.
  const safe = (text: string): string => text.split('\n').map(escapeTerminal).join('\n');
  const dress = (command: Commander): Commander =>
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => streams.out.write(safe(text)),
        writeErr: (text) => streams.err.write(safe(text)),
        outputError: () => undefined,
        getOutHelpWidth: () => streams.out.columns || 100,
        getErrHelpWidth: () => streams.err.columns || 100,
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      })
      .showSuggestionAfterError()
      .helpOption('-h, --help', MEANINGS.help);
  const program = dress(new Commander('desk'))
    .description('Watches this machine and its public site, and shows what it sees.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', `\nFirst steps: desk boot · desk status · desk doctor${codesText}`);
  const parents = new Map<string, Commander>();
  for (const command of commands) {
    const [first, second] = command.name.split(' ') as [string, string?];
    let parent = program;
    if (second !== undefined) {
      parent = parents.get(first) ?? dress(new Commander(first)).description(groups[first] ?? '');
      if (!parents.has(first)) program.addCommand(parent);
      parents.set(first, parent);
    }
    parent.addCommand(dress(leaf(command, second ?? first, run)));
  }
  return program;
}

function leaf(command: CliCommand, name: string, run: Run): Commander {
  const built = new Commander(name).description(command.summary);
  const args = command.arguments ?? [];
  for (const argument of args) built.addArgument(argumentOf(argument));
  for (const { flags, meaning, choices } of command.options ?? []) {
    const option = new CommanderOption(flags, meaning);
    built.addOption(choices ? option.choices([...choices]) : option);
  }
  built.option('--json', MEANINGS.json);
  if (command.local) built.option('--local', MEANINGS.local);
  const widest = Math.max(...command.examples.map(([line]) => line.length));
  const examples = command.examples.map(([line, does]) => `  ${line.padEnd(widest)}  ${does}`);
  built.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  built.action(async (...given: unknown[]) => {
    const values = args.map(({ name: key, rest }, index): [string, string | undefined] => {
      const value = given[index] as string | string[] | undefined;
      return [key, rest && Array.isArray(value) ? value.join(' ') : (value as string | undefined)];
    });
    await run(command, {
      arguments: Object.fromEntries(values),
      options: built.opts<Record<string, string | boolean | undefined>>(),
    });
  });
  return built;
}

function argumentOf({ name, meaning, choices, optional, rest }: Argument): CommanderArgument {
  const inner = rest ? `${name}...` : name;
  const built = new CommanderArgument(optional ? `[${inner}]` : `<${inner}>`, meaning);
  return choices ? built.choices([...choices]) : built;
}
