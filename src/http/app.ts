/**
 * The request path, whole: headers → host → proxy marks → origin → peer → route → token → rate → body → handler.
 * One application per listener; what its role lacks in the endpoint table does not exist there.
 */
import { parse } from 'node:querystring';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { z } from 'zod';
import { jsonText } from '../base/visible-text.ts';
import type { Config } from '../config-schema.ts';
import { problemPage } from '../pages/problem-page.tsx';
import { conform, readJson } from './body.ts';
import type { Call, Caller, Endpoint, Handler } from './endpoint.ts';
import { Problem, problemBody, problemOf } from './errors.ts';
import { checkGrant, checkHost, checkNoProxy, checkOrigin, checkPeer, type Door, grantAt } from './guard.ts';
import { setResponseHeaders } from './headers.ts';
import { PAGE_POLICY } from './page-policy.ts';
import { type Peers, peerName, type Readers } from './peer.ts';
import type { RateLimiter } from './rate.ts';
import { sendReply } from './reply.ts';
import { allowedMethods } from './server.ts';
import type { Grant, Tokens } from './tokens.ts';

export interface AppOptions {
  /** The listener as it is bound, the same object while nothing changes; the port is known only after binding. */
  readonly door: () => Door;
  readonly endpoints: readonly Endpoint[];
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly config: Config;
  readonly tokens: Tokens;
  readonly peers: Peers;
  readonly readers: Readers;
  readonly posts: RateLimiter;
  readonly log: Logger;
}

/** Codes of a response whose client reset or closed the connection. */
const CLIENT_LEFT: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]);

/** The body or query of an endpoint that takes none. */
const NOTHING = z.strictObject({});
/** What a call has of an input that its endpoint does not take. */
const NONE = Object.freeze({});

interface State {
  grant: Grant | null;
}

type Context = Koa.ParameterizedContext<
  State,
  { params?: Record<string, string>; matched?: { methods: string[] }[] }
>;

type Serve = (ctx: Context) => Promise<void>;

/** One Koa application for the role of `door`. */
export function createApp(options: AppOptions): Koa<State> {
  const app = new Koa<State>();
  app.silent = true;
  app.on('error', (error) => {
    // That a client left is its own affair, and anybody could fill the log with it.
    if (CLIENT_LEFT.has(error.code)) options.log.debug({ code: error.code }, 'the client left');
    else options.log.warn({ err: error }, 'response failed');
  });
  const router = new Router<State>({ sensitive: true, strict: true });
  const exact = new Map<string, Serve>();
  const { role } = options.door();
  for (const endpoint of options.endpoints) {
    if (!endpoint.roles.includes(role)) continue;
    const handler = options.handlers[endpoint.id];
    if (handler === undefined) throw new TypeError(`endpoint ${endpoint.id} of role ${role} has no handler`);
    const serve = server(endpoint, handler, options);
    router.register(endpoint.path.replace(/\{(\w+)\}/g, ':$1'), [endpoint.method], (ctx) =>
      serve(ctx as Context),
    );
    if (endpoint.params === undefined) exact.set(`${endpoint.method} ${endpoint.path}`, serve);
  }
  app.use(answer(options, exact));
  app.use(router.routes());
  app.use(answerUnrouted(allowedMethods(role)));
  return app;
}

/**
 * The outermost layer: the guard before everything, every thrown value a problem, nothing of the inside shown. A path
 * without parameters is looked up here; what is not found so is the router's to match or to refuse.
 */
function answer(options: AppOptions, exact: ReadonlyMap<string, Serve>): Koa.Middleware<State> {
  const { log } = options;
  const run = Date.now().toString(36);
  let number = 0;
  return async (ctx, next) => {
    try {
      guard(ctx, options);
      const { url = '', method } = ctx.req;
      const query = url.indexOf('?');
      const path = query < 0 ? url : url.slice(0, query);
      const serve = exact.get(method === 'HEAD' ? `GET ${path}` : `${method} ${path}`);
      await (serve === undefined ? next() : serve(ctx as unknown as Context));
    } catch (error) {
      const problem = problemOf(error);
      number += 1;
      const instance = `urn:hostess-desk:request:${run}-${number}`;
      if (problem.id === 'internal') log.error({ err: error, instance }, 'request failed');
      else log.debug({ problem: problem.id, instance }, 'request refused');
      if (ctx.res.headersSent) return ctx.res.destroy();
      answerProblem(ctx, problem, instance);
    }
  };
}

