/** The service's log: pino, JSON lines on stderr; a terminal gets its short form from the command line's own printer. */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { DeskError } from './desk-error.ts';
import { codeOf } from './error-code.ts';
import { escapeJson } from './visible-text.ts';

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
 * default: stderr, written synchronously, so that the last lines before an exit are not lost, but never waited for.
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

/** Never throws. */
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

/** A descriptor that may block, fill up or break: a line that cannot be written at once is dropped, and the next one says how many are missing. */
export class LogOutput {
  readonly #given: number;
  /** What is written to; undefined while the pipe has no reader. */
  #fd: number | undefined;
  /** End of a line of which a pipe took only the beginning. */
  #rest: Buffer = Buffer.alloc(0);
  #dropped = 0;

  /** `fd` is not closed. */
  constructor(fd: number) {
    this.#given = fd;
    this.#fd = nonBlocking(fd);
  }

  /** Lines lost since the last one that got through. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes one JSON object with its line end. Never throws, and never waits for the reader of a pipe. */
  write(line: string): void {
    this.#fd ??= nonBlocking(this.#given);
    if (this.#rest.length > 0) this.#rest = this.#rest.subarray(this.#try(this.#rest));
    if (this.#rest.length > 0) {
      this.#dropped += 1;
      return;
    }
    const sent = this.#dropped === 0 ? line : line.replace(/^\{/, `{"dropped_lines":${this.#dropped},`);
    const bytes = Buffer.from(escapeJson(sent));
    const written = this.#try(bytes);
    if (written === 0) {
      this.#dropped += 1;
      return;
    }
    this.#dropped = 0;
    this.#rest = bytes.subarray(written);
  }

  close(): void {
    if (this.#fd !== undefined && this.#fd !== this.#given) closeSync(this.#fd);
  }

  /** Bytes taken: 0 for a full pipe (EAGAIN), a full disk, a reader that went away. */
  #try(bytes: Buffer): number {
    if (this.#fd === undefined) return 0;
    try {
      return writeSync(this.#fd, bytes);
    } catch {
      return 0;
    }
  }
}

/**
 * The pipe behind a descriptor, opened again: O_NONBLOCK belongs to the open file description (open(2)), which is shared with our
 * parent process. The descriptor itself if it is not a pipe, or another user's pipe, which may not be reopened; undefined while the
 * pipe has no reader (ENXIO, fifo(7)).
 */
function nonBlocking(fd: number): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    return codeOf(error) === 'ENXIO' ? undefined : fd;
  }
}
