/** The service's log: pino, JSON lines on stderr; a terminal gets its short form from the command line's own printer. */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { DeskError } from './desk-error.ts';
import { LogOutput } from './log-output.ts';

export type { Logger } from 'pino';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** Level by DESK_LOG_LEVEL, `info` when unset. An unknown one is a `DeskError`. */
export function logLevel(env: Readonly<Record<string, string | undefined>> = process.env): LogLevel {
  const wanted = env.DESK_LOG_LEVEL || 'info';
  const level = logLevels.find((known) => known === wanted);
  if (level === undefined)
    throw new DeskError(
      'usage',
      `DESK_LOG_LEVEL is ${JSON.stringify(wanted)}, which is not a level.`,
      `Set it to one of ${logLevels.join(', ')}.`,
    );
  return level;
}

const secretNames = ['token', 'password', 'pass', 'secret', 'api_key', 'authorization', 'Authorization'];
const redacted = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Bearer tokens inside text, e.g. in the message of an error that quotes a request. */
const bearer = /\b(Bearer\s+)[A-Za-z0-9._~+/-]{8,}=*/g;

/**
 * Values under names of secrets and bearer tokens in messages never reach a line. `stream` receives one JSON line per call;
 * default: stderr, written at once, so that the last words before an exit are not lost, and never waited for.
 */
export function createLogger(
  level: LogLevel = logLevel(),
  stream: DestinationStream = new LogOutput(2),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redacted, censor: '[removed]' },
      serializers: { err: errorForLog },
      hooks: {
        logMethod(values, method) {
          const cleaned = values.map((value) => (typeof value === 'string' ? clean(value) : value));
          method.apply(this, cleaned as Parameters<typeof method>);
        },
      },
    },
    stream,
  );
}

const clean = (text: string): string => text.replaceAll(bearer, '$1[removed]');

/** More causes of an error than this are not logged. */
const MOST_CAUSES = 16;

/** Never throws, whatever was thrown. */
function errorForLog(error: unknown): unknown {
  if (typeof error === 'string') return clean(error);
  if (typeof error !== 'object' || error === null) return error;
  try {
    if (causesOf(error) <= MOST_CAUSES) return withoutBearer(stdSerializers.err(error as Error));
    const { name, message, stack } = error as Partial<Error>;
    return withoutBearer({ type: name, message, stack });
  } catch {
    return { message: 'an error that cannot be serialized' };
  }
}

/** Length of the chain of causes, up to one more than the limit. */
function causesOf(error: object): number {
  let count = 0;
  let cause = (error as Error).cause;
  for (; cause && count <= MOST_CAUSES; count += 1) cause = (cause as Error).cause;
  return count;
}

const withoutBearer = <T extends object>(error: T): T =>
  Object.fromEntries(
    Object.entries(error).map(([key, value]) => [key, typeof value === 'string' ? clean(value) : value]),
  ) as T;
