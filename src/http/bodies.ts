/** Answers that are a function of the state alone, serialised once per state. */
import { createHash } from 'node:crypto';
import type { DeskState } from '../records/state.ts';

const known = new WeakMap<DeskState, Map<string, Buffer>>();

/** The bytes of answer `name` for this state; `make` runs once per state and name. */
export function bodyOf(state: DeskState, name: string, make: (state: DeskState) => string): Buffer {
  let bodies = known.get(state);
  if (bodies === undefined) {
    bodies = new Map();
    known.set(state, bodies);
  }
  let body = bodies.get(name);
  if (body === undefined) {
    body = Buffer.from(make(state));
    bodies.set(name, body);
  }
  return body;
}

/** The `ETag` of an answer by its bytes alone. */
export const tagOf = (body: Buffer | string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** Each desk counts its generations from 1, so its tags say which desk it was. */
let desks = 0;
const started = Date.now().toString(36);

/** The time of a record, local or RFC 3339. Within a text its quotes would be escaped. */
const TIME_OF_DAY = /"ts":"[^"]*"/g;

const digests = new WeakMap<Buffer, string>();

/** What distinguishes answers of one generation: a quiet loop confirms a state, with later times and its own figures. */
function digestOf(json: Buffer | string): string {
  const known = typeof json === 'string' ? undefined : digests.get(json);
  if (known !== undefined) return known;
  const digest = createHash('sha256')
    .update(json.toString().replace(TIME_OF_DAY, ''))
    .digest('base64url')
    .slice(0, 16);
  if (typeof json !== 'string') digests.set(json, digest);
  return digest;
}

/**
 * Makes the `ETag` of a state's answers for one desk, e.g. `W/"1042-mgb3k2x1-1-9hQkZ0sVb2c_Xw3P"`: the generation of the snapshot, the
 * desk, a digest of the answer. Weak: the digest leaves out the time of day, `ts`, and nothing else.
 */
export function tagger(): (state: DeskState, json: Buffer | string) => string {
  desks += 1;
  const desk = `${started}-${desks}`;
  return ({ snapshot }, json) => `W/"${snapshot.generation}-${desk}-${digestOf(json)}"`;
}
