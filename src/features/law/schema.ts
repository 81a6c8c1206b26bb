/**
 * The law file as the user writes it (TOML), and the file of accepted findings. Unknown keys are errors; what a value must be
 * is told by the schema, one entry at a time, so that all problems of a file are told at once.
 */

import { z } from 'zod';
import { suggest } from '../../config/problems.ts';
import { NEVER_SUPPRESSED } from '../../findings/suppression.ts';
import { BANNED_LISTENER } from '../../policy/banned.ts';
import { SEVERITIES } from '../../policy/severity.ts';

/** What a file is checked against beside its own form. */
export interface LawContext {
  /** Ids of the catalogue. */
  readonly checks: readonly string[];
  /** Names of the catalogue's benign causes. */
  readonly causes: readonly string[];
  readonly bannedPorts: ReadonlySet<number>;
  /** Uid of a user of this machine; undefined when there is no such user. */
  readonly uidOf: (user: string) => number | undefined;
}

interface Threshold {
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly meaning: string;
}

const DAY_SEC = 86_400;

/** Every key of `[thresholds]` with its default. */
export const THRESHOLDS = {
  zombie_sec: { value: 60, least: 1, most: DAY_SEC, meaning: 'a zombie this old is residue (fried-process)' },
  orphan_sec: {
    value: 300,
    least: 1,
    most: DAY_SEC,
    meaning: 'a child this old counts when its parent does not exist (orphan-parent)',
  },
  library_sec: {
    value: 10,
    least: 0,
    most: DAY_SEC,
    meaning: 'a process this old counts when it maps a deleted library (deleted-library)',
  },
  learning_days: {
    value: 365,
    least: 1,
    most: 36_500,
    meaning: 'a baseline this many days old is reported (learning-open)',
  },
  window_min: {
    value: 60,
    least: 1,
    most: 10_080,
    meaning: 'a learning window open for this many minutes is reported (learning-open)',
  },
} as const satisfies Record<string, Threshold>;

type ThresholdName = keyof typeof THRESHOLDS;

/** Entries of `[[listen]]`, of `[[except]]`, and ports of one entry. */
export const MOST_ENTRIES = 256;
const MOST_PATTERNS = 64;

/** Characters of a value that a finding showed: an environment variable may be this long (MAX_ARG_STRLEN, execve(2)). */
const MOST_SHOWN = 131_072;

/** Entries that `accept` may have written in all. */
export const MOST_ACCEPTED = 1024;

const section = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).prefault({} as never);

const thresholds = Object.fromEntries(
  Object.entries(THRESHOLDS).map(([name, { value, least, most }]) => [
    name,
    z.int().min(least).max(most).default(value),
  ]),
) as unknown as Record<ThresholdName, z.ZodDefault<z.ZodInt>>;

const why = z.string().trim().max(1000).regex(/\S/, 'expected the reason, in a few words');
const port = z.int().min(1).max(65_535);
const protocol = z.enum(['tcp', 'udp']);

const TIME = 'a time with its offset from UTC, e.g. 2027-01-31T08:00:00+01:00';
const rfc3339 = z.iso.datetime({ offset: true });

/** Milliseconds since the epoch of an offset date-time of TOML, or of the same in quotes; null for anything else. */
function timeOf(value: unknown): number | null {
  // A local one says so by its own `isLocal` (smol-toml).
  if (value instanceof Date)
    return (value as Date & { isLocal?(): boolean }).isLocal?.() ? null : value.getTime();
  return rfc3339.safeParse(value).success ? Date.parse(String(value)) : null;
}

const expires = z.unknown().transform((value, context): number => {
  const ms = timeOf(value);
  if (ms !== null && !Number.isNaN(ms)) return ms;
  context.addIssue({ code: 'custom', message: `expected ${TIME}` });
  return z.NEVER;
});

/** One text, or a list of them: any of them matches. */
const oneOrMore = (item: z.ZodString) =>
  z.union([item, z.array(item).min(1).max(MOST_PATTERNS)], {
    error: 'expected text in quotes, or a list of such texts',
  });

/** What ends in `*` matches what starts like it; alone it would match everything. */
const pattern = (least: RegExp, expectation: string) =>
  oneOrMore(z.string().max(4096).regex(least, `expected ${expectation}`));

const pathPattern = pattern(/^\/[^*]/, 'an absolute path, or its beginning and "*"');
const namePattern = pattern(/^[^*]/, 'a name, or its beginning and "*"');

/** The keys of an exception beside `check`, by the kind of subject that each is about. */
const ABOUT = {
  process: ['comm', 'identity', 'uid', 'user'],
  listener: ['port', 'protocol'],
  file: ['path'],
} as const;
/** Those that say no kind. */
const NEUTRAL = ['executable', 'evidence', 'shown', 'finding'] as const;

