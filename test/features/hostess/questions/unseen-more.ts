/** More of the unseen questions: findings, gate, baseline, mail, law, and the words of the desk. */
import { each, one, type Question } from './question.ts';

const GONE = /^finding_events|^findings\/a{16}/;

const FINDINGS: readonly Question[] = [
  one('crowd', 'how many findings are open', /findings|check\.fail$|counts\.fail$/, /\b1000\b/),
  one('crowd', 'most severe finding', /findings/, /10000|render-0/),
  one('degraded', 'list the findings', /findings/, /1730|backup-agent/, /learning/i),
  one('degraded', 'tell me about finding {finding:deleted-executable}', /findings/, /backup-agent/),
  one(
    'degraded',
    'when was {finding:deleted-executable} first seen',
    /findings.*first_seen$|history/,
    /08:10|09:10/,
  ),
  one('degraded', 'could the deleted executable be harmless?', /benign$/, /upgraded|container/),
  one('degraded', 'what do i do about process 1730', /remedy$|improvements$/, /stop it|look at/),
  one('hostile', 'what critical findings do we have', /findings/, /8766/, /preload/),
  one('healthy', 'any findings?', /findings|check\.fail$|counts\.fail$/, /\b(?:no|none|nothing|0)\b/i),
  one('hostile', 'is anything in ld.so.preload', /findings/, /preload/),
  one('degraded', 'what can you not see', /notes|blind/),
  one('degraded', 'what would cure the ownerless-socket blindness', /notes|improvements/, /CAP_SYS_PTRACE/),
  one('healthy', 'what is excused and why', /excused/, /compiles code while it runs/),
  one('crowd', 'how many memfd-executable findings', /findings|checks/, /\b200\b/),
  one('crowd', 'how many high severity findings are there', /findings/, /\b200\b/),
  one('healthy', 'what happened since 7 am', GONE, /1502/),
  one(
    'healthy',
    'what changed in the last 30 minutes',
    /^finding_events|^gate_runs|^site\.history|^generations/,
    /\b(?:nothing|no|none)\b/i,
  ),
  one('healthy', 'hat sich seit gestern etwas geändert?', GONE, /1502/),
  one('healthy', 'which findings were closed today', GONE, /1502|traced/),
  one('healthy', 'is anything being traced at the moment?', /findings|checks/),
];

const GATE_AND_BASELINE: readonly Question[] = [
  one('degraded', 'does the scar gate pass', /scar\.gate$|gate\.state$/, /fail|not|closed/),
  one(
    'degraded',
    'which findings are in C right now',
    /scar\.c\b|gate\.c\b/,
    /backup-agent|1730|870ba7aca404ee64/,
  ),
  one('healthy', 'value of GOD', /scar\.god$|gate\.god$/, /\b1\b/),
  one('healthy', 'when did the gate last run', /scar\.last|gate\.last|^gate_runs/),
  one('healthy', 'when did the gate last fail', /^gate_runs/, /07:30|06:30/),
  one('degraded', 'what would cooking change?', /scar|findings/),
  one('crowd', 'how many scars', /scar_count$/, /605/),
  one('degraded', 'which step of the last gate run failed', /last\.steps/, /scar-check|scar check|gate/),
  one('hostile', 'why is the gate closed', /scar|gate/, /\b23\b/),
  one(
    'healthy',
    'which generation of the baseline is held',
    /a\.generation$|gate\.a$|adjoin$|^generations|ADJOIN$/,
    /\b7\b/,
  ),
  one('healthy', 'when was the baseline learned', /learned(?:_at)?$|^generations/, /2026-11-19/),
  one('degraded', 'what is new compared with the baseline', /^baseline_diff\.added/, /backup-agent/),
  one('degraded', 'is a learning window open? until when', /window_open$|findings|until$/, /open/),
  one('degraded', 'can I learn now?', /baseline_diff\.learn|in_charge\.secure_learn|duties|scar|gate/),
  one('empty', 'have we learned anything yet', /generation|learn/, /\b(?:nothing|no|not|0)\b/i),
  one('healthy', 'list the baseline generations', /^generations/, /\b7\b/, /\b6\b/),
  one('degraded', 'how many items of the baseline are to review', /to_review$/, /\b4\b/),
];

const MAIL_AND_PEOPLE: readonly Question[] = [
  one('healthy', 'is the mail password set', /pass_set$/),
  one('degraded', 'is the mail client running', /claws_up$/, /\bnot?\b|false/i),
  one('degraded', "what's wrong with mail", /mail\.trouble|mail\.sources|mail_people|duties/, /password/),
  one('degraded', 'how far is the maildir import', /^(?:page\.)?mail\.sources/, /\b120\b/, /4210/),
  // Corrected: without the token nothing is reported about people, not even their number.
  one('healthy', 'how many people are in the ledger', { refuses: true, says: [/token/] }),
  one('healthy', 'how many messages were read from imap', /mail\.sources/, /\b512\b/),
  one('empty', 'is mail set up', /mail\.configured$|mail\.pass_set$/, /\bnot?\b/i),
  one('healthy', 'where does the ledger get exported to', /ledger\.export$|depth_json$/, /people\.json/),
  one('healthy', 'who is grace@example.org', { granted: true, grounds: [/^who/], says: [/Grace Hopper/] }),
  one('healthy', 'when did jean@example.net last write to us', {
    granted: true,
    grounds: [/^who/],
    says: [/2026-11-20/],
  }),
  one('healthy', 'who do I get the most mail from?', {
    granted: true,
    grounds: [/^people/],
    says: [/[Gg]race/],
  }),
  one('healthy', 'wie viele mails kamen von radia@example.org', {
    granted: true,
    grounds: [/^who/],
    says: [/\b7\b/],
  }),
];

