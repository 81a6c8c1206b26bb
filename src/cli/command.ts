/** What a command is: words, arguments, options and examples as data; `run` loads what it needs when it runs. */

import type { Terminal } from '../base/terminal.ts';
import type { ClientOptions } from './client.ts';
import type { ExitCode } from './failure.ts';
import type { Source } from './source.ts';

export interface Argument {
  readonly name: string;
  readonly meaning: string;
  readonly choices?: readonly string[];
  readonly optional?: boolean;
  /** Takes all words that are left, joined by spaces. */
  readonly rest?: boolean;
}

export interface Option {
  /** As commander writes it, e.g. `--why <reason>`. */
  readonly flags: string;
  readonly meaning: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
}

export interface Command {
  /** One or two words, e.g. `scar cook`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Whether `--local` makes sense: the engine runs in this process. */
  readonly local?: boolean;
  /** Whole command lines with what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  run(context: Context, input: Input): Promise<ExitCode>;
}

export interface Input {
  /** Values by argument name; absent optional ones are undefined. */
  readonly arguments: Readonly<Record<string, string | undefined>>;
  /** Values by long option name. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What a command works with. Nothing is loaded or opened before it is asked for. */
export interface Context {
  readonly out: Terminal;
  readonly err: Terminal;
  readonly env: Environment;
  readonly json: boolean;
  readonly local: boolean;
  /** Asks a person a question that yes or no answers; absent without a terminal to ask on. */
  readonly ask?: (question: string) => Promise<boolean>;
  /** Configuration, refused as a `Failure` when invalid. */
  config(): Promise<import('../config/load.ts').LoadedConfig>;
  /** Path of the state folder; it is not created. */
  stateDir(): Promise<string>;
  client(options?: Partial<Pick<ClientOptions, 'timeoutMs'>>): Promise<import('./client.ts').Client>;
  /** Runs work against the service, or against a desk in this process with `--local`; closes it afterwards. */
  withSource<T>(
    work: (source: Source) => Promise<T>,
    options?: Partial<Pick<ClientOptions, 'timeoutMs'>>,
  ): Promise<T>;
  /** Runs work against a desk in this process; closes it afterwards. `beside`: pid of a service on the same state folder. */
  withDesk<T>(
    work: (desk: import('../operations/desk.ts').Desk, beside: number | null) => Promise<T>,
  ): Promise<T>;
}
