/** An operation, from which follow HTTP route, OpenAPI and reference entry, access table, `--local` answer and command with its help. */
import { z } from 'zod';
import type { Terminal } from '../base/terminal.ts';
import type { Config } from '../config/schema.ts';
import type { ListenerRole } from '../records/state.ts';
import type {
  Asset,
  Cached,
  Call,
  DeskContext,
  Grant,
  NotThere,
  OfState,
  PublicContext,
  RemoteContext,
  RemoteDesk,
  ServiceContext,
  Streamed,
  Text,
} from './context.ts';

/** The schema of a record, or what else an answer is: `page` HTML, `asset` what pages load, `style` CSS, `document` OpenAPI, `metrics` Prometheus text. */
export type AnswerKind = z.ZodType | 'page' | 'asset' | 'style' | 'document' | 'metrics';

type ResultOf<A> =
  A extends z.ZodType<infer R>
    ? R | OfState<R> | Cached<R> | Streamed
    : A extends 'asset'
      ? Asset
      : A extends 'style' | 'metrics'
        ? Text
        : string | Buffer | Cached<string> | NotThere;

export type RecordOf<A> = A extends z.ZodType<infer R> ? R : never;

/** A token that only some calls need. */
interface TokenRule<Input> {
  readonly grant: Grant;
  /** One phrase for the documentation: when it is needed. */
  readonly when: string;
  readonly needed: (asked: {
    /** The checked body of a POST; the query of a GET is checked behind the token. */
    readonly input: Input;
    readonly config: Config;
    readonly role: ListenerRole;
  }) => boolean;
}

/** A word of the command line. With `field` it is that field of the input, whose schema gives meaning and choices when these are left out. */
interface CommandArgument<Field> {
  readonly name: string;
  readonly field?: Field;
  readonly meaning?: string;
  readonly choices?: readonly string[];
  readonly optional?: boolean;
  /** Takes all words that are left, joined by spaces. */
  readonly rest?: boolean;
}

interface CommandOption<Field> {
  /** As commander writes it, e.g. `--why <reason>`. */
  readonly flags: string;
  readonly field: Field;
  readonly meaning?: string;
}

/** The command of an operation; `--json` and, where it applies, `--local` come by themselves. */
interface OperationCommand<Input, R> {
  /** One or two words, e.g. `scar cook`. */
  readonly name: string;
  /** Default: the summary of the operation. */
  readonly summary?: string;
  readonly arguments?: readonly CommandArgument<keyof Input & string>[];
  readonly options?: readonly CommandOption<keyof Input & string>[];
  /** Whole command lines with what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly timeoutMs?: number;
  readonly print: (out: Terminal, record: R, input: Input) => void;
  /** Exit code 0 where it holds, else 1. Default: it holds. */
  readonly isWell?: (record: R) => boolean;
}

type Method = 'GET' | 'POST';
export type Route = `${Method} /${string}`;

interface Declared<C, I extends z.ZodObject, A extends AnswerKind, R extends Route> {
  /** Method, and path with `{name}` parameters, which are fields of the input. */
  readonly route: R;
  readonly roles: readonly ListenerRole[];
  readonly summary: string;
  /** Strict schema of the input: parameters of the path, with the query of a GET or the body of a POST. Default: nothing. */
  readonly input?: I;
  readonly answer: A;
  /** Also speaks `text/event-stream` on request. */
  readonly stream?: true;
  /** Statuses besides 200 that are part of the answer and carry the same schema. */
  readonly also?: Readonly<Record<number, string>>;
  /** The status of an answer. Default: 200. */
  readonly statusOf?: (record: RecordOf<A>) => number;
  /** Who may ask beyond the guard of the listener; a rule where it depends on the input. Default: everyone. */
  readonly token?: Grant | TokenRule<z.output<I>>;
  /**
   * Also answered to callers that the guard of a listener refuses by who they are: on the remote one without a token, on the others to users who
   * may not read. It reveals nothing of the machine.
   */
  readonly open?: true;
  /** Changes more than records: where a service runs, `--local` asks it instead. */
  readonly changes?: boolean | ((input: z.input<I>) => boolean);
  readonly command?: OperationCommand<z.input<I>, RecordOf<A>>;
  /** Also a tool for assistants of others, under this name; only of what reads. */
  readonly tool?: { readonly name: string; readonly about: string };
  readonly handle: (
    context: C,
    input: z.output<I>,
    call: Call,
  ) => NoInfer<ResultOf<A>> | Promise<NoInfer<ResultOf<A>>>;
}

export interface Operation<
  C = never,
  I extends z.ZodObject = z.ZodObject,
  A extends AnswerKind = AnswerKind,
  R extends Route = Route,
