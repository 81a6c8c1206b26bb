/**
 * What a hostile client of another machine sends to the remote listener: each operation of the desk with each token it may have
 * found, and the requests of `test/http/guard.test.ts`. Sent over TLS or in clear text; the answers are counted.
 */
import { OPERATIONS } from '../../src/features/table.ts';
import { exchange, type Target } from './exchange.ts';

export interface Vector {
  readonly name: string;
  readonly text: string;
  /** Statuses that are right; 0 is a connection that is closed without an answer. */
  readonly expected: readonly number[];
}

const ID = '00112233aabbccdd';

const request = (method: string, path: string, headers: readonly string[], body = ''): string =>
  `${[`${method} ${path} HTTP/1.1`, ...headers, 'Connection: close', ...(body === '' ? [] : [`Content-Length: ${body.length}`])].join('\r\n')}\r\n\r\n${body}`;

/** `tokens`: by name, what a client may have: `remote` is the one that is valid. */
export function hostileVectors(host: string, tokens: Readonly<Record<string, string>>): readonly Vector[] {
  const own = `Host: ${host}`;
  const valid = `Authorization: Bearer ${tokens.remote}`;
  const operations = OPERATIONS.flatMap((operation): Vector[] => {
    const path = operation.path.replace('{id}', ID).replace('{name}', 'style.css');
    const { method } = operation;
    const here = operation.roles.includes('remote');
    const open = here && (operation.answer === 'page' || operation.answer === 'asset');
    const headers = method === 'POST' ? [own, 'Content-Type: application/json'] : [own];
    const body = method === 'POST' ? '{}' : '';
    const vector = (name: string, token: string | undefined, expected: readonly number[]): Vector => ({
      name: `${method} ${path} ${name}`,
      text: request(
        method,
        path,
        token === undefined ? headers : [...headers, `Authorization: Bearer ${token}`],
        body,
      ),
      expected: method === 'POST' ? [405] : path === '/' || open ? [200] : expected,
    });
    return [
      vector('without a token', undefined, [401]),
      // After ten wrong ones an address has to wait.
      ...Object.entries(tokens)
        .filter(([name]) => name !== 'remote')
        .map(([name, token]) => vector(`with the ${name} token`, token, [401, 429])),
      vector('with a token of its own', tokens.remote, here ? [200] : [404]),
    ];
  });
  const methods = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'].flatMap((method) =>
    ['/', '/view.json', '/metrics', '/session', '/cook'].map((path) => ({
      name: `${method} ${path}`,
      text: request(method, path, [own, valid]),
      expected: [405],
    })),
  );
  const hosts = [
    'evil.example',
    'localhost.',
    '0.0.0.0',
    `user@${host}`,
    `${host},${host}`,
    `${host}0`,
    'localhost:9999',
    '127.0.0.1:1',
  ].map((name) => ({
    name: `Host ${name}`,
    text: request('GET', '/view.json', [`Host: ${name}`, valid]),
    expected: [421],
  }));
  const broken: readonly Vector[] = [
    { name: 'no Host', text: request('GET', '/view.json', [valid]), expected: [421] },
    { name: 'two Hosts', text: request('GET', '/view.json', [own, own, valid]), expected: [421] },
    {
      name: 'absolute form',
      text: request('GET', `https://${host}/view.json`, [own, valid]),
      expected: [421],
    },
    { name: 'CONNECT', text: request('CONNECT', 'evil.example:443', [own, valid]), expected: [405] },
    { name: 'HTTP/0.9', text: 'GET /\r\n\r\n', expected: [400, 421] },
    { name: 'nonsense', text: 'NONSENSE\r\n\r\n', expected: [400] },
    { name: 'long header', text: request('GET', '/', [own, `X-Long: ${'x'.repeat(9000)}`]), expected: [431] },
    {
      name: 'smuggled',
      text: `GET / HTTP/1.1\r\n${own}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      expected: [400],
    },
    { name: 'Expect', text: request('GET', '/', [own, 'Expect: miracles']), expected: [417] },
  ];
  const headers = (
    [
      ['Origin: https://evil.example', 403],
      ['Origin: null', 403],
      [`Origin: http://${host}`, 403],
      ['Sec-Fetch-Site: cross-site', 403],
      ['Sec-Fetch-Site: same-site', 403],
      ['X-Forwarded-For: 127.0.0.1', 403],
      ['Forwarded: for=127.0.0.1', 403],
      ['X-Real-IP: 127.0.0.1', 403],
      ['Via: 1.1 proxy', 403],
      ['X-Forwarded-Host: evil.example', 403],
      ['Accept: text/html', 406],
    ] as const
  ).map(([header, status]) => ({
    name: header,
    text: request('GET', '/view.json', [own, valid, header]),
    expected: [status],
  }));
  const authorizations = [
    `Basic ${tokens.remote}`,
    'Bearer ',
    `Bearer ${tokens.remote}x`,
    `Bearer ${tokens.remote} ${tokens.remote}`,
    'Bearer desk_',
  ].map((value) => ({
    name: `Authorization: ${value}`,
    text: request('GET', '/view.json', [own, `Authorization: ${value}`]),
    expected: [401, 429],
  }));
  const paths = [
    '/VIEW.json',
    '/view.json/',
    '//view.json',
    '/%76iew.json',
    '/assets/../view.json',
    '/assets/%2e%2e/view.json',
    '/email/api/people',
    '/email/api/who?email=a%40b.example',
  ].map((path) => ({ name: path, text: request('GET', path, [own, valid]), expected: [404, 422] }));
  return [...operations, ...methods, ...hosts, ...broken, ...headers, ...authorizations, ...paths];
}

export interface Outcome {
  readonly name: string;
  readonly status: number;
  readonly right: boolean;
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

/** One after another; a connection that is refused for its rate is tried again. */
export async function attack(
  target: Target,
  vectors: readonly Vector[],
): Promise<{ readonly outcomes: readonly Outcome[]; readonly bodies: string }> {
  const outcomes: Outcome[] = [];
  const bodies: string[] = [];
  for (const { name, text, expected } of vectors) {
    let answer = '';
    for (let tries = 0; tries < 20; tries += 1) {
      answer = await exchange(target, text);
      if (answer !== '' || expected.includes(0)) break;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    bodies.push(answer);
    outcomes.push({ name, status: statusOf(answer), right: expected.includes(statusOf(answer)) });
  }
  return { outcomes, bodies: bodies.join('\n') };
}
