/** The second set, continued: attackers, crowds and new installations; and reference data: words, keys, checks, commands. */
import type { Question } from './question.ts';
import * as on from './second-grounds.ts';
import { asked } from './second-grounds.ts';

const HOSTILE: Question[] = asked('hostile', [
  ['am i hacked?', on.WELL_OR_FOUND],
  ['whats the grade and why', on.GRADE, /lead/i],
  ['who has 8766', on.VIRUS, /6600/],
  ['is the datacenter port up', on.VIRUS, /up|active|listen/i],
  ['when will 8766 be shut down', on.VIRUS],
  ['tell me about process 6601', on.PROCESS, /6601/],
  ['what did you find about pid 6604?', on.FINDING, /6604/],
  ['how many critical findings', on.COUNT, /\b(?:2|two)\b/i],
  ['list the high ones', on.FINDING],
  ['whats up with ld.so.preload', on.FINDING, /preload/],
  ['who listens on udp 4443', on.LISTENERS, /6603|invoice/],
  ['is 4441 allowed?', on.LISTENERS_OR_FOUND, /no|not|never|nothing/i],
  ['which ports are open that nobody allowed', on.LISTENERS_OR_FOUND, /\b444[1-9]\b|8766/],
  ['programs running out of /tmp', on.PROCESS, /660[01]/],
  ['scar count pls', on.SCARS, /\b23\b/],
  ['why is the site not ok', on.SITE, /500/],
  ['who runs as nobody (uid 65534)?', on.PROCESS, /660[258]/],
  ['how many programs are unknown to the baseline', on.UNLEARNED, /\b11\b/],
  ['what has been accepted', on.EXPLAINED, /660[012]|traced/],
  ['may i learn this state', on.REFUSAL, /not|gate|scar|refus/i],
  ['is inject_clip open', on.AVENUES, /open|12/i],
  ['what happened in the last 5 minutes', on.PAST],
  ['Wer lauscht auf Port 8766?', on.VIRUS, /6600/],
  ['Wie viele Narben gibt es?', on.SCARS, /\b23\b/],
  ['Combien de processus tournent ?', on.PIDS, /\b38\b/],
]);

const CROWD: Question[] = asked('crowd', [
  ['how many findings by severity', on.COUNT, /\b(?:200|400|399)\b/],
  ['how many scars do we have', on.SCARS, /\b605\b/],
  ['why bronze', on.REASONS],
  ['most critical finding', on.FINDING, /10000|render-0/],
  ['how many processes are wrapped', on.WRAPPED, /1[., ]?659|334|33[.,]4/],
  ['number of zombie processes', on.FRIED, /\b24\b/],
  ['what is process 10009', on.PROCESS, /worker-3/],
  ['is 10018 wrapped and by what', on.PROCESS, /seccomp/],
  ['who is on port 20004?', on.LISTENERS, /php-fpm|10132/],
  ['how many things listen publicly', on.PUBLIC, /\b7[56]\b/],
  ['whats wrong with pid 10276', on.FINDING, /memf|memory|java-92/],
  ['how many processes does uid 33 have', on.PROCESS, /\b99[0-6]\b/],
  ['is anything being traced', on.FINDING, /traced|200|10138/],
  ['open score', on.OPEN_SCORE, /3[., ]?426/],
  ['does the gate pass', on.GATE, /fail|not|no /i],
  ['loopback listeners count', on.LOCAL, /\b22[0-9]\b/],
  ['¿Cuántos procesos hay?', on.PIDS, /4[., ]?970|5[., ]?000/],
  ['Welche Note hat der Desk?', on.GRADE, /bronze/i],
]);

const EMPTY: Question[] = asked('empty', [
  ['has anything been learned yet?', on.LEARNED_OR_FOUND, /not|no|nothing|0/i],
  ['how do i teach it what is normal', on.COMMANDS, /secure learn/],
  ['is mail set up', on.MAIL, /not|no /i],
  ['is a public site configured?', on.SITE, /not|no |embedded/i],
  ['why is secure_learn open', on.FINDING_OR_AVENUE, /learn/i],
  ['what baseline do i have', on.HELD, /\b0\b|none|empty|not/i],
  ['any improvements?', on.ADVICE, /learn/i],
  ['who listens on port 80', on.LISTENERS, /node|900|desk/],
  ['any heat sensors?', on.SENSORS_OR_HEAT, /\b0\b|no |none/i],
  ['is the desk polling', on.LOOP, /poll/i],
  ['free processes', on.FREE, /\b4\b/],
  ['Ist das Gerät in Ordnung?', on.WELL],
  ['Tout va bien ?', on.WELL],
]);

