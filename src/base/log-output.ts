/**
 * Where log lines go: a descriptor that may stand still, fill up or break. The service outlives its log, so a line that
 * cannot be written at once is dropped and counted, and the next one that gets through tells how many are missing.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { codeOf } from './error-code.ts';
import { escapeJson } from './visible-text.ts';

export class LogOutput {
  readonly #given: number;
  /** What is written to; undefined while nobody reads the pipe. */
  #fd: number | undefined;
  /** End of a line of which a pipe took only the beginning. */
  #rest: Buffer = Buffer.alloc(0);
  #dropped = 0;

  /** `fd` stays its giver's. */
  constructor(fd: number) {
    this.#given = fd;
    this.#fd = unwaiting(fd);
  }

  /** Lines lost since the last one that got through. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes one JSON object with its line end. Never throws, and never waits for the reader of a pipe. */
  write(line: string): void {
    this.#fd ??= unwaiting(this.#given);
    if (this.#rest.length > 0) this.#rest = this.#rest.subarray(this.#try(this.#rest));
    if (this.#rest.length > 0) {
      this.#dropped += 1;
      return;
    }
    const told = this.#dropped === 0 ? line : line.replace(/^\{/, `{"dropped_lines":${this.#dropped},`);
    const bytes = Buffer.from(escapeJson(told));
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
 * The pipe behind a descriptor, opened once more: O_NONBLOCK belongs to the open file description (open(2)), which is shared
 * with whoever started us and must not be changed for them. The descriptor itself for what is no pipe and for another user's
 * pipe, which may not be reopened; undefined while the pipe has no reader (ENXIO, fifo(7)).
 */
function unwaiting(fd: number): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    return codeOf(error) === 'ENXIO' ? undefined : fd;
  }
}
