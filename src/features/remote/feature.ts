/** Access of other machines: read-only tokens and the certificate of the remote listener. */
import { feature } from '../../desk/feature.ts';
import type { RemotePart } from './remote.ts';

export * from './operations.ts';

export const FEATURE = feature<RemotePart>({
  id: 'remote',
  commands: {
    token: async () => (await import('./token-command.ts')).tokenCommand,
  },
  resident: async (host) => new (await import('./remote.ts')).RemotePart(host),
  async make(host, part) {
    const { runRemote } = await import('./remote.ts');
    return runRemote(host, part as RemotePart | undefined);
  },
});
