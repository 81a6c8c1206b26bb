/** What the service says about itself, and the sessions of its pages. */
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { healthz, readyz, version } from '../../records/service.ts';
import type { ControlHandlers } from '../control-app.ts';
import { Problem } from '../errors.ts';
import { openApiText } from '../openapi.ts';
import { session, sessionCode } from '../operation-answers.ts';
import { CODE_LIFE_MS, type Tokens } from '../tokens.ts';

export function serviceRoutes(desk: Desk, tokens: Tokens) {
  return {
    healthz: () => ({ json: jsonText(healthz.assemble()) }),
    readyz: () => {
      const readiness = desk.readiness();
      return { json: jsonText(readyz.assemble(readiness)), status: readiness.ready ? 200 : 503 };
    },
    version: () => ({
      json: jsonText(version.assemble({ ...desk.facts(), moment: desk.latest() })),
    }),
    metrics: () => desk.metrics(),
    openapi: () => ({ json: openApiText() }),
    'session-code': () => ({
      json: jsonText(sessionCode.assemble({ code: tokens.issueCode(), seconds: CODE_LIFE_MS / 1000 })),
    }),
    session: ({ body }) => {
      const token = tokens.redeem(body.code);
      if (token === null)
        throw new Problem(
          'token-required',
          'The code is unknown, used or older than 60 s. Run "desk open" again.',
          {
            headers: { 'WWW-Authenticate': 'Bearer realm="desk"' },
          },
        );
      return { json: jsonText(session.assemble({ token })) };
    },
  } satisfies Partial<ControlHandlers>;
}
