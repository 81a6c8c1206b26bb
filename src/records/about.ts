/** The process of a finding as it is shown. */
import { z } from 'zod';
import type { Finding } from '../findings/finding.ts';
import { text } from './define.ts';

export const aboutSchema = z.strictObject({
  pid: z.int().describe('its pid'),
  start: text
    .optional()
    .describe(
      'its start time, clock ticks after boot: with the pid it is that process or none; absent where an earlier version read it',
    ),
  name: text.describe('its name'),
  executable: text.describe('path of its executable; "" when it could not be read'),
  program: text.describe(
    'short name of what runs: for an interpreter with script or module, according to its command line',
  ),
  uid: z.int().nullable().describe('its real uid; null when it could not be read'),
  user: text.describe('name of that uid in /etc/passwd; "" without one'),
  parent: z
    .strictObject({ pid: z.int().describe('its pid'), name: text.describe('its name') })
    .nullable()
    .describe('the process that started it or took it over; null when that has ended'),
  ancestors: z
    .array(z.strictObject({ pid: z.int().describe('its pid'), name: text.describe('its name') }))
    .describe('its parents when it was read, the nearest first, at most 8'),
  unit: text.describe(
    'the unit of systemd that it belongs to, "user@1000.service/agent.service" of the systemd of a user; "" outside of units',
  ),
  started: text.describe('when it started, RFC 3339; "" when it is not known'),
  directory: text.describe('its working directory; "" when it could not be read'),
  command: text
    .nullable()
    .describe(
      'its command line without secrets, at most 1,024 characters, as the process itself says; null when it could not be read, or is not to be by [privacy] command_lines',
    ),
});

type AboutRecord = z.output<typeof aboutSchema>;

/** How checks name a process; `who` takes the place of the first of them that is about it. */
const phrases = (pid: number, name: string, executable: string): readonly string[] => [
  `${executable} (${name}) runs as process ${pid}`,
  `${executable} (pid ${pid})`,
  `${name} (pid ${pid})`,
  `process ${pid} (${name})`,
];

/** The sentence of a finding; where its process is known, with what that runs and its user. */
export function titleOf({ summary, about }: Pick<Finding, 'summary' | 'about'>): string {
  if (about === null) return summary;
  const { pid, name, executable, program, user, uid } = about;
  const owner = user !== '' ? `, user ${user}` : uid === null ? '' : `, uid ${uid}`;
  const found = phrases(pid, name, executable).find((phrase) => summary.includes(phrase));
  if (found === undefined) return summary;
  // A path says more than a name, and a script more than its interpreter.
  const named = !program.includes(' ') && found.startsWith(`${executable} (`) ? executable : program || name;
  const who = `${named} (pid ${pid}${owner})`;
  return summary.replace(found, () => (found.includes(' runs as ') ? `${who} runs` : who));
}

/** `Started 10:42:07 by php-fpm (pid 911) in /var/www`; with its day where that is not `today`, a time of RFC 3339. */
export function startText(
  { started, parent, directory }: Pick<AboutRecord, 'started' | 'parent' | 'directory'>,
  today: string,
): string {
  const [day = '', time = ''] = started.split('T');
  const when = day === '' ? '' : ` ${today.startsWith(day) ? '' : `${day} `}${time.slice(0, 8)}`;
  const by = parent === null ? '' : ` by ${parent.name} (pid ${parent.pid})`;
  const where = directory === '' ? '' : ` in ${directory}`;
  return when + by + where === '' ? '' : `Started${when}${by}${where}`;
}
