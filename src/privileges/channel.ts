/** A stream over a descriptor: one end of a pair of local sockets (unix(7)), whose other end a child has. */
import { Socket } from 'node:net';

export function channelOver(fd: number): Socket {
  const channel = new Socket({ fd });
  // Its end is told by the end of the child.
  channel.on('error', () => undefined);
  return channel;
}
