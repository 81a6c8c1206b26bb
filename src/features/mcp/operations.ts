/** The MCP server as an endpoint of the control listener, for those who allow it. */
import { z } from 'zod';
import { DeskError } from '../../base/desk-error.ts';
import { answerOf } from '../../desk/answer.ts';
import { type Call, type ServiceContext, Streamed } from '../../desk/context.ts';
import { failureOf } from '../../desk/failure.ts';
import { type AnyOperation, CONTROL, serviceOperation } from '../../desk/operation.ts';
import { TABLES } from '../../desk/query.ts';
import type { Ask } from './api.ts';

/** What the transport of the protocol reads. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** As a caller without a token. */
const askAs =
  (context: ServiceContext, call: Call): Ask =>
  (operation, input) =>
    answerOf(operation as AnyOperation<ServiceContext>, context, input, {
      ...call,
      grant: null,
      wantsStream: false,
    }).catch((err) => {
      // The client is not shown a fault of the desk.
      if (failureOf(err) === undefined) context.service.log.error({ err }, 'a tool failed');
      throw err;
    });

export const mcp = serviceOperation({
  route: 'POST /mcp',
  roles: CONTROL,
  summary: 'Tools for assistants of others, by the Model Context Protocol; with [mcp] http',
  input: z.looseObject({
    jsonrpc: z.literal('2.0').describe('JSON-RPC 2.0'),
    // A subscription never ends, and nothing here changes that one could subscribe to.
    method: z
      .string()
      .max(200)
      .regex(/^(?!subscriptions\/)/, 'expected no subscription: there are none here')
      .optional()
      .describe('method of the protocol, as tools/call'),
  }),
  answer: z
    .looseObject({})
    .meta({ id: 'McpMessage', description: 'A message of the Model Context Protocol' }),
  stream: true,
  async handle(context, message, call) {
    if (!context.desk.config.mcp.http)
      throw new DeskError(
        'refused',
        'The Model Context Protocol is not served here',
        'Set [mcp] http = true, or use the command "desk mcp".',
      );
    const [{ createMcpHandler }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./api.ts'),
    ]);
    const parts = { operations: context.service.operations, tables: context.desk.use(TABLES) };
    const handler = createMcpHandler(() => mcpServer(parts, askAs(context, call)));
    const sent = HEADERS.flatMap((name) => {
      const value = call.header(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: Object.fromEntries(sent),
      body: JSON.stringify(message),
      signal: call.caller.left(),
    });
    const answer = await handler.fetch(request, { parsedBody: message });
    const body = Buffer.from(await answer.arrayBuffer());
    return new Streamed((response) => {
      const type = answer.headers.get('content-type');
      response.writeHead(answer.status, { ...(type !== null && { 'Content-Type': type }) });
      response.end(body);
    });
  },
});
