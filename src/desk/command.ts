/** What a command is: words, arguments, options and examples as data; `run` loads what it needs when it runs. */
import type { z } from 'zod';
import type { StreamEvent } from '../base/event-stream.ts';
import type { Terminal } from '../base/terminal.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { ExitCode } from './failure.ts';
import type { AnswerKind, Asked, RecordOf } from './operation.ts';

export interface Argument {
  readonly name: string;
  readonly meaning: string;
  readonly choices?: readonly string[];
  /** What shells complete as its first word, where it takes other words too, and behind each of these. */
  readonly offers?: Readonly<Record<string, readonly string[]>>;
  readonly optional?: boolean;
  /** Takes all words that are left, joined by spaces. */
  readonly rest?: boolean;
}

export interface Option {
  /** As commander writes it, e.g. `--why <reason>`. */
  readonly flags: string;
  readonly meaning: string;
  readonly choices?: readonly string[];
}

/** `C`: what it needs of the program that runs it. */
export interface Command<C = Context> {
  /** One or two words, e.g. `scar cook`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Whether it takes `--local`: the engine runs in this process. */
  readonly local?: boolean;
  /** The exit code of a wrong command line; `exit.usage` without it. */
  readonly usageCode?: ExitCode;
  /** Whole command lines with what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  run(context: C, input: Input): Promise<ExitCode>;
}

export interface Input {
  /** Values by argument name; absent optional ones are undefined. */
  readonly arguments: Readonly<Record<string, string | undefined>>;
  /** Values by long option name. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** The service, or a desk of this process. */
export interface Source {
  /** The record that the operation answers. Refusals are `Failure`s. */
  ask<I extends z.ZodObject, A extends AnswerKind>(
    operation: Asked<I, A>,
    input: z.input<I>,
  ): Promise<RecordOf<A>>;
}

/** The running service. */
interface ServiceSource extends Source {
  /** A POST answered by a stream of events, given as they come; one that answers at once is the event `done`. */
  converse<I extends z.ZodObject, A extends AnswerKind>(
    operation: Asked<I, A>,
    input: z.input<I>,
    take: (event: StreamEvent) => void,
  ): Promise<void>;
}

/** For commands that take longer than others. */
export interface Patience {
  readonly timeoutMs?: number;
  /** Without the token of the state folder: what needs one is refused. */
  readonly anonymous?: boolean;
}

/** What a command works with. Nothing is loaded or opened before it is needed. */
export interface Context {
  readonly out: Terminal;
  readonly err: Terminal;
  readonly json: boolean;
  readonly local: boolean;
  /** Prints a record, with `--json` as it is; the exit code says whether what it reports is well. */
  answer<T>(record: T, print: (out: Terminal, record: T) => void, well?: boolean): ExitCode;
  /** Configuration, refused as a `Failure` when invalid. */
  config(): Promise<LoadedConfig>;
  client(options?: Patience): Promise<ServiceSource>;
  /** Runs work against the service, or against a desk in this process with `--local`; closes it afterwards. */
  withSource<T>(work: (source: Source) => Promise<T>, options?: Patience): Promise<T>;
}
