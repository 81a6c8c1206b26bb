/** Writes docs/desk.1, the manual page, from the declarations of the commands (man(7)). */
import { VERSION } from '../src/base/version.ts';
import type { CliCommand } from '../src/cli/command.ts';
import { EXIT_CODES, MEANINGS } from '../src/cli/program.ts';

/** A line that begins with a dot or an apostrophe would be a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

const bold = (text: string): string => `\\fB${roff(text)}\\fR`;

function command({ name, summary, arguments: args = [], options = [], local, examples }: CliCommand): string {
  const words = args.map(({ name: word, optional, rest }) => {
    const inner = rest ? `${word}...` : word;
    return ` \\fI${roff(optional ? `[${inner}]` : inner)}\\fR`;
  });
  const values = (choices: readonly string[] | undefined): string =>
    choices === undefined ? '' : ` One of ${choices.join(', ')}.`;
  const more = [
    ...args.map(({ name: word, meaning, choices }) => [
      `\\fI${roff(word)}\\fR`,
      `${meaning}.${values(choices)}`,
    ]),
    ...options.map(({ flags, meaning, choices }) => [bold(flags), `${meaning}.${values(choices)}`]),
    ...(local ? [[bold('--local'), `${MEANINGS.local}.`]] : []),
  ].map(([head = '', text = '']) => `.TP\n${head}\n${roff(text)}`);
  const lines = examples.map(([line, does]) => `.TP\n${bold(line)}\n${roff(does)}`);
  return [
    `.SS ${bold(name)}${words.join('')}`,
    `${roff(summary)}.`,
    ...more,
    '.PP\nExamples:',
    ...lines,
  ].join('\n');
}

const variables = [
  ['DESK_CONFIG', 'the configuration file'],
  ['DESK_STATE', 'the state folder'],
  ['DESK_MARK', 'the build of the engine that is used'],
  ['DESK_BACKEND', 'how processes are read: bpf or procfs'],
  [
    'DESK_LOG_LEVEL',
    'what the service logs at least: trace, debug, info, warn, error or fatal; silent: nothing',
  ],
] as const;

export const manualPage = (commands: readonly CliCommand[]): string =>
  [
    '.\\" Generated from the declarations of the commands by "npm run docs" (docs/man.ts).',
    `.TH DESK 1 "" "Hostess Desk ${VERSION}" "User Commands"`,
    '.SH NAME',
    'desk \\- watches this machine and its public site, and shows what it sees',
    '.SH SYNOPSIS',
    `${bold('desk')} \\fIcommand\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]`,
    '.SH DESCRIPTION',
    roff(
      'The service watches one Linux machine: processes, listeners, and what starts by itself. It judges their hygiene, keeps a known-good baseline, and answers over HTTP. Start it with "desk boot"; other commands ask it.',
    ),
    '.SH OPTIONS',
    `.TP\n${bold('--json')}\n${roff(MEANINGS.json)}. Every command takes it.`,
    `.TP\n${bold('-h, --help')}\n${roff(MEANINGS.help)}.`,
    `.TP\n${bold('-V, --version')}\nshow the version.`,
    '.SH COMMANDS',
    ...commands.map(command),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT_CODES).map(([code, meaning]) => `.TP\n${bold(code)}\n${roff(meaning)}`),
    '.SH ENVIRONMENT',
    ...variables.map(([name, meaning]) => `.TP\n${bold(name)}\n${roff(meaning)}`),
    '',
  ].join('\n');
