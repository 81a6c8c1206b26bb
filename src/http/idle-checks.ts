import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

const INTERVAL = 'http.server.connectionsCheckingInterval';

/**
 * Node looks for slow requests at an interval (`connectionsCheckingInterval`) that also runs while a server has no connection, and wakes
 * the process each time. This stops it until the function returned is called with a connection, and again after the last one has closed.
 * A version of Node that keeps the interval in another way keeps it running.
 */
export function checksWhileOpen(server: Server): (connection: Duplex) => void {
  // Node's own listener starts the interval, and replaces one that runs.
  const [start] = server.listeners('listening');
  const stop = () => {
    const key = Object.getOwnPropertySymbols(server).find(({ description }) => description === INTERVAL);
    if (key !== undefined) clearInterval(Reflect.get(server, key));
  };
  let open = 0;
  server.on('listening', () => {
    if (open === 0) stop();
  });
  return (connection) => {
    if (open === 0) start?.call(server);
    open += 1;
    connection.once('close', () => {
      open -= 1;
      if (open === 0) stop();
    });
  };
}
