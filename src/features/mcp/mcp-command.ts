/** `desk mcp`: the MCP server on stdin and stdout, for clients that start it. */
import { once } from 'node:events';
import type { Command } from '../../desk/command.ts';
import { exit } from '../../desk/failure.ts';

export const mcp: Command = {
  name: 'mcp',
  summary:
    'Serves tools for assistants of others on stdin and stdout (Model Context Protocol); they only read',
  examples: [['desk mcp', 'what an MCP client starts; it ends when its stdin ends']],
  async run({ client }) {
    const service = await client({ anonymous: true });
    const [{ serveStdio }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('./server.ts'),
    ]);
    const ended = once(process.stdin, 'close');
    serveStdio(() => mcpServer((operation, input) => service.ask(operation, input as never)));
    await ended;
    return exit.ok;
  },
};