const VERSION_LIVE_LAW: readonly Question[] = [
  one('healthy', 'which version is this', /version\.version$|service\.version$/, /0\.1\.0/),
  one('healthy', 'version of the interface', 'version.interface', /1\.0\.0/),
  one('healthy', 'is it using bpf or procfs', /backend$/, /bpf/),
  one('degraded', 'which probes do not work', /probes/, /proc connector/),
  one('healthy', 'which law is in force', /version\.law$|live\.law$|^law\.version$/),
  one('healthy', "how old is the data you're looking at", /age_ms$|\.ts$/),
  one('healthy', 'what pid does the service have', /forever\.pid$/, /\b900\b/),
  one('healthy', 'why is cupsd allowed to listen', /^law\.listen|allowed$/, /printer/),
  one('healthy', 'which exceptions are in the law', /^law\.except/, /gdb/),
  one('healthy', 'banned ports', /banned|8766/, /8766/),
  one('degraded', 'has any law exception expired?', /improvements|^law/, /old-agent/),
  one('healthy', 'what is the default of loop.recheck_ms', /^keys\[.*loop\.period_ms/, /1000/),
  one('healthy', 'what does listen_poll_ms do', /listen_poll_ms/),
  one('healthy', 'what is shut_down set to', /banned\.shut_down/, /auto/),
  one('healthy', 'which port does the control listener use', /listen\.control|ports\[|listeners\[/, /18772/),
  one('healthy', 'is the themed page on', /themed/, /false|not|off|no\b/i),
  one('healthy', 'which hosts may the desk connect to', /egress/),
  one('healthy', 'how do i set the accent colour of the theme', /theme\.accent/),
  one('degraded', 'is the disk full?', /issues|duties|in_charge/, /ENOSPC|no space/),
];

const about = (list: string, name: string, ...says: RegExp[]) => ({
  grounds: [new RegExp(`^${list}\\[.*${name}`)],
  says,
});

const WORDS: readonly Question[] = [
  one(
    'healthy',
    'what does the name-mismatch check look for',
    about('checks', 'name-mismatch', /another name/),
  ),
  one('healthy', 'how severe is module-views', about('checks', 'module-views', /high/)),
  one('healthy', 'in which tier is clipboard-reader', about('checks', 'clipboard-reader', /\b2\b/)),
  one('healthy', 'when is packet-socket harmless', about('checks', 'packet-socket', /DHCP/)),
  one('healthy', 'was bedeutet memfd-executable?', about('checks', 'memfd-executable', /from memory/)),
  one('healthy', 'que signifie kernel-taint', about('checks', 'kernel-taint', /kernel/)),
  one('healthy', 'which check looks for keyloggers', about('checks', 'clipboard-reader')),
  one('healthy', 'how do I accept a finding', about('commands', 'accept', /desk accept/)),
  one('healthy', 'command to see earlier gate runs', about('commands', 'history', /desk history/)),
  one('healthy', 'what does desk doctor do', about('commands', 'doctor')),
  one('healthy', 'how can i go back to an older generation', about('commands', 'baseline', /desk baseline/)),
  one('healthy', 'how do I open the pages signed in', about('commands', 'open', /desk open/)),
  one('healthy', 'where do I get prometheus metrics', about('endpoints', '/metrics')),
  one('healthy', 'which endpoint gives the process table', about('endpoints', '/h7/processes')),
  one('healthy', 'what is GET /readyz for', about('endpoints', '/readyz')),
  ...(
    [
      ["what's a scar", 'scar'],
      ['explain blind', 'blind'],
      ['was ist eine avenue', 'avenue'],
      ['what does fried mean', 'fried'],
      ['Baphomet?', 'Baphomet'],
      ["what's the egress guard", 'egress guard'],
      ['qué significa cook-off', 'cook-off'],
      ['que veut dire quarantine', 'quarantine'],
      ['define first use', 'first use'],
    ] as const
  ).map(([ask, word]) => one('healthy', ask, [new RegExp(`^words\\[.*${word}`)])),
  one('healthy', 'difference between A and B', [/^words\[word="?A"?\]/, /^words\[word="?B"?\]/]),
  ...each('healthy', ['what does spv_pids measure', 'how is spv_pids counted'], /^(?:fields|words)\[.*spv/),
  one('healthy', 'meaning of public_n', /^fields\[.*public_n/),
];

export const UNSEEN_MORE: readonly Question[] = [
  ...FINDINGS,
  ...GATE_AND_BASELINE,
  ...MAIL_AND_PEOPLE,
  ...VERSION_LIVE_LAW,
  ...WORDS,
];
