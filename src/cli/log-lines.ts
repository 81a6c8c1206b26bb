/** The short form of log lines for a terminal: time, level, message, then the rest as key=value. */
import { bad, dim, type Piece, type Terminal, warn } from '../base/terminal.ts';

const levels: Readonly<Record<string, (text: string) => Piece>> = { warn, error: bad, fatal: bad };

/** A stream for the logger that prints each JSON line in its short form; a line that is not JSON is printed as it is. */
export function shortLines(err: Terminal): { write(line: string): void } {
  return {
    write(line) {
      let entry: Record<string, unknown>;
      try {
        entry = JSON.parse(line) as Record<string, unknown>;
      } catch {
        err.line(line.trimEnd());
        return;
      }
      const { time, level, msg, err: error, ...rest } = entry;
      const fields = Object.entries(rest).map(
        ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const cause = (error as { message?: unknown } | undefined)?.message;
      if (cause !== undefined) fields.push(` error=${String(cause)}`);
      const name = String(level);
      err.line(
        dim(new Date(String(time)).toTimeString().slice(0, 8)),
        ' ',
        (levels[name] ?? dim)(name.padEnd(5)),
        ` ${String(msg ?? '')}`,
        dim(fields.join('')),
      );
    },
  };
}