/** An id of the catalogue, or "*". */
const checkId = ({ checks }: LawContext) =>
  z.string().superRefine((id, context) => {
    const refuse = (expectation: string) =>
      context.addIssue({ code: 'custom', message: `expected ${expectation}` });
    if (id === '*') return;
    if (!checks.includes(id)) refuse(`a check of the catalogue; ${suggest(checks, id)}`);
    else if (NEVER_SUPPRESSED.has(id) && id !== BANNED_LISTENER)
      refuse('another check: nothing excuses a fail of this one');
  });

function exception(context: LawContext) {
  const user = z.string().transform((name, refinement): number => {
    const uid = context.uidOf(name);
    if (uid !== undefined) return uid;
    refinement.addIssue({
      code: 'custom',
      message: 'expected a user of /etc/passwd; for another one write uid = NUMBER',
    });
    return z.NEVER;
  });
  return z
    .strictObject({
      check: oneOrMore(checkId(context)),
      executable: pathPattern.optional(),
      comm: namePattern.optional(),
      identity: namePattern.optional(),
      uid: z.int().min(0).max(0xffff_fffe).optional(),
      user: user.optional(),
      path: pathPattern.optional(),
      port: port.optional(),
      protocol: protocol.optional(),
      evidence: namePattern.optional(),
      shown: z.record(z.string().max(64), z.string().max(MOST_SHOWN)).optional(),
      severity: z.enum(SEVERITIES).optional(),
      finding: z
        .string()
        .regex(/^[0-9a-f]{16}$/, 'expected the 16 hex digits of a finding id')
        .optional(),
      why,
      expires: expires.optional(),
      /** When `accept` wrote it. */
      accepted: expires.optional(),
    })
    .superRefine((entry, refinement) => {
      const refuse = (key: string, message: string) =>
        refinement.addIssue({ code: 'custom', path: [key], message: `expected ${message}` });
      const given = (keys: readonly string[]) =>
        keys.filter((key) => (entry as Record<string, unknown>)[key] !== undefined);
      const kinds = Object.values(ABOUT).filter((keys) => given(keys).length > 0);
      if ([entry.check].flat().includes('*') && kinds.length === 0 && given(NEUTRAL).length === 0)
        refuse('check', 'another condition beside "*", or the checks by name: this would excuse everything');
      const [one, other] = kinds.map((keys) => given(keys)[0] as string);
      if (one !== undefined && other !== undefined)
        refuse(
          other,
          `no such key beside "${one}": they are about different things, so this would never match`,
        );
      if (entry.path !== undefined && entry.executable !== undefined)
        refuse(
          'path',
          'no such key beside "executable": they are about different things, so this would never match',
        );
      if (entry.uid !== undefined && entry.user !== undefined) refuse('user', 'no such key beside "uid"');
    });
}

export type Exception = z.output<ReturnType<typeof exception>>;

function listener({ bannedPorts }: LawContext) {
  const allowed = port.superRefine((number, refinement) => {
    if (bannedPorts.has(number))
      refinement.addIssue({
        code: 'custom',
        message:
          'expected another port: this one is banned, and only an [[except]] of banned-listener keeps it from being shut down',
      });
  });
  return z
    .strictObject({
      port: allowed.optional(),
      ports: z.array(allowed).min(1).max(MOST_ENTRIES).optional(),
      protocol: protocol.default('tcp'),
      scope: z.enum(['loopback', 'public', 'any']).default('loopback'),
      executable: z
        .string()
        .max(4096)
        .regex(/^\/.*[^*]$/s, 'expected the absolute path of one executable, without "*"')
        .optional(),
      why,
      expires: expires.optional(),
    })
    .superRefine((entry, refinement) => {
      const refuse = (key: string, message: string) =>
        refinement.addIssue({ code: 'custom', path: [key], message: `expected ${message}` });
      if (entry.port === undefined && entry.ports === undefined) refuse('port', 'a port, or ports = [..]');
      if (entry.port !== undefined && entry.ports !== undefined) refuse('ports', 'no such key beside "port"');
    });
}

/** `law.toml`. */
export const lawSchema = (context: LawContext) =>
  z.strictObject({
    thresholds: section(thresholds),
    learning: section({ auto: z.enum(['off', 'system']).default('off') }),
    benign: section(
      Object.fromEntries(context.causes.map((name) => [name, z.boolean().default(true)])) as Record<
        string,
        z.ZodDefault<z.ZodBoolean>
      >,
    ),
    listen: z.array(listener(context)).max(MOST_ENTRIES).default([]),
    except: z.array(exception(context)).max(MOST_ENTRIES).default([]),
  });

export type LawDocument = z.output<ReturnType<typeof lawSchema>>;

/** `law.d/accepted.toml`. */
export const acceptedSchema = (context: LawContext) =>
  z.strictObject({ except: z.array(exception(context)).max(MOST_ACCEPTED).default([]) });

export type AcceptedDocument = z.output<ReturnType<typeof acceptedSchema>>;
