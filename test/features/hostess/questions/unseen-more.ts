/** More of the unseen questions: findings, gate, baseline, mail, law, and the words of the desk. */
import { each, one, type Question } from './question.ts';

const GONE = /^finding_events|^findings\/a{16}/;

const FINDINGS: readonly Question[] = [
  one('crowd', 'how many findings are open', {
    grounds: [/findings|check\.fail$|counts\.fail$/],
    says: [/\b1000\b/],
  }),
  one('crowd', 'most severe finding', { grounds: [/findings/], says: [/10000|render-0/] }),
  one('degraded', 'list the findings', { grounds: [/findings/], says: [/1730|backup-agent/, /learning/i] }),
  one('degraded', 'tell me about finding {finding:deleted-executable}', {
    grounds: [/findings/],
    says: [/backup-agent/],
  }),
  one('degraded', 'when was {finding:deleted-executable} first seen', {
    grounds: [/findings.*first_seen$|history/],
    says: [/08:10|09:10/],
  }),
  one('degraded', 'could the deleted executable be harmless?', {
    grounds: [/benign$/],
    says: [/upgraded|container/],
  }),
  one('degraded', 'what do i do about process 1730', {
    grounds: [/remedy$|improvements$/],
    says: [/stop it|look at/],
  }),
  one('hostile', 'what critical findings do we have', {
    grounds: [/findings/],
    says: [/8766/, /preload/],
  }),
  one('healthy', 'any findings?', {
    grounds: [/findings|check\.fail$|counts\.fail$/],
    says: [/\b(?:no|none|nothing|0)\b/i],
  }),
  one('hostile', 'is anything in ld.so.preload', { grounds: [/findings/], says: [/preload/] }),
  one('degraded', 'what can you not see', { grounds: [/notes|blind/] }),
  one('degraded', 'what would cure the ownerless-socket blindness', {
    grounds: [/notes|improvements/],
    says: [/CAP_SYS_PTRACE/],
  }),
  one('healthy', 'what is excused and why', { grounds: [/excused/], says: [/compiles code while it runs/] }),
  one('crowd', 'how many memfd-executable findings', { grounds: [/findings|checks/], says: [/\b200\b/] }),
  one('crowd', 'how many high severity findings are there', { grounds: [/findings/], says: [/\b200\b/] }),
  one('healthy', 'what happened since 7 am', { grounds: [GONE], says: [/1502/] }),
  one('healthy', 'what changed in the last 30 minutes', {
    grounds: [/^finding_events|^gate_runs|^site\.history|^generations/],
    says: [/\b(?:nothing|no|none)\b/i],
  }),
  one('healthy', 'hat sich seit gestern etwas geändert?', { grounds: [GONE], says: [/1502/] }),
  one('healthy', 'which findings were closed today', { grounds: [GONE], says: [/1502|traced/] }),
  one('healthy', 'is anything being traced at the moment?', { grounds: [/findings|checks/] }),
];

const GATE_AND_BASELINE: readonly Question[] = [
  one('degraded', 'does the scar gate pass', {
    grounds: [/scar\.gate$|gate\.state$/],
    says: [/fail|not|closed/],
  }),
  one('degraded', 'which findings are in C right now', {
    grounds: [/scar\.c\b|gate\.c\b/],
    says: [/backup-agent|1730|870ba7aca404ee64/],
  }),
  one('healthy', 'value of GOD', { grounds: [/scar\.god$|gate\.god$/], says: [/\b1\b/] }),
  one('healthy', 'when did the gate last run', { grounds: [/scar\.last|gate\.last|^gate_runs/] }),
  one('healthy', 'when did the gate last fail', { grounds: [/^gate_runs/], says: [/07:30|06:30/] }),
  one('degraded', 'what would cooking change?', { grounds: [/scar|findings/] }),
  one('crowd', 'how many scars', { grounds: [/scar_count$/], says: [/605/] }),
  one('degraded', 'which step of the last gate run failed', {
    grounds: [/last\.steps/],
    says: [/scar-check|scar check|gate/],
  }),
  one('hostile', 'why is the gate closed', { grounds: [/scar|gate/], says: [/\b23\b/] }),
  one('healthy', 'which generation of the baseline is held', {
    grounds: [/a\.generation$|gate\.a$|adjoin$|^generations|ADJOIN$/],
    says: [/\b7\b/],
  }),
  one('healthy', 'when was the baseline learned', {
    grounds: [/learned(?:_at)?$|^generations/],
    says: [/2026-11-19/],
  }),
  one('degraded', 'what is new compared with the baseline', {
    grounds: [/^baseline_diff\.added/],
    says: [/backup-agent/],
  }),
  one('degraded', 'is a learning window open? until when', {
    grounds: [/window_open$|findings|until$/],
    says: [/open/],
  }),
  one('degraded', 'can I learn now?', {
    grounds: [/baseline_diff\.learn|in_charge\.secure_learn|duties|scar|gate/],
  }),
  one('empty', 'have we learned anything yet', {
    grounds: [/generation|learn/],
    says: [/\b(?:nothing|no|not|0)\b/i],
  }),
  one('healthy', 'list the baseline generations', { grounds: [/^generations/], says: [/\b7\b/, /\b6\b/] }),
  one('degraded', 'how many items of the baseline are to review', {
    grounds: [/to_review$/],
    says: [/\b4\b/],
  }),
];

