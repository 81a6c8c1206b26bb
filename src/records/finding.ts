/** A finding and a note as they are shown. */
import { z } from 'zod';
import { AVENUE_IDS } from '../checks/check.ts';
import type { Finding } from '../findings/finding.ts';
import { SEVERITIES } from '../policy/severity.ts';
import { aboutSchema, titleOf } from './about.ts';
import { shaped, text } from './define.ts';

export const severity = z.enum(SEVERITIES);

const kind = <K extends string>(name: K) =>
  z.literal(name).describe('which kind; the others have other fields');

const subject = z.union([
  z.strictObject({
    kind: kind('process'),
    pid: z.int().describe('process: its pid'),
    start: text.describe('process: start time, clock ticks after boot'),
    comm: text.describe('process: its name'),
    executable: text.describe('process: path of its executable; "" when it could not be read'),
    identity: text.describe('process: what the baseline knows it by'),
    uid: z.int().nullable().describe('process: its real uid; null when it could not be read'),
    euid: z.int().optional().describe('process: its effective uid where that is another one'),
  }),
  z.strictObject({
    kind: kind('listener'),
    protocol: z.enum(['tcp', 'udp']).describe('listener: its protocol'),
    address: text.describe('listener: the address it is bound to'),
    port: z.int().describe('listener: its port'),
    inode: z.int().describe('listener: inode of the socket'),
    namespace: z.int().optional().describe('listener: inode of its network namespace where that is not ours'),
  }),
  z.strictObject({
    kind: kind('file'),
    path: text.describe('file: its path'),
    content: text.optional().describe('file: which of the contents that run from that path'),
  }),
  z.strictObject({ kind: kind('host'), name: text.describe('host: which part of it') }),
  z.strictObject({ kind: kind('desk') }),
]);

export const findingSchema = z.strictObject({
  id: text.describe(
    'stable: the same program of the same user failing a check in the same way has the same id',
  ),
  check: text.describe('the check that failed'),
  avenue: z.enum(AVENUE_IDS).describe('the avenue it opens'),
  severity: severity.describe('low, medium, high or critical'),
  subject: subject.describe('what it is about: a process, listener, file, host or the desk'),
  members: z
    .strictObject({
      count: z.int().positive().describe('how many there are'),
      pids: z
        .array(z.int())
        .describe('pids, that of the subject first, at most 64; none unless the subject is a process'),
    })
    .describe('all equal fails of one program and user; the subject is the oldest'),
  summary: text.describe('one sentence a person can act on'),
  title: text.describe('the summary with what runs and its user, where these are known'),
  evidence: z.record(text, z.union([text, z.number()])).describe('what was read'),
  about: aboutSchema
    .nullable()
    .describe(
      'the process that it is about, or that holds the listener; null while that was not read, and for other subjects',
    ),
  evidence_class: text.describe(
    'evidence class, as an exception names it; "" when there is only one or it is not known',
  ),
  first_seen: text.describe('RFC 3339'),
  last_seen: text.describe('RFC 3339'),
  benign: text.describe('why this may be benign'),
  remedy: text.describe('what to do; "" when unknown'),
  scar: z.boolean().describe('severity medium or above, explained by neither baseline nor law'),
});

export const noteSchema = z.strictObject({
  check: text.describe('the check that is blind'),
  avenue: z.enum(AVENUE_IDS).describe('the avenue it opens'),
  reason: text.describe('why the evidence could not be read'),
  cure: text.describe('what would cure it'),
  subjects: z.int().nonnegative().describe('how many subjects it could not judge'),
});

export const suppressedSchema = z.strictObject({
  check: text.describe('the check that failed'),
  avenue: z.enum(AVENUE_IDS).describe('the avenue it would have opened'),
  severity: severity.describe('low, medium, high or critical'),
  subject: subject.describe('what it is about'),
  summary: text.describe('what was found'),
  source: z
    .enum(['law', 'accepted', 'benign', 'baseline'])
    .describe(
      'what explains it: an exception of law.toml, an accepted finding, a benign cause, the baseline',
    ),
  name: text.describe('name of the benign cause; "" for others'),
  why: text.describe('the reason given'),
});

/** What a finding is shown from. */
export const titled = (finding: Finding) => ({ ...finding, title: titleOf(finding) });

const shownFinding = shaped(findingSchema);
/** A finding in the interface's spelling. */
export const findingOf = (finding: Finding): z.output<typeof findingSchema> => shownFinding(titled(finding));

export const findingId = z.string().regex(/^[0-9a-f]{16}$/, 'expected the 16 hex digits of a finding id');
