/** The application of the remote listener. What this file imports, and that in turn, holds no control code (a test checks). */
import type { RemoteContext, RemoteDesk } from '../desk/context.ts';
import { Streamed } from '../desk/context.ts';
import { operationsIn } from '../desk/operation.ts';
import * as declared from '../features/remote-only.ts';
import { remotePage } from '../pages/remote-page.tsx';
import { remoteMetrics, type ShownId } from '../records/remote.ts';
import { type AppOptions, createApp } from './app.ts';
import { asset } from './assets.ts';
import type { LiveHub } from './live.ts';

export const REMOTE_OPERATIONS = operationsIn<RemoteContext>(declared);

/** The readable part of a desk and nothing else, whatever `desk` has beside it. */
const readable = (desk: RemoteDesk): RemoteDesk => ({
  latest: () => desk.latest(),
  state: (freshness) => desk.state(freshness),
  metrics: async () => {
    const { text, type } = await desk.metrics();
    return { text: remoteMetrics(text), type };
  },
});

export function createRemoteApp(
  desk: RemoteDesk,
  hub: Pick<LiveHub, 'attach'>,
  shownId: ShownId,
  options: Omit<AppOptions<RemoteContext>, 'operations' | 'context'>,
) {
  let page: string | undefined;
  return createApp({
    ...options,
    operations: REMOTE_OPERATIONS,
    context: {
      desk: readable(desk),
      service: {
        asset,
        remotePage: () => (page ??= remotePage()),
        shownId,
        followRemote: ({ lastEventId, caller }) =>
          new Streamed((response) => hub.attach(response, lastEventId, caller.name)),
      },
    },
  });
}
