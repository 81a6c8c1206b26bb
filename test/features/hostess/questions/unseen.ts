/**
 * Questions written by somebody who had seen the records and the documents and nothing of the hostess, before she was asked one of
 * them. They stand as they were asked; what of their expectations was corrected is told beside it.
 */
import { each, one, type Question } from './question.ts';

/** A ground whose path ends so, whichever record it is read in: the same fact stands in several. */
const at = (...tails: readonly string[]): RegExp =>
  new RegExp(`(?:^|\\.)(?:${tails.map((tail) => tail.replaceAll('.', '\\.')).join('|')})$`);
/** A row of a list that is found by this, or a field of it. */
const row = (list: string, by: string | number): RegExp => new RegExp(`^(?:page\\.)?${list}\\[.*${by}`);

const WELL = { grounds: [/^(?:status|live|page\.status)\.(?:ok|grade)$/] };
const FAULTS = { grounds: [/^(?:status|charge)\.(?:issues|ok|grade)/] };
const TEMPERATURE = at('temp_C', 'temp_c');
const CERTIFICATE = /^site\.certificate|^page\.site\.certificate|certificate_days$/;

const STATE: readonly Question[] = [
  ...each(
    'healthy',
    [
      'everything ok over there?',
      'any problems right now',
      'give me the short version of how we are doing',
      'Geht es dem Rechner gut?',
      'Est-ce que tout va bien ?',
      '¿Está todo bien?',
    ],
    WELL,
  ),
  ...each(
    'degraded',
    ['what the hell is broken', 'was ist kaputt?', '¿qué problemas hay?', 'quels sont les problèmes ?'],
    FAULTS,
  ),
  one('degraded', 'why did we drop to silver', { grounds: ['status.grade'], says: [/silver/] }),
  one('hostile', 'why are we at lead?', { grounds: ['status.grade'], says: [/lead/, /8766/] }),
  one('crowd', 'how bad is it? grade please', { grounds: ['status.grade'], says: [/bronze/] }),
  one('degraded', 'how many desk ports are up', { grounds: [at('ports_up')], says: [/\b4\b/] }),
  one('degraded', 'which port is down and why', {
    grounds: [/^(?:page|config)\.ports\[|^status\.issues/],
    says: [/\b80\b/, /privilege|EACCES/],
  }),
  one('healthy', 'are all ports up', { grounds: [at('ports_up')] }),
  one('degraded', "what should be on port 80 but isn't", {
    grounds: [/ports\[|^status\.issues|^listeners/],
    says: [/office/i],
  }),
  one('healthy', 'what http code does our website give', {
    grounds: [at('atomic.https', 'site.status')],
    says: [/\b200\b/],
  }),
  one('hostile', 'is the public site up?', {
    grounds: [at('atomic.https', 'site.status', 'site.ok')],
    says: [/\b500\b/],
  }),
  one('healthy', 'url of the public site', {
    grounds: [at('atomic.url', 'whole_stick.public_site', 'site.url', 'site.public_url')],
    says: [/https:\/\/desk\.example/],
  }),
  one('healthy', "where's the magazine", { grounds: [/magazine/], says: [/https:\/\/magazine\.example/] }),
  one('healthy', 'is the magazine reachable', { grounds: [/magazine/] }),
  one('degraded', 'when does our ssl cert run out', { grounds: [CERTIFICATE], says: [/\b5\b|2026-11-27/] }),
  one('healthy', 'how many days left on the TLS certificate?', { grounds: [CERTIFICATE], says: [/\b61\b/] }),
  one('healthy', 'wer hat das zertifikat ausgestellt', {
    grounds: ['site.certificate.issuer'],
    says: [/Example Trust/],
  }),
  one('healthy', 'quand expire le certificat ?', { grounds: [CERTIFICATE] }),
  one('degraded', 'which dns name does not resolve?', {
    grounds: [/site\.names|dns_green|advice|improvements/],
    says: [/mail\.desk\.example/],
  }),
  one('healthy', 'do all our dns names resolve', { grounds: [/site\.names|dns_green/] }),
  one('healthy', 'when was the site last probed', { grounds: [/site\.probed/] }),
  one('healthy', 'did the web site have an outage recently?', { grounds: [/^site\.history/] }),
  one('healthy', 'what is the response time of the website in ms', {
    grounds: [/^site\.(?:ms|history)/],
    says: [/41\.3/],
  }),
  one('empty', 'is a public site configured?', {
    grounds: [/site\.(?:configured|public_url|url)$/],
    says: [/not configured|no (?:public )?site|embedded|\bno\b/i],
  }),
];

const IDENTITY_AND_IRON: readonly Question[] = [
  one('healthy', 'what mail address does the desk use', {
    grounds: [at('identity.address')],
    says: [/ada@desk\.example/],
  }),
  one('healthy', 'which imap server and port?', {
    grounds: [at('identity.imap_host'), at('identity.imap_port')],
    says: [/imap\.desk\.example/, /993/],
  }),
  one('healthy', 'smtp port', { grounds: [at('identity.smtp_port')], says: [/465/] }),
  one('healthy', 'who is our mail provider', { grounds: [at('identity.provider')], says: [/Example Post/] }),
  one('healthy', 'when was the identity last updated', {
    grounds: [at('identity.updated')],
    says: [/2026-11-02/],
  }),
  one('empty', "what's our smtp host", { grounds: [at('identity.smtp_host')] }),
  one('healthy', 'webmail link pls', { grounds: [/webmail/], says: [/webmail\.desk\.example/] }),
  one('healthy', 'how hot is the cpu', { grounds: [TEMPERATURE], says: [/\b45\b/] }),
  one('degraded', 'wie warm ist die maschine', { grounds: [TEMPERATURE], says: [/\b88\b/] }),
  one('healthy', 'quelle est la température ?', { grounds: [TEMPERATURE], says: [/\b45\b/] }),
  // Corrected: with no sensor there is no temperature, and saying so on that ground is right.
  one('empty', 'how hot is it', { grounds: [at('temp_C', 'temp_c', 'THERMO')], refuses: 'either' }),
  one('healthy', 'how many thermal sensors are there', { grounds: [at('THERMO')], says: [/\b3\b/] }),
  one('healthy', 'how many TCP connections were opened since boot', {
    grounds: [at('EZZIE')],
    says: [/18204/],
  }),
  one('healthy', 'number of accepted tcp connections', { grounds: [at('ESSIE')], says: [/3377/] }),
  one('healthy', 'PHI value?', { grounds: [at('PHI')], says: [/407/] }),
  one('healthy', 'how many processes have no controlling terminal', { grounds: [at('bgf')], says: [/25/] }),
  one('crowd', 'value of bgl', { grounds: [at('bgl')], says: [/223/] }),
  one('crowd', 'how many processes are not confined', {
    grounds: [/spv_free$|processes\.free$|^processes\[wrap=free\]/],
    says: [/3311/],
  }),
  one('healthy', 'how many cameras are connected', { grounds: [at('cam_n')], says: [/\b1\b|one/i] }),
  one('healthy', 'how many microphones does this box have', { grounds: [at('hear_n')] }),
];

const CHARGE: readonly Question[] = [
  one('healthy', 'how many checks passed in the last batch', {
    grounds: [at('check.pass', 'counts.pass')],
    says: [/512/],
  }),
  one('degraded', 'how many checks fail right now', {
    grounds: [/check\.fail$|counts\.fail$|findings_open$|findings(?:_total|\.length)$|\.findings$/],
    says: [/\b2\b|two/i],
  }),
  one('crowd', 'how long does a recheck take', {
    grounds: [/recheck_ms$|recheck_us$|recheck\.(?:last|p50)_us$/],
  }),
  one('healthy', 'is the loop running, and in which mode', {
    grounds: [at('forever.on'), at('forever.mode', 'loop.mode')],
    says: [/event/],
  }),
  one('degraded', 'which duties are failing?', {
    grounds: [/in_charge|duties|charge_line/],
    says: [/mail_people/, /secure_learn/],
  }),
  one('degraded', 'why is mail_people not running', {
    grounds: [/mail_people|duties|mail\.trouble|issues/],
    says: [/password/],
  }),
  one('degraded', 'what could be improved', { grounds: [/improvements$/] }),
  one('healthy', "what's the war machine score", { grounds: [at('war_machine.score')], says: [/93\.4/] }),
  one('degraded', 'what war machine grade do we have', {
    grounds: [at('war_machine.grade')],
    says: [/\bC\b/],
  }),
  one('degraded', 'which axis is weakest', { grounds: [/axes/], says: [/iron_map/] }),
  one('healthy', 'why is iron_map only 41?', { grounds: [/axes.*iron_map|^page\.axes/], says: [/\b41\b/] }),
  one('healthy', 'is antivirus ok', { grounds: [/antivirus(?:\.ok)?$/] }),
  one('degraded', 'which avenues are open', { grounds: [/avenues/], says: [/inject_clip/, /public_listen/] }),
  one('degraded', 'why is public_listen open', {
    grounds: [/avenues|notes/],
    says: [/descriptors|EACCES/],
  }),
  one('crowd', 'open score?', { grounds: [at('open_score')], says: [/3426/] }),
  one('healthy', "is outbound https going anywhere it shouldn't?", {
    grounds: [/outside_h$|egress\.outside/],
  }),
  one('healthy', 'is the assistant configured', { grounds: [/assistant/], says: [/not configured|no\b/i] }),
  one('healthy', 'how much vocabulary has been learned', { grounds: [/learn\.(?:vocab_|learned_rows)/] }),
  one('healthy', 'learned rows', { grounds: [at('learn.learned_rows')], says: [/52/] }),
  one('empty', 'vocab total', { grounds: [at('learn.vocab_total')] }),
];

const HYGIENE: readonly Question[] = [
  one('healthy', 'is port 8766 closed', { grounds: [/8766|banned/] }),
  one('hostile', "what's on 8766 ???", { grounds: [/8766/], says: [/6600|up/] }),
  one('hostile', 'will the virus on port 8766 be shut down?', { grounds: [/banned|8766|shut_down/] }),
  one('healthy', 'is the orphan timer active', { grounds: [at('live.orphan_timer')], says: [/active/] }),
  one('degraded', 'any zombies?', { grounds: [/fried/], says: [/\b1\b|one|1802/i] }),
  one('crowd', 'how many dead processes', { grounds: [/fried/], says: [/\b24\b/] }),
  one('healthy', 'which cpu build of the engine is running', {
    grounds: [/engine\.(?:mark|build)$|live\.metal$|service\.mark$/],
    says: [/avx512_mark/],
  }),
  // Corrected: the engines are the workers, by the words of the field.
  one('healthy', 'how many engines', { grounds: [at('live.engines', 'engine.workers')], says: [/\b2\b/] }),
  // Corrected: live.updates is about the baseline; no record tells of updates of the desk.
  one('healthy', 'does the desk update itself?', { refuses: true }),
];

const PROCESSES: readonly Question[] = [
  one('healthy', 'is cupsd sandboxed', {
    grounds: [row('processes', '(?:cupsd|533)')],
    says: [/wrapped|seccomp/],
  }),
  one('healthy', 'what is pid 640', { grounds: [row('processes', 640)], says: [/postgres/] }),
  one('healthy', 'was ist prozess 1502', { grounds: [row('processes', 1502)], says: [/vim/] }),
  one('healthy', 'qui est le parent du processus 611', {
    grounds: [/^processes\[pid=61[01]\]/],
    says: [/\b610\b/],
  }),
  one('healthy', 'how many chromium processes are running', {
    grounds: [row('processes', 'chromium')],
    says: [/\b5\b|five/i],
  }),
  one('healthy', 'how many threads does pid 1310 have', {
    grounds: [/^processes\[.*1310.*threads$/],
    says: [/\b24\b/],
  }),
  one('healthy', 'since when is nginx running', { grounds: [/^processes\[.*(?:nginx|61[01]).*start$/] }),
  one('healthy', 'which user runs postgres', {
    grounds: [/^processes\[.*(?:postgres|640).*uid$/],
    says: [/\b105\b/],
  }),
  one('degraded', 'is backup-agent wrapped, and who started it', {
    grounds: [/^processes\[.*(?:backup-agent|1730).*wrap$/, /^processes\[.*(?:backup-agent|1730).*ppid$/],
  }),
  one('degraded', "what's wrong with process 1730", { grounds: [/finding|1730/], says: [/deleted/] }),
  one('healthy', 'is chromum running?', {
    grounds: [row('processes', '(?:chromium|13\\d\\d)')],
    says: [/chromium/],
  }),
  one('healthy', 'is ngnix up', { grounds: [row('processes', '(?:nginx|61[01])')], says: [/nginx/] }),
  one('healthy', 'what runs from /usr/bin/vim', {
    grounds: [row('processes', '(?:vim|1502)')],
    says: [/1502/],
  }),
  one('crowd', 'how many processes belong to root', { grounds: [/^processes\[uid="?0"?\]/] }),
  one('crowd', 'tell me about pid 10009', { grounds: [row('processes', 10009)], says: [/worker-3/] }),
  one('crowd', 'processes in total?', {
    grounds: [/pids$|processes(?:\.all|\.length)?$/],
    says: [/4970|5000/],
  }),
  one('healthy', 'what processes does uid 33 run', { grounds: [row('processes', 33)], says: [/nginx|611/] }),
  one('healthy', 'Welche Prozesse sind nicht eingesperrt?', {
    grounds: [/spv_free$|processes\.free$|wrap=/],
  }),
  one('healthy', 'share of confined processes', { grounds: [/PHI$|wrapped$/] }),
  one('healthy', 'processes 640 and 1502: what are they?', {
    grounds: [row('processes', 640), row('processes', 1502)],
    says: [/postgres/, /vim/],
  }),
  one('healthy', 'is sshd or cupsd wrapped', {
    grounds: [row('processes', '(?:sshd|520)'), row('processes', '(?:cupsd|533)')],
  }),
  one('degraded', 'php-fpm state?', {
    grounds: [row('processes', '(?:php-fpm|1802)')],
    says: [/fried|dead|zombie|\bZ\b/i],
  }),
];

const LISTENERS: readonly Question[] = [
  one('healthy', "what's listening on 631 and is that ok", {
    grounds: [row('listeners', 631), /^law\.listen|allowed$|why$/],
    says: [/cupsd/],
  }),
  one('healthy', 'who has port 443 open', { grounds: [row('listeners', 443)], says: [/nginx/] }),
  one('healthy', 'who is on 22 and 443', {
    grounds: [row('listeners', 22), row('listeners', 443)],
    says: [/sshd/, /nginx/],
  }),
  one('healthy', 'which ports are reachable from outside?', {
    grounds: [/^listeners\[|public_listen$|public_n$/],
    says: [/\b22\b/, /\b443\b/],
  }),
  one('crowd', 'how many listeners are there', {
    grounds: [/listeners|public_listen|bgl/],
    says: [/\b(?:300|223|75)\b/],
  }),
  one('hostile', 'is 4442 allowed?', {
    grounds: [/4442|listeners|finding/],
    says: [/\b(?:not|never|no|nobody|nothing)\b/i],
  }),
  one('healthy', 'what ports does node listen on', { grounds: [/^listeners\[/], says: [/18770/, /18772/] }),
  one('healthy', 'wer lauscht auf port 53?', { grounds: [row('listeners', 53)], says: [/systemd-resolved/] }),
  one('healthy', 'qui écoute sur le port 80 ?', { grounds: [row('listeners', 80)], says: [/node/] }),
  one('healthy', '¿quién escucha en el puerto 18772?', {
    grounds: [row('listeners', 18772)],
    says: [/node/],
  }),
  one('healthy', 'is udp port 53 in use', { grounds: [row('listeners', 53)], says: [/udp/i] }),
  one('crowd', 'which program holds 20003', { grounds: [row('listeners', 20003)], says: [/worker/] }),
];

export const UNSEEN: readonly Question[] = [
  ...STATE,
  ...IDENTITY_AND_IRON,
  ...CHARGE,
  ...HYGIENE,
  ...PROCESSES,
  ...LISTENERS,
];
