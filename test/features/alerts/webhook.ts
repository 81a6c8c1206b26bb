/** A webhook that alerts are sent to in tests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { configSchema } from '../../../src/config/schema.ts';

/** A webhook on loopback; `answers`: the statuses of its answers, the last one for all others. */
export async function webhook() {
  const got: { title: string; text: string; kind: string; id: string; open: number }[] = [];
  const answers = [200];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const status = answers.length > 1 ? (answers.shift() as number) : (answers[0] as number);
      if (status < 300) got.push(JSON.parse(body));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = `localhost:${(server.address() as AddressInfo).port}`;
  const configWith = (target: object, digest: object, alerts: object = {}) =>
    configSchema.parse({
      alerts: {
        to: [{ name: 'hook', kind: 'webhook', url: `http://${place}/`, ...target }],
        digest: { to: ['hook'], ...digest },
        ...alerts,
      },
      egress: { allow: [place], private: [place] },
    });
  return { got, answers, configWith, [Symbol.asyncDispose]: async () => void server.close() };
}
