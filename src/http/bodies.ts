/** Answers that are a function of the moment alone, serialised once per moment. */
import { createHash } from 'node:crypto';
import type { Moment } from '../records/moment.ts';

const known = new WeakMap<Moment, Map<string, Buffer>>();

/** The bytes of answer `name` for this moment; `make` runs once per moment and name. */
export function bodyOf(moment: Moment, name: string, make: (moment: Moment) => string): Buffer {
  let bodies = known.get(moment);
  if (bodies === undefined) {
    bodies = new Map();
    known.set(moment, bodies);
  }
  let body = bodies.get(name);
  if (body === undefined) {
    body = Buffer.from(make(moment));
    bodies.set(name, body);
  }
  return body;
}

/** Each desk counts its generations from 1, so its tags say which desk it was. */
let desks = 0;
const started = Date.now().toString(36);

/** The time of a record, local or RFC 3339. Within a text its quotes would be escaped. */
const TIME_OF_DAY = /"ts":"[^"]*"/g;

const digests = new WeakMap<Buffer, string>();

/** What tells answers of one generation apart: a quiet loop confirms a moment, with later times and its own figures. */
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
 * Makes the `ETag` of a moment's answers for one desk, e.g. `W/"1042-mgb3k2x1-1-9hQkZ0sVb2c_Xw3P"`: the generation of the snapshot, the
 * desk, a digest of the answer. Weak: the digest leaves out the time of day, `ts`, and nothing else.
 */
export function tagger(): (moment: Moment, json: Buffer | string) => string {
  desks += 1;
  const desk = `${started}-${desks}`;
  return ({ snapshot }, json) => `W/"${snapshot.generation}-${desk}-${digestOf(json)}"`;
}
