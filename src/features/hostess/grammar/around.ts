/** "What happened around 3 am": a time of day is the hour before and after it. Pure. */
import type { Reading } from './read.ts';

const HOUR_MS = 3_600_000;
const HAPPENED =
  /\b(?:happen\w*|occur\w*|chang\w+|going on|went on|passier\w*|geschehen|geschah|geandert|verandert|los|ocurri\w*|paso|pasado|cambi\w*|passe|arrive|change)\b/;
const SO_LONG_AGO = /\b(?:ago|vor|her|hace|il y a)\b/;

/** The same reading, with the time as a span where it asks what happened then. */
export function aroundTime(reading: Reading, plain: string): Reading {
  const { moment, slots } = reading;
  const isOfRows = slots.some(({ part }) => part === 'table' || part === 'number' || part === 'program');
  if (moment?.how !== 'ago' || isOfRows || !HAPPENED.test(plain) || SO_LONG_AGO.test(moment.text))
    return reading;
  return {
    ...reading,
    moment: { ...moment, how: 'day', ms: moment.ms - HOUR_MS, untilMs: moment.ms + HOUR_MS },
  };
}
