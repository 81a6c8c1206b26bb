/** Answers that are a function of the moment alone, serialised once per moment. */
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

/**
 * What makes the `ETag` of a moment's answers for one desk, e.g. `W/"1042-mgb3k2x1-1"`: the generation of the snapshot, then the desk.
 * Weak: while nothing happens, the answers of one generation differ in their time of day only.
 */
export function tagger(): (moment: Moment) => string {
  desks += 1;
  const desk = `${started}-${desks}`;
  return ({ snapshot }) => `W/"${snapshot.generation}-${desk}"`;
}
