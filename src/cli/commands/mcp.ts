/** `desk mcp`: the MCP server on stdin and stdout, for clients that start it. */
import { once } from 'node:events';
import { exit } from '../../desk/failure.ts';
import type { CliCommand } from '../command.ts';

export const mcp: CliCommand = {
  name: 'mcp',
  summary:
    'Serves tools for assistants of others on stdin and stdout (Model Context Protocol); they only read',
  examples: [['desk mcp', 'what an MCP client starts; it ends when its stdin ends']],
  async run({ client }) {
    const service = await client({ anonymous: true });
    const [{ serveStdio }, { mcpServer }, { OPERATIONS, QUERY_TABLES }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('../../features/mcp/api.ts'),
      import('../../features/table.ts'),
    ]);
    const desk = { operations: OPERATIONS, tables: QUERY_TABLES };
    const ended = once(process.stdin, 'close');
    serveStdio(() => mcpServer(desk, (operation, input) => service.ask(operation, input as never)));
    await ended;
    return exit.ok;
  },
};