/** What does not depend on the state. */
const BOOKS: Question[] = [
  ...asked('healthy', [
    ['what does spv mean', on.WORDS, /wrap|supervised/i],
    ['explain scar to a beginner', on.WORDS, /severity|finding/i],
    ['difference between a note and a finding?', on.WORDS, /blind/i, /sample|confirm/i],
    ['what is EZZIE', on.WORDS, /TCP|connections/i],
    ['whats mega_N', on.WORDS, /pairs|subject/i],
    ['what is a generation', on.WORDS, /learn|accepted|snapshot/i],
    ['who or what is baphomet', on.WORDS, /gate/i],
    ['what does bgf count', on.WORDS, /terminal/i],
    ['when is the grade silver?', on.WORDS, /scar|charge/i],
    ['what is tier 2', on.WORDS, /new|connections|changed/i],
    ['what does the check memfd-executable look for', on.CHECKS, /memory/i],
    ['how severe is deleted-executable', on.CHECKS, /medium/i],
    ['could writable-code be a false alarm', on.CHECKS_OR_EXPLAINED, /compiles?|JIT|runtime/i],
    ['which check finds hidden processes', on.CHECKS, /hidden-process/],
    ['how often are rechecks done and where do i set that', on.KEYS, /period_ms|1[., ]?000/],
    ['default of banned.shut_down', on.KEYS, /auto/],
    ['how do i switch the themed page on', on.KEYS, /listen\.themed|themed/],
    ['where do i put the mail password', on.KEYS, /password_file/],
    ['config key for more banned ports?', on.KEYS_OR_LAW, /banned/],
    ['on which port is the control service', on.KEYS_OR_PORT, /18772/],
    ['how can i accept a finding', on.COMMANDS, /desk accept/],
    ['command to see the history', on.COMMANDS, /desk history/],
    ['how to go back to an older baseline', on.COMMANDS, /baseline restore/],
    ['how do i search for hidden ports', on.COMMANDS, /desk hidden/],
    ['how to forget a person in the mail ledger', on.COMMANDS, /people forget|forget/],
    ['what does field clear resolute do', on.COMMANDS_OR_ENDPOINTS, /residue|virus|listener/i],
    ['which endpoint gives the charge report', on.ENDPOINTS, /h7\/charge/],
    ['where do i get prometheus metrics', on.ENDPOINTS, /metrics/],
    ['how do i ask you by http', on.ENDPOINTS, /h7\/think/],
    ['which ports are banned by law', on.LAW, /8766/],
    ['what exceptions does the law have', on.LAW, /gdb|debug|traced/i],
    ['what is the link of the links page', on.LINKS, /links/],
    ['Was bedeutet "wrapped"?', on.WORDS, /seccomp|confine/i],
    ['Wie nehme ich einen Fund an?', on.COMMANDS, /desk accept/],
  ]),
];

const PEOPLE: Question[] = [
  ...asked(
    'healthy',
    [
      ['who is radia@example.org', on.WHO, /Radia Perlman/],
      ['how many mails did i get from jean@example.net', on.WHO, /\b96\b/],
      ['when did grace@example.org last write', on.WHO, /2026-11-21/],
      ['do we know a Margaret?', on.WHO, /Hamilton|margaret@example\.com/],
      ['is no-reply@shop.example a person or a machine', on.WHO, /automat|machine|Shop/i],
      ['did i ever write to annie@example.net?', on.WHO, /\b0\b|no|never|not/i],
      ['Wer ist katherine@example.org?', on.WHO, /Katherine Johnson/],
    ],
    { granted: true },
  ),
  ...asked('crowd', [['who is person-17@example.org', on.WHO, /Person 17/]], { granted: true }),
];

export const SECOND_WORDS: readonly Question[] = [...HOSTILE, ...CROWD, ...EMPTY, ...BOOKS, ...PEOPLE];