const MAIL_AND_PEOPLE: readonly Question[] = [
  one('healthy', 'is the mail password set', { grounds: [/pass_set$/] }),
  one('degraded', 'is the mail client running', { grounds: [/claws_up$/], says: [/\bnot?\b|false/i] }),
  one('degraded', "what's wrong with mail", {
    grounds: [/mail\.trouble|mail\.sources|mail_people|duties/],
    says: [/password/],
  }),
  one('degraded', 'how far is the maildir import', {
    grounds: [/^(?:page\.)?mail\.sources/],
    says: [/\b120\b/, /4210/],
  }),
  // Corrected: without the token nothing is told about people, their number included.
  one('healthy', 'how many people are in the ledger', { refuses: true, says: [/token/] }),
  one('healthy', 'how many messages were read from imap', { grounds: [/mail\.sources/], says: [/\b512\b/] }),
  one('empty', 'is mail set up', { grounds: [/mail\.configured$|mail\.pass_set$/], says: [/\bnot?\b/i] }),
  one('healthy', 'where does the ledger get exported to', {
    grounds: [/ledger\.export$|depth_json$/],
    says: [/people\.json/],
  }),
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
  one('healthy', 'which version is this', {
    grounds: [/version\.version$|service\.version$/],
    says: [/0\.1\.0/],
  }),
  one('healthy', 'version of the interface', { grounds: ['version.interface'], says: [/1\.0\.0/] }),
  one('healthy', 'is it using bpf or procfs', { grounds: [/backend$/], says: [/bpf/] }),
  one('degraded', 'which probes do not work', { grounds: [/probes/], says: [/proc connector/] }),
  one('healthy', 'which law is in force', { grounds: [/version\.law$|live\.law$|^law\.version$/] }),
  one('healthy', "how old is the data you're looking at", { grounds: [/age_ms$|\.ts$/] }),
  one('healthy', 'what pid does the service have', { grounds: [/forever\.pid$/], says: [/\b900\b/] }),
  one('healthy', 'why is cupsd allowed to listen', { grounds: [/^law\.listen|allowed$/], says: [/printer/] }),
  one('healthy', 'which exceptions are in the law', { grounds: [/^law\.except/], says: [/gdb/] }),
  one('healthy', 'banned ports', { grounds: [/banned|8766/], says: [/8766/] }),
  one('degraded', 'has any law exception expired?', { grounds: [/improvements|^law/], says: [/old-agent/] }),
  one('healthy', 'what is the default of loop.recheck_ms', {
    grounds: [/^keys\[.*loop\.period_ms/],
    says: [/1000/],
  }),
  one('healthy', 'what does listen_poll_ms do', { grounds: [/listen_poll_ms/] }),
  one('healthy', 'what is shut_down set to', { grounds: [/banned\.shut_down/], says: [/auto/] }),
  one('healthy', 'which port does the control listener use', {
    grounds: [/listen\.control|ports\[|listeners\[/],
    says: [/18772/],
  }),
  one('healthy', 'is the themed page on', { grounds: [/themed/], says: [/false|not|off|no\b/i] }),
  one('healthy', 'which hosts may the desk connect to', { grounds: [/egress/] }),
  one('healthy', 'how do i set the accent colour of the theme', { grounds: [/theme\.accent/] }),
  one('degraded', 'is the disk full?', { grounds: [/issues|duties|in_charge/], says: [/ENOSPC|no space/] }),
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
  ).map(([ask, word]) => one('healthy', ask, { grounds: [new RegExp(`^words\\[.*${word}`)] })),
  one('healthy', 'difference between A and B', { grounds: [/^words\[word="?A"?\]/, /^words\[word="?B"?\]/] }),
  ...each('healthy', ['what does spv_pids measure', 'how is spv_pids counted'], {
    grounds: [/^(?:fields|words)\[.*spv/],
  }),
  one('healthy', 'meaning of public_n', { grounds: [/^fields\[.*public_n/] }),
];

export const UNSEEN_MORE: readonly Question[] = [
  ...FINDINGS,
  ...GATE_AND_BASELINE,
  ...MAIL_AND_PEOPLE,
  ...VERSION_LIVE_LAW,
  ...WORDS,
];
