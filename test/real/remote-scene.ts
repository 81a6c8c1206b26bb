/** A desk in a network namespace of its own, and clients that ask it by curl. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Namespace, startNamespace } from '../support/namespace.ts';
import { type BootedDesk, deskIn, type NamespacedDesk } from '../support/namespaced-desk.ts';
import { projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from './running.ts';

export const NAME = 'desk.example.org';

/** A block of docs/remote.md. */
export const documented = (language: string): string => {
  const text = readFileSync(join(projectRoot, 'docs/remote.md'), 'utf8');
  const found = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/remote.md has no ${language}`);
  return found;
};

export interface Booted {
  readonly namespace: Namespace;
  readonly desk: NamespacedDesk;
  readonly folder: string;
  /** Makes a token. */
  token(name: string): Promise<string>;
}

export async function booted(sections: string, work: (booted: Booted) => Promise<void>): Promise<void> {
  const folder = tempFolder('desk-remote-');
  await using namespace = await startNamespace({ hosts: { [NAME]: ['127.0.0.1'] } });
  const desk = deskIn(namespace, folder, sections);
  let running: BootedDesk | undefined;
  try {
    running = await desk.boot();
    await work({
      namespace,
      desk,
      folder,
      token: async (name) => {
        const { stdout, stderr } = await desk.run(['token', 'make', name, '--json']);
        if (stdout === '') throw new Error(stderr);
        return (JSON.parse(stdout) as { token: string }).token;
      },
    });
  } finally {
    await running?.stop();
  }
}

export const curl = async (namespace: Namespace, ...words: readonly string[]) => {
  const { stdout } = await namespace.run([
    'curl',
    '-sk',
    '--max-time',
    '30',
    '-w',
    '\n%{http_code}',
    ...words,
  ]);
  const at = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) };
};
export const bearer = (token: string): readonly string[] => ['-H', `Authorization: Bearer ${token}`];

/** Ends a program, if it runs still. */
export async function ended(
  child: ReturnType<Namespace['spawn']>,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

/** What a program says of its errors, for a test that fails. */
export function errorsOf(child: ReturnType<Namespace['spawn']>): () => string {
  let text = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

/** A client that reads the event stream until it ends. */
export function follow(namespace: Namespace, url: string, token: string) {
  const child = namespace.spawn(['curl', '-skN', '-H', 'Accept: text/event-stream', ...bearer(token), url]);
  const seen = { text: '', endedMs: 0 };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen.text += text;
  });
  const end = once(child, 'close').then(() => {
    seen.endedMs = Date.now();
  });
  return {
    seen,
    end,
    begun: () => until(async () => seen.text.includes('event: snapshot'), 'the first event'),
  };
}
