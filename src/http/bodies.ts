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
