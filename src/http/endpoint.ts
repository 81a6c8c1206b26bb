/** What an endpoint is, and how a handler sees a call of it. */
import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Config } from '../config-schema.ts';
import type { ListenerRole } from '../records/moment.ts';
import type { Asset } from './assets.ts';
import type { Grant } from './tokens.ts';

export interface Endpoint {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Path with `{name}` parameters. */
  readonly path: string;
  readonly roles: readonly ListenerRole[];
  readonly summary: string;
  /** Strict schemas of the input; without one a body is refused unless it is `{}`, and a query unless the answer is for a browser. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Schema of the JSON answer; `page` for HTML, `asset` for what pages load, `style` for CSS, `document` for the OpenAPI document itself, `metrics` for Prometheus text. */
  readonly answer: z.ZodType | 'page' | 'asset' | 'style' | 'document' | 'metrics';
  /** Also speaks `text/event-stream` when that is asked for. */
  readonly stream?: true;
  /** Statuses besides 200 that are part of the answer and carry the same schema. */
  readonly also?: Readonly<Record<number, string>>;
  /** Who may call it beyond the guard; a rule over the checked body where it depends on it. Default: everyone. */
  readonly token?: Grant | TokenRule;
}

/** A token that only some calls need. */
export interface TokenRule {
  readonly grant: Grant;
  /** One phrase for the documentation: when it is needed. */
  readonly when: string;
  /** `body` is already checked against the schema of the endpoint. */
  needed(asked: { readonly body: unknown; readonly config: Config; readonly role: ListenerRole }): boolean;
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : Record<string, never>;

/** A call that has passed every rule; its parts are checked. */
export interface Call<E extends Endpoint = Endpoint> {
  readonly params: OutputOf<E['params']>;
  readonly query: OutputOf<E['query']>;
  readonly body: OutputOf<E['body']>;
  /** What the token of the call grants; null without one. */
  readonly grant: Grant | null;
  /** The caller asked for `text/event-stream`. */
  readonly wantsStream: boolean;
  readonly lastEventId: string | undefined;
  readonly caller: Caller;
}

/** Who calls, for what takes longer than an answer usually does. */
export interface Caller {
  /** The same for everybody whom the limits take for one: a user of this machine, or all who are not known apart. */
  readonly name: string;
  /** Aborted when the connection of the call closes. Listened to from the first time it is asked for. */
  left(): AbortSignal;
}

/** What a handler gives back: JSON bytes, a page, text of a type of its own, or a function that takes the response over. */
export type Reply =
  | { readonly json: Buffer | string; readonly status?: number; readonly etag?: string }
  | { readonly page: Buffer | string }
  | { readonly asset: Asset }
  | { readonly text: string; readonly type: string }
  | { readonly stream: (response: ServerResponse) => void };

export type Handler<E extends Endpoint = Endpoint> = (call: Call<E>) => Reply | Promise<Reply>;

/** One handler for each endpoint of a table that a role has. */
export type Handlers<Table extends readonly Endpoint[], Role extends ListenerRole> = {
  readonly [E in Table[number] as Role extends E['roles'][number] ? E['id'] : never]: Handler<E>;
};
