/** What runs at a time: cron, anacron, at. */
import { isLeftover, isRunPart, program, script, significant } from '../parsers.ts';
import { type Parser, places, type Start } from '../place.ts';
import { isWritten } from './written.ts';

/** Variables of a crontab that decide what its commands run (crontab(5)). */
const CRON_VARIABLE =
  /^["']?(?:PATH|SHELL|BASH_ENV|BASH_FUNC_[^=]*|ENV|LD_\w+|HOME|PYTHON\w*|PERL5\w*|NODE_OPTIONS)["']?\s*=/;

/** Lines of crontab(5); those of the system name a user. */
function crontabStarts(text: string, namesUser: boolean, user: string | undefined): Start[] {
  const found: Start[] = [];
  for (const line of significant(text, /^#/)) {
    if (CRON_VARIABLE.test(line)) {
      found.push({ runs: line, when: 'for every job of this file', ...(user !== undefined && { user }) });
      continue;
    }
    const [, when = '', rest = ''] = /^(@\w+|(?:-?\S+\s+){4}\S+)\s+(.*)$/.exec(line) ?? [];
    if (when === '') continue;
    const [, named = '', command = ''] = namesUser ? (/^(\S+)\s+(.*)$/.exec(rest) ?? []) : ['', user, rest];
    if (command !== '') found.push({ runs: command, when, ...(named !== '' && { user: named }) });
  }
  return found;
}

const systemCrontab: Parser = ({ text, name }) =>
  isLeftover(name) ? [] : crontabStarts(text, true, undefined);

/** A spool has a file for each user, of the user's name. */
const userCrontab: Parser = ({ text, name }) =>
  /^(?:tmp\.|\.)/.test(name) ? [] : crontabStarts(text, false, name);

/** anacrontab(5): period, delay, identifier, command. */
const anacrontab: Parser = ({ text }) =>
  significant(text, /^#/).flatMap((line): Start[] => {
    if (CRON_VARIABLE.test(line)) return [{ runs: line, when: 'for every job of this file' }];
    const [, period = '', , name = '', command = ''] = /^(\S+)\s+(\S+)\s+(\S+)\s+(.+)$/.exec(line) ?? [];
    return command === '' ? [] : [{ runs: command, when: period, name }];
  });

/** A job of at(1) begins with the environment of who made it, in which all else is escaped, and a `cd`. */
const AT_PREFIX =
  /^(?:#.*|[A-Za-z_]\w*=(?:[\w%/{[\]=}@+#,.:-]|\\.)*; export [A-Za-z_]\w*|umask \d+|cd (?:[\w%/{[\]=}@+#,.:-]|\\.)* \|\| \{|echo 'Execution directory inaccessible' >&2|exit 1|\})$/;
const job: Parser = script(AT_PREFIX);

const BENIGN = 'Administrators and programs set up jobs.';

export const SCHEDULED = places([
  {
    id: 'crontab',
    title: 'system crontab',
    files: ['/etc/crontab', '/etc/cron.d/*'],
    parse: systemCrontab,
    expected: isWritten,
    when: 'at its times',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1053.003'],
  },
  {
    id: 'user-crontab',
    title: 'crontab of a user',
    files: ['/var/spool/cron/crontabs/*', '/var/spool/cron/*', '/var/spool/cron/tabs/*', '/etc/crontabs/*'],
    parse: userCrontab,
    when: 'at its times',
    user: 'owner',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1053.003'],
  },
  {
    id: 'cron-folder',
    title: 'script that cron runs',
    files: [
      '/etc/cron.hourly/*',
      '/etc/cron.daily/*',
      '/etc/cron.weekly/*',
      '/etc/cron.monthly/*',
      '/etc/cron.yearly/*',
      '/etc/periodic/*/*',
    ],
    parse: program(isRunPart),
    when: 'by the period of its folder',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1053.003'],
  },
  {
    id: 'anacrontab',
    title: 'anacron table',
    files: ['/etc/anacrontab', '/etc/anacron/*'],
    parse: anacrontab,
    when: 'once in its period',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1053.003'],
  },
  {
    id: 'at-job',
    title: 'job of at',
    files: ['/var/spool/cron/atjobs/*', '/var/spool/at/*', '/var/spool/atjobs/*'],
    parse: job,
    when: 'once, at its time',
    user: 'owner',
    severity: 'medium',
    benign: 'A user created it with at(1) or batch(1).',
    techniques: ['T1053.002'],
  },
  {
    id: 'cron-access',
    title: 'who may use cron and at',
    files: ['/etc/cron.allow', '/etc/cron.deny', '/etc/at.allow', '/etc/at.deny'],
    parse: ({ text }) => significant(text).map((runs) => ({ runs })),
    when: 'when a user sets up a job',
    user: 'each user',
    severity: 'low',
    benign: BENIGN,
    techniques: ['T1053.003', 'T1053.002'],
    starts: false,
  },
]);
