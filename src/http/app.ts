/**
 * The request path, whole: headers → host → proxy marks → origin → peer → route → token → rate → body → handler.
 * One application per listener; what its role lacks in the endpoint table does not exist there.
 */
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '../config-schema.ts';
import { PAGE_POLICY } from '../pages/design.ts';
import { problemPage } from '../pages/problem-page.ts';
import { conform, readJson } from './body.ts';
import type { Call, Endpoint, Handler, Reply } from './endpoint.ts';
import { Problem, problemBody, problemOf } from './errors.ts';
import { checkGrant, checkHost, checkNoProxy, checkOrigin, checkPeer, type Door } from './guard.ts';
import { setResponseHeaders } from './headers.ts';
import type { Peers, Readers } from './peer.ts';
import type { RateLimiter } from './rate.ts';
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

/** The body of an endpoint that takes none. */
const NOTHING = z.strictObject({});

interface State {
  grant: Grant | null;
}

type Context = Koa.ParameterizedContext<
  State,
  { params?: Record<string, string>; matched?: { methods: string[] }[] }
>;

/** One Koa application for the role of `door`. */
export function createApp(options: AppOptions): Koa<State> {
  const app = new Koa<State>();
  app.silent = true;
  app.on('error', (error) => {
    // That a client left is its own affair, and anybody could fill the log with it.
    if (CLIENT_LEFT.has(error.code)) options.log.debug({ code: error.code }, 'the client left');
    else options.log.warn({ err: error }, 'response failed');
  });
  app.use(answerProblems(options.log));
  app.use(guard(options));
  const router = new Router<State>({ sensitive: true, strict: true });
  const { role } = options.door();
  for (const endpoint of options.endpoints) {
    if (!endpoint.roles.includes(role)) continue;
    const handler = options.handlers[endpoint.id];
    if (handler === undefined) throw new TypeError(`endpoint ${endpoint.id} of role ${role} has no handler`);
    router.register(endpoint.path.replace(/\{(\w+)\}/g, ':$1'), [endpoint.method], (ctx) =>
      serve(ctx as Context, endpoint, handler, options),
    );
  }
  app.use(router.routes());
  app.use(answerUnrouted(allowedMethods(role)));
  return app;
}

/** The outermost layer: headers on everything, every thrown value a problem, nothing of the inside shown. */
function answerProblems(log: Logger): Koa.Middleware<State> {
  const run = Date.now().toString(36);
  let number = 0;
  return async (ctx, next) => {
    setResponseHeaders(ctx.res);
    try {
      await next();
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
  ctx.status = problem.status;
  ctx.set({ ...problem.headers });
  if (ctx.accepts('application/problem+json', 'application/json', 'text/html') === 'text/html') {
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    ctx.body = problemPage(body).markup;
    return;
  }
  ctx.set('Content-Type', 'application/problem+json');
  ctx.body = JSON.stringify(body);
}

/** Security rules 1 to 4a, in their order, for every path. */
function guard({ door: doorOf, tokens, peers, readers }: AppOptions): Koa.Middleware<State> {
  return (ctx, next) => {
    const door = doorOf();
    const host = checkHost(ctx.req, door);
    checkNoProxy(ctx.req, door);
    checkOrigin(ctx.req, door, host);
    ctx.state.grant = tokens.granted(ctx.req.headers.authorization);
    checkPeer(ctx.req, door, ctx.state.grant, peers, readers);
    return next();
  };
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
    ctx.set('Allow', allow);
    ctx.status = 204;
  };
}

async function serve(ctx: Context, endpoint: Endpoint, handler: Handler, options: AppOptions): Promise<void> {
  const { config, log } = options;
  const door = options.door();
  const wantsStream = acceptable(ctx, endpoint) === 'text/event-stream' && ctx.method === 'GET';
  const { token } = endpoint;
  if (typeof token === 'string') checkGrant(token, ctx.state.grant, door);
  let body: unknown = {};
  if (endpoint.method === 'POST') {
    limitRate(ctx, options);
    body = conform(endpoint.body ?? NOTHING, await readJson(ctx.req));
  }
  if (typeof token === 'object' && token.needed({ body, config, role: door.role }))
    checkGrant(token.grant, ctx.state.grant, door);
  const call = {
    params: endpoint.params === undefined ? {} : conform(endpoint.params, ctx.params),
    query: endpoint.query === undefined ? {} : conform(endpoint.query, { ...ctx.query }),
    body,
    wantsStream,
    lastEventId: ctx.get('Last-Event-ID') || undefined,
  } as Call;
  send(ctx, await handler(call));
  log.debug({ endpoint: endpoint.id, status: ctx.status, role: door.role }, 'answered');
}

function acceptable(ctx: Context, { answer, stream }: Endpoint): string {
  const forms =
    answer === 'page'
      ? ['text/html']
      : answer === 'metrics'
        ? ['text/plain']
        : ['application/json', ...(stream ? ['text/event-stream'] : [])];
  const { accept = '*/*' } = ctx.req.headers;
  const form = accept === '*/*' ? forms[0] : ctx.accepts(...forms);
  if (form === false || form === undefined)
    throw new Problem('not-acceptable', `Accept ${forms.join(' or ')}.`);
  return form;
}

function limitRate(ctx: Context, { posts, peers }: AppOptions): void {
  const peer = peers.of(ctx.req.socket);
  const waitSec = posts.take(peer.kind === 'user' ? `uid ${peer.uid}` : peer.kind);
  if (waitSec > 0)
    throw new Problem('too-many', `Ask again in ${waitSec} s.`, {
      headers: { 'Retry-After': String(waitSec) },
    });
}

function send(ctx: Context, reply: Reply): void {
  if ('stream' in reply) {
    reply.stream(ctx.res);
    ctx.respond = false;
    return;
  }
  if ('page' in reply) {
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    ctx.body = Buffer.isBuffer(reply.page) ? reply.page : reply.page.markup;
    return;
  }
  if ('text' in reply) {
    ctx.set('Content-Type', reply.type);
    ctx.body = reply.text;
    return;
  }
  ctx.status = reply.status ?? 200;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = reply.json;
}
