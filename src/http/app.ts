/**
 * The request path, whole: headers → host → proxy marks → origin → peer → route → token → rate → body → handler.
 * One application per listener; what its role lacks in the table of operations does not exist there.
 */
import { parse } from 'node:querystring';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { z } from 'zod';
import { jsonText } from '../base/visible-text.ts';
import type { Config } from '../config/schema.ts';
import {
  type Asset,
  Cached,
  type Call,
  type Caller,
  type Grant,
  NotThere,
  OfState,
  Streamed,
  type Text,
} from '../desk/context.ts';
import { conform } from '../desk/input.ts';
import type { AnyOperation } from '../desk/operation.ts';
import { type CallerFacts, notReaderPage } from '../pages/not-reader-page.tsx';
import { problemPage } from '../pages/problem-page.tsx';
import type { ListenerRole } from '../records/state.ts';
import { bodyOf, tagger, tagOf } from './bodies.ts';
import { readJson } from './body.ts';
import { Problem, problemBody, problemOf } from './errors.ts';
import {
  type Binding,
  checkGrant,
  checkHost,
  checkNoProxy,
  checkOrigin,
  checkPeer,
  grantAt,
  NotReader,
} from './guard.ts';
import { PAGE_POLICY, setResponseHeaders } from './headers.ts';
import { type Peers, peerName, type Readers } from './peer.ts';
import type { RateLimiter } from './rate.ts';
import type { RemoteGuard } from './remote-guard.ts';
import { type Reply, sendReply } from './reply.ts';
import { allowedMethods } from './server.ts';
import type { Tokens } from './tokens.ts';

interface Guards {
  /** The listener as it is bound, the same object while nothing changes; the port is known only after binding. */
  readonly binding: () => Binding;
  readonly config: Config;
  readonly tokens: Tokens;
  readonly peers: Peers;
  readonly readers: Readers;
  readonly posts: RateLimiter;
  readonly log: Logger;
  /** The rules of the remote listener. */
  readonly remote?: RemoteGuard;
}

export interface AppOptions<C> extends Guards {
  readonly operations: readonly AnyOperation<C>[];
  /** What handlers work with. */
  readonly context: C;
}

/** Codes of a response whose client reset or closed the connection. */
const CLIENT_LEFT: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]);

/** The body or query of an operation that takes none. */
const NOTHING = z.strictObject({});
/** The input of an operation that takes none. */
const NONE = Object.freeze({});

interface State {
  grant: Grant | null;
  /** Of the remote listener: as limits count the caller. */
  caller?: string;
}

type Context = Koa.ParameterizedContext<
  State,
  { params?: Record<string, string>; matched?: { methods: string[] }[] }
>;

type Serve = (ctx: Context) => Promise<void>;

/** One Koa application for the role of `binding`. */
export function createApp<C>(options: AppOptions<C>): Koa<State> {
  const app = new Koa<State>();
  app.silent = true;
  app.on('error', (error) => {
    // Not a failure of ours, and any client could fill the log with it.
    if (CLIENT_LEFT.has(error.code)) options.log.debug({ code: error.code }, 'the client left');
    else options.log.warn({ err: error }, 'response failed');
  });
  const router = new Router<State>({ sensitive: true, strict: true });
  const exact = new Map<string, Serve>();
  const { role } = options.binding();
  const etag = tagger();
  for (const operation of options.operations) {
    if (!operation.roles.includes(role)) continue;
    const { method, path, params } = operation;
    const serve = server(operation, options, etag);
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], (ctx) => serve(ctx as Context));
    if (params === undefined) exact.set(`${method} ${path}`, serve);
  }
  app.use(answer(options, exact, openPaths(options.operations, role)));
  app.use(router.routes());
  app.use(answerUnrouted(allowedMethods(role)));
  return app;
}

/**
 * The outermost layer: the guard before everything, every thrown value a problem, nothing of the inside shown. A path
 * without parameters is found here; the rest is matched or refused by the router.
 */