> extends Declared<C, I, A, R> {
  readonly method: R extends `${infer M extends Method} ${string}` ? M : never;
  readonly path: R extends `${Method} ${infer P}` ? P : never;
  readonly input: I;
  /** Schemas of the parts of the input; undefined where there is none. */
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodObject | undefined;
  /** A desk of this process can answer. */
  readonly local: boolean;
}

/** An operation whose types are not known here; `C` is the least context that it is called with. */
export type AnyOperation<C = never> = Omit<
  Operation<C>,
  'token' | 'changes' | 'command' | 'handle' | 'statusOf' | 'input'
> & {
  /** The name of its export, e.g. `scar-check`. */
  readonly id: string;
  readonly input: z.ZodObject;
  readonly token?: Grant | TokenRule<never>;
  readonly changes?: boolean | ((input: never) => boolean);
  readonly command?: OperationCommand<never, never>;
  readonly statusOf?: (record: never) => number;
  readonly handle: (context: C, input: never, call: Call) => unknown;
};

const NOTHING = z.strictObject({});

const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function declare<C, I extends z.ZodObject, A extends AnswerKind, R extends Route>(
  declared: Declared<C, I, A, R>,
  local: boolean,
): Operation<C, I, A, R> {
  const [method, path] = declared.route.split(' ') as [never, never];
  const input = declared.input ?? (NOTHING as unknown as I);
  const inPath = Object.fromEntries(parametersOf(path).map((name) => [name, true]));
  const hasParams = Object.keys(inPath).length > 0;
  const params = hasParams ? input.pick(inPath as never) : undefined;
  const rest: z.ZodObject = hasParams ? input.omit(inPath as never) : input;
  const query = method === 'GET' && Object.keys(rest.shape).length > 0 ? rest : undefined;
  const body = method === 'POST' ? rest : undefined;
  return { ...declared, method, path, input, params, query, body, local };
}

type Private = Exclude<ListenerRole, 'public' | 'remote'>;

/** Declares an operation whose handler gets a `C`. */
type Declare<C, Also> = <A extends AnswerKind, const R extends Route, I extends z.ZodObject = typeof NOTHING>(
  declared: Declared<C, I, A, R> & Also,
) => Operation<C, I, A, R>;

/** Needs a desk and nothing else. `local` false: a desk of this process must not answer it. */
export const operation: Declare<
  DeskContext,
  { readonly roles: readonly Private[]; readonly local?: false }
> = ({ local, ...declared }) => declare(declared, local ?? true);

/** Needs a running service. */
export const serviceOperation: Declare<ServiceContext, { readonly roles: readonly Private[] }> = (declared) =>
  declare(declared, false);

/** The public listener serves it too: its handler gets the readable part of the desk alone. */
export const publicOperation: Declare<PublicContext, unknown> = (declared) => declare(declared, false);

/** Only the remote listener serves it: for other machines, reading only. What is not `open` needs a token there. */
export const remoteOperation: Declare<RemoteContext, { readonly roles: readonly ['remote'] }> = (declared) =>
  declare(declared, false);

/** The remote listener serves it beside others: its handler gets a desk that can only be read, and no service. */
export const widelyReadOperation: Declare<
  { readonly desk: RemoteDesk },
  { readonly roles: readonly Exclude<ListenerRole, 'public'>[] }
> = (declared) => declare(declared, false);

/** The types of the operations among the exports of a module. */
export type OperationsIn<T> = Extract<T[keyof T], { readonly handle: (...args: never[]) => unknown }>;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const roles = (value: AnyOperation): number => value.roles.length;

/** The operations among the exports of modules, each with its name as id, in the order of their paths; where listeners share one, that of the most listeners is first. */
export const operationsIn = <C>(...modules: readonly object[]): readonly AnyOperation<C>[] =>
  modules
    .flatMap((module) => Object.entries(module))
    .filter(([, value]) => typeof value === 'object' && value !== null && 'handle' in value)
    .map(([name, value]): AnyOperation<C> => ({ ...value, id: kebab(name) }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : roles(b) - roles(a)));

/** Listeners of a desk. */
export const CONTROL = ['control'] as const;
export const DESK = ['control', 'office'] as const;
/** What the office and the themed page read. */
export const SHOWN = ['control', 'office', 'themed'] as const;

/** Whether a call with this input changes more than records. */
export const changesWith = ({ changes = false }: AnyOperation, input: unknown): boolean =>
  typeof changes === 'boolean' ? changes : changes(input as never);

/** An operation as something that can be asked: what `ask` needs of it. */
export type Asked<I extends z.ZodObject, A extends AnswerKind> = Pick<
  Operation<never, I, A>,
  'method' | 'path' | 'input' | 'answer'
>;
