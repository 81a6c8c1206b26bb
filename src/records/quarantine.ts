/** The answers about the quarantine: `GET /quarantine`, `POST /quarantine/restore` and `/quarantine/purge`. */
import { z } from 'zod';
import { count, type RecordOf, wordsFor } from './define.ts';

/** A file of the desk's own that was set aside. */
export interface Quarantined {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** Name it had in the state folder; "" when the manifest cannot be read. */
  readonly name: string;
  /** When it was set aside, RFC 3339; "" when the manifest cannot be read. */
  readonly at: string;
  readonly why: string;
  /** Id of the finding that it stood for. */
  readonly finding: string;
  readonly bytes: number;
  /** `whole`; `interrupted`: the move never came, or went back; `damaged`: its manifest cannot be read. */
  readonly state: 'whole' | 'interrupted' | 'damaged';
}

interface Asked {
  /** RFC 3339. */
  readonly ts: string;
  readonly action: 'list' | 'restore' | 'purge';
  /** Path of the folder. */
  readonly folder: string;
  readonly files: readonly Quarantined[];
}

const text = z.string();

const file = z.strictObject({
  id: text.describe('what restore and purge take'),
  name: text.describe('name it had in the state folder; "" when its manifest cannot be read'),
  at: text.describe('when it was set aside, RFC 3339; "" when its manifest cannot be read'),
  why: text.describe('why it was set aside'),
  finding: text.describe('id of the finding'),
  bytes: count.describe('its size'),
  state: z
    .enum(['whole', 'interrupted', 'damaged'])
    .describe('whole; interrupted: the file itself is not there; damaged: its manifest cannot be read'),
});

const { field, constant, record } = wordsFor<Asked>();

export const quarantine = record('Quarantine', 'Files of the desk itself that were set aside', {
  ts: field(text, 'time of the answer, RFC 3339 with numeric offset', ({ ts }) => ts),
  word: constant('H7_QUARANTINE', 'name of this answer'),
  action: field(z.enum(['list', 'restore', 'purge']), 'what was asked', ({ action }) => action),
  folder: field(text, 'where they lie', ({ folder }) => folder),
  files: field(
    z.array(file),
    'those that are there; after restore and purge those it was done to',
    ({ files }) => files.map((one) => ({ ...one })),
  ),
});
export type QuarantineAnswer = RecordOf<typeof quarantine>;
