/** A second set, written after the improvements from the first set and before any of it was tried: do the fixes generalize? */
import { each, one, type Question } from './question.ts';

const REFUSED = { refuses: true } as const;

export const UNSEEN_SECOND: readonly Question[] = [
  one('crowd', 'is this box in good shape', /^status\.(?:ok|grade)$/),
  one('degraded', "my boss asks if we're fine, what do I tell him", /^status\.(?:ok|grade|issues)/),
  one('hostile', 'ist der rechner kompromittiert?', /^status\.(?:ok|grade)$/),
  one('healthy', 'what keeps us from being silver', 'status.grade'),
  one('healthy', 'last time the baseline was updated?', /learned/, /2026-11-19/),
  one('healthy', 'is the web server allowed on 8443 too', /8443|^law\.listen/),
  one('healthy', 'which service sits on port 53 udp', /^listeners\[.*53/, /systemd-resolved/),
  one('healthy', 'wem gehört port 443', /^listeners\[.*443/, /nginx/),
  one('crowd', 'are 20001 and 20002 open', 'query.total', /20001/, /20002/),
  one('crowd', '20005?', /20005/),
  one('healthy', 'how is postgres confined', /^processes\[.*(?:postgres|640).*by$/, /seccomp/),
  one('healthy', 'parent of pid 1322', /^processes\[.*1322/, /1310/),
  one('healthy', 'cuántos hilos tiene el proceso 900', /threads$/, /\b9\b/),
  one('healthy', 'is claws mail started', /claws/, /runs|running|1204/),
  one('healthy', 'pid of sshd', /^processes\[.*sshd/, /520/),
  one('healthy', 'is chromiun safe', /chromium/),
  one('crowd', 'what does user 1001 run', /^processes\[uid=1001\]/),
  one('degraded', 'list zombies with their parents', /fried/, /1802/),
  one('healthy', 'which programs open sockets to the outside', /scope=public|public_n|outside_h/),
  one('degraded', 'why is inject_clip open', /avenues/, /hidepid/),
  one('degraded', 'worst finding please', /findings/, /backup-agent/),
  one('degraded', 'how do I make the desk see the hidden processes again', /notes|checks|cure/),
  one('hostile', 'how many listeners were never learned', /findings|listeners/),
  one('crowd', 'count the low findings', /findings\[severity=low\]/, /395|398|399|\d{3}/),
  one('hostile', 'quelle est la gravité de preload-file', /^checks\[id=preload-file/, /critical/),
  one('healthy', 'has anything been excused', /excused/),
  one('degraded', 'did the re-check of scar succeed', /scar/),
  one('degraded', 'what did cook find in its last run', /scar|gate|cook/),
  one('healthy', 'GOD?', /god$/i, /\b1\b/),
  one('healthy', 'how many steps did the last gate run take', /scar\.last|gate/),
  one('degraded', 'what would be learned if I learn now', /^baseline_diff/),
  one('degraded', 'is the learning window still open', /window_open|findings|until/),
  one('healthy', 'how many rows does the baseline have', /learned_rows/, /52/),
  one('degraded', 'imap down?', /mail/, /password/),
  one('degraded', 'how many mails are still to import', /mail\.sources/, /4210/),
  one('healthy', 'is a password configured for mail', /pass_set$/),
  one('healthy', 'our smtp port and host', [/smtp_port$/, /smtp_host$/], /465/),
  one('healthy', 'name of the sender in our mails', /from_name$/, /Ada Example/),
  one('healthy', 'how often is everything rechecked', /period_ms$|recheck/),
  one('healthy', 'how much cpu does the desk itself eat', { refuses: 'either' }),
  one('healthy', 'are we using avx512', /mark$|build$|metal$/, /avx512/),
  one('healthy', 'where do I see the api docs', /^endpoints|^status\./),
  one('healthy', 'what does desk field clear soft do', /^commands\[.*field clear/),
  one('healthy', 'which command restores a quarantined file', /^commands\[.*quarantine/),
  one('healthy', 'meaning of thermo', /THERMO/),
  one('healthy', 'what is the difference between a note and a finding', [
    /^words\[word=note\]/,
    /^words\[word=finding\]/,
  ]),
  one('healthy', 'default of slow.every_sec', /^keys\[.*every_sec/, /3600/),
  one('healthy', 'is dns for www.desk.example ok', /site\.names|dns_green/),
  one('degraded', 'is the certificate good for another week', /certificate/, /\b5\b/),
  one('healthy', 'when did the site last change', /^site\.history/, /503|200/),
  ...each(
    'healthy',
    `
    what will break next | which of my colleagues is the hacker
    how many requests per second does nginx serve | show the source code of nginx | unlock my account
    is mail.google.com down | what is the wifi password | read me the last mail
    whom did radia@example.org write to | is there life on mars | qwertz | make the grade gold
    how big is the log file | which ip addresses visited the site today`,
    REFUSED,
  ),
];
