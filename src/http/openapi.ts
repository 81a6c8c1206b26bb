/** The OpenAPI 3.1 document, made from the operations. */
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { jsonText } from '../base/visible-text.ts';
import type { AnyOperation } from '../desk/operation.ts';
import { OPERATIONS } from '../features/table.ts';
import { problem } from '../records/problem.ts';
import { INTERFACE_VERSION } from '../records/service.ts';
import { MAX_BODY_BYTES, MAX_DEPTH } from './body.ts';
import { PROBLEMS } from './errors.ts';

const SCHEMES = {
  control: 'The token of control.token in the state folder, or one from POST /session',
  people:
    'The read-only token of mail.token; on the other listeners than the public one the control token does too',
} as const;

function contentOf({ answer, stream }: AnyOperation) {
  if (answer === 'asset')
    return {
      'text/javascript': { schema: { type: 'string' as const } },
      'text/css': { schema: { type: 'string' as const } },
    };
  if (answer === 'style') return { 'text/css': { schema: { type: 'string' as const } } };
  if (answer === 'page') return { 'text/html': { schema: { type: 'string' as const } } };
  if (answer === 'metrics') return { 'text/plain': { schema: { type: 'string' as const } } };
  if (answer === 'document') return { 'application/json': { schema: { type: 'object' as const } } };
  return {
    'application/json': { schema: answer },
    ...(stream && { 'text/event-stream': { schema: { type: 'string' as const } } }),
  };
}

function securityOf({ token }: AnyOperation): Pick<ZodOpenApiOperationObject, 'security' | 'description'> {
  if (token === undefined) return {};
  if (typeof token === 'string') return { security: [{ [token]: [] }] };
  return { security: [{}, { [token.grant]: [] }], description: `Needs a token when ${token.when}.` };
}

function operationOf(operation: AnyOperation): ZodOpenApiOperationObject {
  const { id, summary, params, query, body, also = {}, roles } = operation;
  const content = contentOf(operation);
  return {
    operationId: id,
    summary,
    'x-listeners': [...roles],
    ...securityOf(operation),
    ...((params || query) && { requestParams: { ...(params && { path: params }), ...(query && { query }) } }),
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      200: { description: 'The answer', content },
      ...Object.fromEntries(
        Object.entries(also).map(([status, description]) => [status, { description, content }]),
      ),
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': { schema: problem.schema } },
      },
    },
  };
}

/** Pages of other listeners share paths with those of the office; each path shows the operation it has first. */
function paths(): ZodOpenApiPathsObject {
  const found: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of OPERATIONS as readonly AnyOperation[]) {
    found[operation.path] ??= {};
    const methods = found[operation.path] as Record<string, ZodOpenApiOperationObject>;
    methods[operation.method.toLowerCase()] ??= operationOf(operation);
  }
  return found as ZodOpenApiPathsObject;
}

const problemRows = Object.entries(PROBLEMS)
  .map(([id, [status, title]]) => `| ${status} | \`urn:hostess-desk:problem:${id}\` | ${title} |`)
  .join('\n');

const DESCRIPTION = `Status and control of one desk.

On loopback the service's own user, root and the configured group read without a token. POST takes \`application/json\` of at
most ${MAX_BODY_BYTES} bytes and ${MAX_DEPTH} levels; unknown keys are refused. Within a major version changes only add.
Unknown query parameters are refused, except by pages and what they load.

The answers that are a function of the snapshot (\`/status\`, \`/av\`, \`/h7/charge\`, \`/scar\`, \`/detection\`) carry a weak \`ETag\`: \`W/"GENERATION-DESK-DIGEST"\`. Answers whose
tags begin with the same generation and desk are of the same snapshot. With \`If-None-Match\` they are 304 while they would differ in \`ts\`, the time of day, only.

| status | type of problem | title |
|---|---|---|
${problemRows}
`;

/** The document as plain data. */
export const openApiDocument = () =>
  createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Hostess Desk',
        version: INTERFACE_VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: 'http://127.0.0.1:18772', description: 'The control listener by default' }],
      paths: paths(),
      components: {
        securitySchemes: Object.fromEntries(
          Object.entries(SCHEMES).map(([name, description]) => [
            name,
            { type: 'http' as const, scheme: 'bearer', description },
          ]),
        ),
      },
    },
    {
      // zod bounds every int by the safe integers, which says nothing to a reader.
      override: ({ jsonSchema }) => {
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    },
  );

let text: string | undefined;

/** The document as it is served and as docs/openapi.json holds it. */
export function openApiText(): string {
  text ??= `${jsonText(openApiDocument(), 2)}\n`;
  return text;
}
