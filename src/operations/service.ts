/** What the service says about itself, and the description of its operations. */
import {
  healthz as healthzRecord,
  readyz as readyzRecord,
  version as versionRecord,
} from '../records/service.ts';
import { CONTROL, operation, serviceOperation } from './operation.ts';

export const healthz = serviceOperation({
  id: 'healthz',
  method: 'GET',
  path: '/healthz',
  roles: CONTROL,
  summary: 'The service answers',
  answer: healthzRecord.schema,
  handle: () => healthzRecord.assemble(),
});

export const readyz = operation({
  id: 'readyz',
  method: 'GET',
  path: '/readyz',
  roles: CONTROL,
  summary: 'Whether the service is ready, part by part',
  answer: readyzRecord.schema,
  also: { 503: 'Not ready; the same content' },
  statusOf: ({ ready }) => (ready ? 200 : 503),
  handle: ({ desk }) => readyzRecord.assemble(desk.readiness()),
});

export const version = operation({
  id: 'version',
  method: 'GET',
  path: '/version',
  roles: CONTROL,
  summary: 'What runs here',
  answer: versionRecord.schema,
  handle: async ({ desk, service }) =>
    versionRecord.assemble({
      ...desk.facts(),
      moment: service === null ? await desk.moment() : desk.latest(),
    }),
});

export const metrics = serviceOperation({
  id: 'metrics',
  method: 'GET',
  path: '/metrics',
  roles: CONTROL,
  summary: 'Figures of the engine for Prometheus',
  answer: 'metrics',
  handle: ({ desk }) => desk.metrics(),
});

export const openapi = serviceOperation({
  id: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  roles: CONTROL,
  summary: 'This description',
  answer: 'document',
  handle: ({ service }) => service.reference.document(),
});

export const docsPage = serviceOperation({
  id: 'docs-page',
  method: 'GET',
  path: '/docs',
  roles: CONTROL,
  summary: 'The reference of the endpoints',
  answer: 'page',
  handle: ({ service }) => service.reference.page(),
});
