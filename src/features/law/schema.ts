/** The law file (TOML) and that of accepted findings. Unknown keys are errors; all problems of a file are reported at once. */

import { z } from 'zod';
import { suggest } from '../../config/problems.ts';
import { NEVER_SUPPRESSED } from '../../findings/suppression.ts';
import { BANNED_LISTENER } from '../../policy/banned.ts';
import { SEVERITIES } from '../../policy/severity.ts';

/** What a file is checked against besides its own form. */
export interface LawContext {
  /** Ids of the catalogue. */
  readonly checks: readonly string[];
  /** Names of the catalogue's benign causes. */
  readonly causes: readonly string[];
  readonly bannedPorts: ReadonlySet<number>;
  /** Uid of a user of this machine; undefined for an unknown user. */
  readonly uidOf: (user: string) => number | undefined;
}

const DAY_SEC = 86_400;

const threshold = (value: number, least: number, most: number, meaning: string) => ({
  value,
  least,
  most,
  meaning,
});

/** Every key of `[thresholds]` with its default, its bounds and its meaning. */
export const THRESHOLDS = {
  zombie_sec: threshold(60, 1, DAY_SEC, 'a zombie this old is residue (fried-process)'),
  orphan_sec: threshold(
    300,
    1,
    DAY_SEC,
    'a child this old counts when its parent does not exist (orphan-parent)',
  ),
  library_sec: threshold(
    10,
    0,
    DAY_SEC,
    'a process this old counts when it maps a deleted library (deleted-library)',
  ),
  learning_days: threshold(365, 1, 36_500, 'a baseline this many days old is reported (learning-open)'),
  window_min: threshold(
    60,
    1,
    10_080,
    'a learning window open for this many minutes is reported (learning-open)',
  ),
  disk_free_percent: threshold(
    5,
    0,
    100,
    'less free space than this, and than disk_free_gib, is reported; 0: not judged (vital-sign)',
  ),
  disk_free_gib: threshold(
    20,
    0,
    1_048_576,
    'a disk with this many GiB free is not full, whatever its size; 0: not judged (vital-sign)',
  ),
  inodes_free_percent: threshold(5, 0, 100, 'fewer free inodes are reported; 0: not judged (vital-sign)'),
  memory_available_percent: threshold(
    3,
    0,
    100,
    'less available memory is reported; 0: not judged (vital-sign)',
  ),
  cpu_pressure_percent: threshold(
    0,
    0,
    100,
    'some tasks waited for a processor in this share of five minutes; 0: not judged (vital-sign)',
  ),
  memory_pressure_percent: threshold(
    20,
    0,
    100,
    'all tasks waited for memory in this share of five minutes; 0: not judged (vital-sign)',
  ),
  io_pressure_percent: threshold(
    0,
    0,
    100,
    'all tasks waited for disks in this share of five minutes; 0: not judged (vital-sign)',
  ),
  temperature_celsius: threshold(100, 0, 200, 'a sensor this hot is reported; 0: not judged (vital-sign)'),
  clock_unsynchronised_min: threshold(
    0,
    0,
    10_080,
    'a clock not synchronised this many minutes after the start is reported; 0: not judged (vital-sign)',
  ),
  failed_units: threshold(
    1,
    0,
    10_000,
    'this many failed units of systemd, or more, are reported; 0: not judged (vital-sign)',
  ),
  oom_kills: threshold(
    1,
    0,
    1_000_000,
    'this many processes ended within an hour because memory was short; 0: not judged (vital-sign)',
  ),
};

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

/** Adds a problem, about `key` of the entry or about the value itself. */
const refuse = (context: z.RefinementCtx, expectation: string, ...key: string[]) => {
  context.addIssue({ code: 'custom', path: key, message: `expected ${expectation}` });
  return z.NEVER;
};

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
  return refuse(context, TIME);
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
    if (id === '*') return;
    if (!checks.includes(id)) refuse(context, `a check of the catalogue; ${suggest(checks, id)}`);
    else if (NEVER_SUPPRESSED.has(id) && id !== BANNED_LISTENER)
      refuse(context, 'another check: no exception suppresses this one');
  });

function exception(context: LawContext) {
  const user = z
    .string()
    .transform(
      (name, refinement): number =>
        context.uidOf(name) ??
        refuse(refinement, 'a user of /etc/passwd; for another one write uid = NUMBER'),
    );
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
      const given = (keys: readonly string[]) =>
        keys.filter((key) => (entry as Record<string, unknown>)[key] !== undefined);
      const kinds = Object.values(ABOUT).filter((keys) => given(keys).length > 0);
      const beside = (key: string, other: string) =>
        refuse(
          refinement,
          `no such key beside "${other}": they are about different things, so this would never match`,
          key,
        );
      if ([entry.check].flat().includes('*') && kinds.length === 0 && given(NEUTRAL).length === 0)
        refuse(
          refinement,
          'another condition beside "*", or the checks by name: this would suppress everything',
          'check',
        );
      const [one, other] = kinds.map((keys) => given(keys)[0] as string);
      if (one !== undefined && other !== undefined) beside(other, one);
      if (entry.path !== undefined && entry.executable !== undefined) beside('path', 'executable');
      if (entry.uid !== undefined && entry.user !== undefined)
        refuse(refinement, 'no such key beside "uid"', 'user');
    });
}

export type Exception = z.output<ReturnType<typeof exception>>;

function listener({ bannedPorts }: LawContext) {
  const allowed = port.superRefine((number, refinement) => {
    if (bannedPorts.has(number))
      refuse(
        refinement,
        'another port: this one is banned, and only an [[except]] of banned-listener keeps it from being shut down',
      );
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
      const { port: one, ports } = entry;
      if (one === undefined && ports === undefined) refuse(refinement, 'a port, or ports = [..]', 'port');
      if (one !== undefined && ports !== undefined) refuse(refinement, 'no such key beside "port"', 'ports');
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
