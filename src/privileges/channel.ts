/** A stream over a descriptor: one end of a pair of local sockets (unix(7)), whose other end a child has. */
import { Socket } from 'node:net';

export function channelOver(fd: number): Socket {
  const channel = new Socket({ fd });
  // The end of the child reports it.
  channel.on('error', () => undefined);
  return channel;
}
