/** Security rule 5: a request body is small, plain JSON of limited depth, counted while it comes in. */
import type { IncomingMessage } from 'node:http';
import { Problem } from './errors.ts';

export const MAX_BODY_BYTES = 16 * 1024;
export const MAX_DEPTH = 16;

const TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const TOO_LARGE = `Send at most ${MAX_BODY_BYTES} bytes.`;

/**
 * Reads and parses the body. An empty one counts as `{}` and needs no type.
 * @throws Problem 400 malformed, 413 larger than 16 KiB, 415 not application/json or encoded, 422 deeper than 16.
 */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  if (req.headers['content-encoding'] !== undefined)
    throw new Problem('type-refused', 'Send the body without Content-Encoding.');
  const type = req.headers['content-type'];
  const empty =
    req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;
  if (!empty && !TYPE.test(type ?? ''))
    throw new Problem('type-refused', 'Send JSON with "Content-Type: application/json".');
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new Problem('too-large', TOO_LARGE);
  return parseJson(await collect(req));
}

function collect(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = (settle: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      settle();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= MAX_BODY_BYTES) return;
      // The rest is read and dropped: a connection closed over unread bytes would lose the answer.
      req.resume();
      done(() => reject(new Problem('too-large', TOO_LARGE)));
    };
    const onEnd = () => done(() => resolve(Buffer.concat(chunks)));
    const onGone = () =>
      done(() => reject(new Problem('malformed-http', 'The request ended before its body was complete.')));
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** @throws Problem as `readJson` */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformed-json', 'Send the JSON text in UTF-8.');
  }
  if (depthOf(text) > MAX_DEPTH)
    throw new Problem('invalid', `Nest objects and lists at most ${MAX_DEPTH} deep.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('malformed-json', 'Send one JSON value, e.g. {"message": "how are you"}.');
  }
}

/** Deepest nesting of a JSON text, without parsing it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at++;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') deepest = Math.max(deepest, ++depth);
    else if (sign === '}' || sign === ']') depth--;
  }
  return deepest;
}