function answer(options: Guards, exact: ReadonlyMap<string, Serve>, open: RegExp): Koa.Middleware<State> {
  const { log } = options;
  const run = Date.now().toString(36);
  let number = 0;
  return async (ctx, next) => {
    try {
      const { url = '', method } = ctx.req;
      const query = url.indexOf('?');
      const path = query < 0 ? url : url.slice(0, query);
      const asked = method === 'HEAD' ? `GET ${path}` : `${method} ${path}`;
      guard(ctx, options, open.test(asked));
      const serve = exact.get(asked);
      await (serve === undefined ? next() : serve(ctx as unknown as Context));
    } catch (error) {
      const problem = problemOf(error);
      number += 1;
      const instance = `urn:hostess-desk:request:${run}-${number}`;
      if (problem.id === 'internal') log.error({ err: error, instance }, 'request failed');
      else log.debug({ problem: problem.id, instance }, 'request refused');
      if (ctx.res.headersSent) return ctx.res.destroy();
      answerProblem(ctx, problem, instance, options);
    }
  };
}

/** What is `open` on a listener, matched against method and path. */
function openPaths(operations: readonly AnyOperation<never>[], role: ListenerRole): RegExp {
  const open = operations.filter((operation) => operation.open && operation.roles.includes(role));
  const paths = open.map(({ method, path }) =>
    `${method} ${path}`.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+'),
  );
  return new RegExp(`^(?:${paths.join('|') || '(?!)'})$`);
}

function answerProblem(ctx: Koa.Context, problem: Problem, instance: string, options: Guards): void {
  const body = problemBody(problem, instance);
  setResponseHeaders(ctx.res);
  ctx.status = problem.status;
  ctx.set({ ...problem.headers });
  if (ctx.accepts('application/problem+json', 'application/json', 'text/html') === 'text/html') {
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    ctx.body =
      problem instanceof NotReader ? notReaderPage(body, callerFacts(problem, options)) : problemPage(body);
    return;
  }
  ctx.set('Content-Type', 'application/problem+json');
  ctx.body = jsonText(body);
}

function callerFacts({ peer }: NotReader, { binding, config, readers }: Guards): CallerFacts {
  const { role } = binding();
  return {
    kind: peer.kind,
    user: peer.kind === 'user' ? readers.nameOf(peer.uid) : '',
    uid: peer.kind === 'user' ? peer.uid : null,
    group: config.access.group,
    // The themed page takes no session.
    signsIn: peer.kind !== 'remote' && role !== 'themed',
  };
}

/** Security rules 1 to 4a, in their order, for every path. */
function guard({ req, res, state }: Koa.ParameterizedContext<State>, options: Guards, open: boolean): void {
  const { tokens, peers, readers, remote } = options;
  const binding = options.binding();
  const host = checkHost(req, binding);
  if (remote !== undefined) {
    const client = remote.client(req);
    checkOrigin(req, binding, host);
    remote.checkMethod(req);
    state.grant = null;
    state.caller = open ? client.name : remote.checkToken(req, res, client);
    return;
  }
  checkNoProxy(req, binding);
  checkOrigin(req, binding, host);
  state.grant = grantAt(binding, tokens.granted(req.headers.authorization));
  checkPeer(req, binding, state.grant, peers, readers, open);
}

/** A path without a route is 404; one with a route but another method is 405, and OPTIONS answers the methods. */
function answerUnrouted(all: string): Koa.Middleware<State> {
  return (ctx) => {
    const { matched = [] } = ctx as unknown as Context;
    const methods = new Set(matched.flatMap((layer) => layer.methods));
    if (methods.size === 0 && ctx.req.url !== '*')
      throw new Problem('not-found', 'See /openapi.json on the control listener for what there is.');
    const allow = methods.size === 0 ? all : [...methods, 'OPTIONS'].sort().join(', ');
    if (ctx.method !== 'OPTIONS')
      throw new Problem('method-refused', `Ask with one of ${allow}.`, { headers: { Allow: allow } });
    setResponseHeaders(ctx.res);
    ctx.set('Allow', allow);
    ctx.status = 204;
  };
}

