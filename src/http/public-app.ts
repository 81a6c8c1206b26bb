/** The application of the public listener. What this file imports, and that in turn, holds no control code (a test checks). */
import { type AppOptions, createApp } from './app.ts';
import type { Handler, Handlers } from './endpoint.ts';
import { ENDPOINTS, type Endpoints } from './endpoints.ts';
import { assetRoute } from './routes/assets.ts';
import { peopleRoutes, type ReadableDesk } from './routes/people.ts';
import { publicPageRoutes } from './routes/public-pages.ts';

export function createPublicApp(desk: ReadableDesk, options: Omit<AppOptions, 'endpoints' | 'handlers'>) {
  const handlers: Handlers<Endpoints, 'public'> = {
    ...peopleRoutes(desk),
    ...publicPageRoutes(desk),
    // The style sheet alone: no script of the desk leaves by this listener.
    asset: assetRoute((name) => name.endsWith('.css')),
  };
  return createApp({
    ...options,
    endpoints: ENDPOINTS,
    handlers: handlers as unknown as Record<string, Handler>,
  });
}