function answerProblem(ctx: Koa.Context, problem: Problem, instance: string): void {
  const body = problemBody(problem, instance);
  setResponseHeaders(ctx.res);
  ctx.status = problem.status;
  ctx.set({ ...problem.headers });
  if (ctx.accepts('application/problem+json', 'application/json', 'text/html') === 'text/html') {
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    ctx.body = problemPage(body);
    return;
  }
  ctx.set('Content-Type', 'application/problem+json');
  ctx.body = jsonText(body);
}

/** Security rules 1 to 4a, in their order, for every path. */
function guard({ req, state }: Koa.ParameterizedContext<State>, options: AppOptions): void {
  const { tokens, peers, readers } = options;
  const door = options.door();
  const host = checkHost(req, door);
  checkNoProxy(req, door);
  checkOrigin(req, door, host);
  state.grant = grantAt(door, tokens.granted(req.headers.authorization));
  checkPeer(req, door, state.grant, peers, readers);
}

/** A path without a route is 404; one with a route but another method is 405, and OPTIONS tells the methods. */
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

/** An endpoint as it is served: what its calls need is settled once, and an input it does not take is not looked at. */
function server(endpoint: Endpoint, handler: Handler, options: AppOptions): Serve {
  const { config, log } = options;
  const { id, token, params, query } = endpoint;
  const forms = formsOf(endpoint);
  // Links to pages are handed on, and whoever hands one on may add a query of their own.
  const forBrowsers =
    typeof endpoint.answer === 'string' && ['page', 'asset', 'style'].includes(endpoint.answer);
  const { role } = options.door();
  return async (ctx) => {
    const { method, headers } = ctx.req;
    const wantsStream = acceptable(ctx, forms) === 'text/event-stream' && method !== 'HEAD';
    if (typeof token === 'string') checkGrant(token, ctx.state.grant);
    let body: unknown = NONE;
    if (endpoint.method === 'POST') {
      limitRate(ctx, options);
      body = conform(endpoint.body ?? NOTHING, await readJson(ctx.req));
    }
    if (typeof token === 'object' && token.needed({ body, config, role }))
      checkGrant(token.grant, ctx.state.grant);
    const taken = query ?? (forBrowsers || !ctx.req.url?.includes('?') ? null : NOTHING);
    const call = {
      params: params === undefined ? NONE : conform(params, ctx.params),
      query: taken === null ? NONE : conform(taken, parametersOf(ctx.querystring)),
      body,
      grant: ctx.state.grant,
      wantsStream,
      caller: callerOf(ctx, options.peers),
      lastEventId: (headers['last-event-id'] as string | undefined) || undefined,
    } as Call;
    // A reply that is there is not waited for: each wait is a turn of the microtask queue.
    const reply = handler(call);
    sendReply(ctx.req, ctx.res, reply instanceof Promise ? await reply : reply);
    ctx.respond = false;
    log.debug({ endpoint: id, status: ctx.res.statusCode, role }, 'answered');
  };
}

/** More than any endpoint takes. */
const MOST_PARAMETERS = 32;

/** Koa's own reading of them takes time by the square of their count. */
function parametersOf(text: string): Readonly<Record<string, unknown>> {
  const parameters = parse(text, '&', '=', { maxKeys: MOST_PARAMETERS + 1 });
  const count = Object.values(parameters).flat().length;
  if (count > MOST_PARAMETERS)
    throw new Problem('invalid', `Send at most ${MOST_PARAMETERS} query parameters.`);
  return { ...parameters };
}

/** What an endpoint can answer in, the first by default. */
function formsOf({ answer, stream }: Endpoint): readonly string[] {
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

const nameOf = ({ req: { socket } }: Context, peers: Peers): string =>
  peerName(peers.of(socket), socket.remoteAddress);

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

function limitRate(ctx: Context, { posts, peers }: AppOptions): void {
  const waitSec = posts.take(nameOf(ctx, peers));
  if (waitSec > 0)
    throw new Problem('too-many', `Ask again in ${waitSec} s.`, {
      headers: { 'Retry-After': String(waitSec) },
    });
}