/** An operation as it is served: what its calls need is computed once, and an input it does not take is not read. */
function server<C>(
  operation: AnyOperation<C>,
  options: AppOptions<C>,
  etag: ReturnType<typeof tagger>,
): Serve {
  const { config, context, log } = options;
  const { id, token, params, query, body } = operation;
  const forms = formsOf(operation);
  // Links to pages are passed on, and other sites may add a query of their own.
  const forBrowsers =
    typeof operation.answer === 'string' && ['page', 'asset', 'style'].includes(operation.answer);
  const { role } = options.binding();
  return async (ctx) => {
    const { method, headers } = ctx.req;
    const wantsStream = acceptable(ctx, forms) === 'text/event-stream' && method !== 'HEAD';
    if (typeof token === 'string') checkGrant(token, ctx.state.grant);
    let input: object = NONE;
    if (body !== undefined) {
      limitRate(ctx, options);
      input = conform(body, await readJson(ctx.req));
    }
    if (typeof token === 'object' && token.needed({ input: input as never, config, role }))
      checkGrant(token.grant, ctx.state.grant);
    if (params !== undefined) input = { ...input, ...conform(params, ctx.params) };
    if (query !== undefined || (!forBrowsers && ctx.req.url?.includes('?')))
      input = { ...input, ...conform(query ?? NOTHING, parametersOf(ctx.querystring)) };
    const call: Call = {
      grant: ctx.state.grant,
      wantsStream,
      caller: callerOf(ctx, options.peers),
      lastEventId: (headers['last-event-id'] as string | undefined) || undefined,
      header: (name) => headers[name]?.toString(),
    };
    // A result that is there is not waited for: each wait is a turn of the microtask queue.
    const result = operation.handle(context, input as never, call);
    sendReply(ctx.req, ctx.res, replyOf(operation, result instanceof Promise ? await result : result, etag));
    ctx.respond = false;
    log.debug({ endpoint: id, status: ctx.res.statusCode, role }, 'answered');
  };
}

/** What a handler returned, as it goes out. */
function replyOf<C>(
  { answer, statusOf }: AnyOperation<C>,
  result: unknown,
  etag: ReturnType<typeof tagger>,
): Reply {
  if (result instanceof Cached) {
    const body = answer === 'page' ? (result.answer as string) : jsonText(result.answer);
    const kept = { etag: tagOf(body), keptSec: result.seconds };
    return answer === 'page' ? { page: body, ...kept } : { json: body, ...kept };
  }
  if (result instanceof NotThere) return { page: result.page, status: 404 };
  if (answer === 'page') return { page: result as string | Buffer };
  if (answer === 'asset') return { asset: result as Asset };
  if (answer === 'document') return { json: result as string };
  if (typeof answer === 'string') return result as Text;
  if (result instanceof Streamed) return { stream: result.start };
  if (!(result instanceof OfState))
    return { json: jsonText(result), status: statusOf?.(result as never) ?? 200 };
  const { state: deskState, key, make, tagged } = result;
  const json = key === null ? jsonText(make()) : bodyOf(deskState, key, () => jsonText(make()));
  return tagged ? { json, etag: etag(deskState, json) } : { json };
}

/** More than any operation takes. */
const MOST_PARAMETERS = 32;

/** Koa's own reading of them takes time by the square of their count. */
function parametersOf(text: string): Readonly<Record<string, unknown>> {
  const parameters = parse(text, '&', '=', { maxKeys: MOST_PARAMETERS + 1 });
  const count = Object.values(parameters).flat().length;
  if (count > MOST_PARAMETERS)
    throw new Problem('invalid', `Send at most ${MOST_PARAMETERS} query parameters.`);
  return { ...parameters };
}

/** What an operation can answer in, the first by default. */
function formsOf<C>({ answer, stream }: AnyOperation<C>): readonly string[] {
  if (answer === 'page') return ['text/html'];
  if (answer === 'asset') return ['text/javascript', 'text/css'];
  if (answer === 'style') return ['text/css'];
  if (answer === 'metrics') return ['text/plain'];
  return stream ? ['application/json', 'text/event-stream'] : ['application/json'];
}

function acceptable(ctx: Context, forms: readonly string[]): string {
  const { accept = '*/*' } = ctx.req.headers;
  const form = accept === '*/*' ? forms[0] : ctx.accepts(...forms);
  if (form === false || form === undefined)
    throw new Problem('not-acceptable', `Accept ${forms.join(' or ')}.`);
  return form;
}

const nameOf = ({ req: { socket }, state }: Context, peers: Peers): string =>
  state.caller ?? peerName(peers.of(socket), socket.remoteAddress);

const callerOf = (ctx: Context, peers: Peers): Caller => ({
  get name() {
    return nameOf(ctx, peers);
  },
  left: () => {
    const { res } = ctx;
    if (res.destroyed) return AbortSignal.abort();
    const leaving = new AbortController();
    res.once('close', () => leaving.abort());
    return leaving.signal;
  },
});

function limitRate(ctx: Context, { posts, peers }: Pick<Guards, 'posts' | 'peers'>): void {
  const waitSec = posts.take(nameOf(ctx, peers));
  if (waitSec > 0)
    throw new Problem('too-many', `Ask again in ${waitSec} s.`, {
      headers: { 'Retry-After': String(waitSec) },
    });
}
