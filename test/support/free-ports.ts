/** Ports for what a test starts. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the default ephemeral range of Linux: a port of that range may be taken again at any time. */
const [LOWEST, BEHIND] = [20_000, 32_768];

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '0.0.0.0', () => resolve(true));
  });
  if (listens) await once(server.close(), 'close');
  return listens;
}

/** Different TCP ports that were free just now, below the ephemeral range. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(LOWEST, BEHIND);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}
