/** A finding and a note as they are shown. */
import { z } from 'zod';
import { AVENUE_IDS, type Excused, type Finding, type Note, SEVERITIES } from '../checks/judgement.ts';
import { aboutSchema, titleOf } from './about.ts';

const text = z.string();

/** Meaning of `ts` in every answer beside the three records. */
export const TIME = 'time of the snapshot, RFC 3339 with numeric offset';

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
        .describe('their pids, the one of the subject first, at most 64; none for what is not a process'),
    })
    .describe(
      'everything of one program and user that fails in the same way; the subject is the oldest of them',
    ),
  summary: text.describe('one sentence a person can act on'),
  title: text.describe('the summary with what runs and its user, where these are known'),
  evidence: z.record(text, z.union([text, z.number()])).describe('what was read'),
  about: aboutSchema
    .nullable()
    .describe(
      'the process that it is about, or that holds the listener; null while that was not read, and for other subjects',
    ),
  evidence_class: text.describe(
    'which of the ways to fail its check, as an exception names it; "" when there is one only or it is not known',
  ),
  first_seen: text.describe('RFC 3339'),
  last_seen: text.describe('RFC 3339'),
  benign: text.describe('why this may be benign'),
  remedy: text.describe('what to do; "" when nothing is known'),
  scar: z.boolean().describe('severity medium or above, explained by neither baseline nor law'),
});

export const noteSchema = z.strictObject({
  check: text.describe('the check that is blind'),
  avenue: z.enum(AVENUE_IDS).describe('the avenue it opens'),
  reason: text.describe('why the evidence could not be read'),
  cure: text.describe('what would cure it'),
  subjects: z.int().nonnegative().describe('how many subjects it could not judge'),
});

export const excusedSchema = z.strictObject({
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

/** A finding in the interface's spelling. */
export function findingOf(finding: Finding): z.output<typeof findingSchema> {
  const {
    id,
    check,
    avenue,
    severity,
    subject,
    members,
    evidence,
    about,
    evidenceClass = '',
    firstSeen,
    lastSeen,
    benign,
    remedy,
    scar,
  } = finding;
  return {
    id,
    check,
    avenue,
    severity,
    subject: { ...subject },
    members: { count: members.count, pids: [...members.pids] },
    summary: finding.summary,
    title: titleOf(finding),
    evidence: { ...evidence },
    about: about === null ? null : { ...about },
    evidence_class: evidenceClass,
    first_seen: firstSeen,
    last_seen: lastSeen,
    benign,
    remedy,
    scar,
  };
}

export const noteOf = ({ check, avenue, reason, cure, subjects }: Note): z.output<typeof noteSchema> => ({
  check,
  avenue,
  reason,
  cure,
  subjects,
});

export const excusedOf = ({ subject, ...excused }: Excused): z.output<typeof excusedSchema> => ({
  ...excused,
  subject: { ...subject },
});
