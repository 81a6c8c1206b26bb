/** Tools for assistants of others: the Model Context Protocol, by a command and by an endpoint. */
import { feature } from '../../desk/feature.ts';

export * from './operations.ts';

export const FEATURE = feature({
  id: 'mcp',
  commands: {
    mcp: async () => (await import('./mcp-command.ts')).mcp,
  },
  make: async () => ({}),
});
