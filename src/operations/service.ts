/** What the service says about itself, and the description of its operations. */

import { CONTROL, operation, serviceOperation } from '../desk/operation.ts';
import {
  healthz as healthzRecord,
  readyz as readyzRecord,
  version as versionRecord,
} from '../records/service.ts';

export const healthz = serviceOperation({
  route: 'GET /healthz',
  roles: CONTROL,
  summary: 'The service answers',
  answer: healthzRecord.schema,
  handle: () => healthzRecord.assemble({ ok: true }),
});

export const readyz = operation({
  route: 'GET /readyz',
  roles: CONTROL,
  summary: 'Whether the service is ready, part by part',
  answer: readyzRecord.schema,
  also: { 503: 'Not ready; the same content' },
  statusOf: ({ ready }) => (ready ? 200 : 503),
  handle: ({ desk }) => readyzRecord.assemble(desk.readiness()),
});

export const version = operation({
  route: 'GET /version',
  roles: CONTROL,
  summary: 'What runs here',
  answer: versionRecord.schema,
  handle: async ({ desk, service }) =>
    versionRecord.assemble({
      ...desk.facts(),
      state: service === null ? await desk.state() : desk.latest(),
    }),
});

export const openapi = serviceOperation({
  route: 'GET /openapi.json',
  roles: CONTROL,
  summary: 'This description',
  answer: 'document',
  handle: ({ service }) => service.reference.document(),
});

export const docsPage = serviceOperation({
  route: 'GET /docs',
  roles: CONTROL,
  summary: 'The reference of the endpoints',
  answer: 'page',
  handle: ({ service }) => service.reference.page(),
});
