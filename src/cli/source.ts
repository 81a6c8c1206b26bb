/** Where a command's answers come from: the running service, or a desk in this process. Same paths, same records. */
import type { Desk } from '../desk.ts';
import type { Client } from './client.ts';
import { exit, Failure } from './failure.ts';

export interface Source {
  readonly local: boolean;
  /** The record that `method path` answers; `T` is its type. Refusals are `Failure`s. */
  ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T>;
}

export const serviceSource = (client: Client): Source => ({
  local: false,
  ask: <T>(method: 'GET' | 'POST', path: string, body?: unknown) =>
    client.ask(method, path, body) as Promise<T>,
});

/**
 * Answers from a desk of this process, `beside` a service of that pid or null. What changes something, and what only a service knows,
 * is asked of that service. Loaded lazily: it needs the records.
 */
export async function localSource(
  desk: Desk,
  beside: number | null,
  service: () => Promise<Source>,
): Promise<Source> {
  const { changes, localAnswers } = await import('./local.ts');
  return {
    local: true,
    ask: async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
      const url = new URL(path, 'http://localhost');
      const answer = localAnswers[`${method} ${url.pathname.replace(/^\/findings\/.+$/, '/findings/:id')}`];
      const ofService = answer === undefined || changes(`${method} ${url.pathname}`, body);
      if (beside !== null && ofService) return (await service()).ask<T>(method, path, body);
      if (answer === undefined)
        throw new Failure(
          exit.usage,
          `${method} ${url.pathname} needs the running service.`,
          '',
          'Start it with "desk boot" and leave --local out.',
        );
      return (await answer(desk, url, body)) as T;
    },
  };
}
