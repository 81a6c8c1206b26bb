/** The request that a call of an operation is. Imports nothing: the command and the pages use it. */

interface Request {
  readonly method: 'GET' | 'POST';
  /** With the parameters of the path, and the query of a GET. */
  readonly path: string;
  readonly body: unknown;
}

/** `input` goes into the `{name}` places of the path; the rest is the query of a GET or the body of a POST. */
export function requestOf(
  { method, path }: { readonly method: 'GET' | 'POST'; readonly path: string },
  input: object,
): Request {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  if (method === 'POST') return { method, path: target, body: Object.fromEntries(rest) };
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  return { method, path: query.size > 0 ? `${target}?${query}` : target, body: undefined };
}
