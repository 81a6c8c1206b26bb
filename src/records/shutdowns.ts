/** Banned listeners that are down, and how each is shown: who it was, how it ended, how to allow it. */
import { z } from 'zod';
import { hostPort } from '../base/addresses.ts';
import { isLossy } from '../base/visible-text.ts';
import { aboutSchema } from './about.ts';
import { count, type Source, shaped, text } from './define.ts';

export const shutdownSchema = z.strictObject({
  at: text.describe('when it was last shut down, RFC 3339'),
  finding: text.describe('id of its finding'),
  protocol: z.enum(['tcp', 'udp']).describe('its protocol'),
  address: text.describe('the address it was bound to'),
  port: count.describe('its port'),
  executable: text.describe('executable of its holder; "" when it could not be read'),
  uid: z.int().nullable().describe('uid of its holder; null when it could not be read'),
  ended: z
    .enum(['SIGTERM', 'SIGKILL', 'itself'])
    .describe('what ended it; itself: it ended before a signal was sent, or closed the port'),
  by: z.enum(['policy', 'command']).describe('policy: automatic, by [banned] shut_down; command: on command'),
  times: count.describe('how often the same was shut down'),
  about: aboutSchema.nullable().describe('who held it; null when that was not read'),
  summary: text.describe('one sentence'),
  allow: text.describe('lines of law.toml that keep it up from then on'),
});

export type Shutdown = Omit<Source<z.output<typeof shutdownSchema>>, 'summary' | 'allow'>;

const ENDED = {
  SIGTERM: 'ended by SIGTERM',
  SIGKILL: 'ended by SIGKILL',
  itself: 'closed by itself',
} as const;

/** What a shutdown is shown from. */
export function summed(shutdown: Shutdown) {
  const { protocol, address, port, executable, uid, ended, times, about } = shutdown;
  const place = `${protocol} ${hostPort(address, port)}`;
  const program = about?.program ?? executable;
  const user = about?.user ? `user ${about.user}` : uid === null ? '' : `uid ${uid}`;
  const pid = about === null ? '' : `pid ${about.pid}`;
  const who = [pid, user].filter((part) => part !== '').join(', ');
  const again = times > 1 ? `, ${times} times` : '';
  return {
    ...shutdown,
    summary: `${program === '' ? 'a program that could not be read' : program}${who === '' ? '' : ` (${who})`} on the banned port ${place} was ${ENDED[ended]}${again}`,
    allow: allowLines(shutdown),
  };
}

const shown = shaped(shutdownSchema);
export const shutdownOf = (shutdown: Shutdown) => shown(summed(shutdown));

/** An exception of the law (docs/law.md) for the program on this port; for any program when it is not known. */
function allowLines({ protocol, port, executable }: Shutdown): string {
  const lines = ['[[except]]', 'check = "banned-listener"', `protocol = "${protocol}"`, `port = ${port}`];
  // A text that ends in * would match more than itself, and U+FFFD replaces bytes that are not known.
  if (executable.startsWith('/') && !executable.endsWith('*') && !isLossy(executable))
    lines.push(`executable = ${JSON.stringify(executable)}`);
  return [...lines, 'why = "say why it may be there"'].join('\n');
}
