import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** Sends a text as it is. Everything that the other side sends until the connection ends, in whatever way. */
export function exchange({ host, port, secure }: Target, text: string): Promise<string> {
  return new Promise((resolve) => {
    const begin = () => socket.write(text);
    const socket = secure
      ? connectSecurely({ host, port, rejectUnauthorized: false }, begin)
      : connect(port, host, begin);
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
