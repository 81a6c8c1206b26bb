/** Searches bytes for a secret, in all forms in which it could leak. Independent of the redactor (src/base/redactor.ts). */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Form {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The digits of a base64 text that hold nothing but the secret, when `before` bytes are before it. */
function inner(secret: Buffer, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), secret])
    .toString('base64')
    .replace(/=+$/, '');
  const first = Math.ceil((8 * before) / 6);
  const last = Math.floor((8 * (before + secret.length)) / 6);
  return whole.slice(first, last);
}

export function formsOf(secret: string): readonly Form[] {
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = escaped.replaceAll(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const percent = encodeURIComponent(secret);
  const texts: readonly (readonly [string, string])[] = [
    ['raw', secret],
    ['JSON', escaped],
    ['JSON, ASCII', ascii],
    ['JSON in JSON', JSON.stringify(escaped).slice(1, -1)],
    ['percent', percent],
    ['percent, small', percent.replaceAll(/%../g, (one) => one.toLowerCase())],
    ['hexadecimal', bytes.toString('hex')],
    ...[0, 1, 2].flatMap((before) => {
      const digits = inner(bytes, before);
      const url = digits.replaceAll('+', '-').replaceAll('/', '_');
      return [
        [`base64 behind ${before}`, digits],
        [`base64url behind ${before}`, url],
      ] as const;
    }),
    ['UTF-8 taken for Latin-1', bytes.toString('latin1')],
  ];
  return [
    ...texts.map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    { name: 'UTF-16', bytes: Buffer.from(secret, 'utf16le') },
  ];
}

/** Names of the forms found in the bytes. */
export const findIn = (haystack: Uint8Array, forms: readonly Form[]): readonly string[] =>
  forms
    .filter(({ bytes }) =>
      Buffer.from(haystack.buffer, haystack.byteOffset, haystack.byteLength).includes(bytes),
    )
    .map(({ name }) => name);

/** `file: form` of every regular file in a folder and below it. */
export function findInFolder(folder: string, forms: readonly Form[]): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .flatMap((path) => findIn(readFileSync(path), forms).map((form) => `${path}: ${form}`));
}

const MOST_READ = 64 << 20;

/** Forms that are in the writable memory of a process (proc_pid_maps(5), proc_pid_mem(5)). */
export function findInMemory(pid: number, forms: readonly Form[]): readonly string[] {
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')) {
      const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === '') continue;
      const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
      const room = Buffer.alloc(Math.min(MOST_READ, end - start));
      for (let at = start; at < end; at += room.length) {
        let length = 0;
        try {
          length = readSync(memory, room, 0, Math.min(room.length, end - at), at);
        } catch {
          // A guard page, or one of a device.
        }
        for (const form of findIn(room.subarray(0, length), forms)) found.add(form);
      }
    }
  } finally {
    closeSync(memory);
  }
  return [...found];
}
