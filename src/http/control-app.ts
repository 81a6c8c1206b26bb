/** The applications of the control, office and themed listeners. */
import type { Desk } from '../desk.ts';
import { type AppOptions, createApp } from './app.ts';
import type { ConsultTurns } from './consult-turns.ts';
import type { Handler, Handlers } from './endpoint.ts';
import { ENDPOINTS, type Endpoints } from './endpoints.ts';
import type { LiveHub } from './live.ts';
import { consultRoutes } from './routes/consult.ts';
import { hostessRoutes } from './routes/hostess.ts';
import { type LiveViews, liveRoutes } from './routes/live.ts';
import { mailRoutes } from './routes/mail.ts';
import { operationRoutes } from './routes/operations.ts';
import { pageRoutes, themedRoutes } from './routes/pages.ts';
import { peopleRoutes } from './routes/people.ts';
import { recordRoutes } from './routes/records.ts';
import { serviceRoutes } from './routes/service.ts';
import { tableRoutes } from './routes/tables.ts';

/** Control has every endpoint that office has, and more. */
export type ControlHandlers = Handlers<Endpoints, 'control'>;
export type ThemedHandlers = Handlers<Endpoints, 'themed'>;

interface ControlParts {
  readonly desk: Desk;
  readonly hub: LiveHub;
  readonly views: LiveViews;
  readonly consults: ConsultTurns;
}

type RoleOptions = Omit<AppOptions, 'endpoints' | 'handlers'>;

export function createControlApp({ desk, hub, views, consults }: ControlParts, options: RoleOptions) {
  const handlers: ControlHandlers = {
    ...recordRoutes(desk),
    ...tableRoutes(desk),
    ...liveRoutes(desk, hub, views),
    ...operationRoutes(desk),
    ...hostessRoutes(desk),
    ...consultRoutes(desk, consults, options.log),
    ...peopleRoutes(desk),
    ...mailRoutes(desk),
    ...serviceRoutes(desk, options.tokens),
    ...pageRoutes(desk),
  };
  return createApp({
    ...options,
    endpoints: ENDPOINTS,
    handlers: handlers as unknown as Record<string, Handler>,
  });
}

export function createThemedApp({ desk, hub, views }: ControlParts, options: RoleOptions) {
  const handlers = themedRoutes(desk, hub, views) as unknown as Record<string, Handler>;
  return createApp({ ...options, endpoints: ENDPOINTS, handlers });
}
