/**
 * Questions written by someone who had seen the records and the documents but not the hostess, before any of them was tried.
 * The wording is original; corrected expectations have a comment.
 */
import { each, one, type Question } from './question.ts';

/** A ground whose path ends in one of these, in any record: several records have the same fact. */
const at = (...tails: readonly string[]): RegExp =>
  new RegExp(`(?:^|\\.)(?:${tails.map((tail) => tail.replaceAll('.', '\\.')).join('|')})$`);
/** A row of a list selected by this value, or a field of the row. */
const row = (list: string, by: string | number): RegExp => new RegExp(`^(?:page\\.)?${list}\\[.*${by}`);

const WELL = { grounds: [/^(?:status|live|page\.status)\.(?:ok|grade)$/] };
const FAULTS = { grounds: [/^(?:status|charge)\.(?:issues|ok|grade)/] };
const TEMPERATURE = at('temp_C', 'temp_c');
const CERTIFICATE = /^site\.certificate|^page\.site\.certificate|certificate_days$/;

const STATE: readonly Question[] = [
  ...each(
    'healthy',
    `
    everything ok over there? | any problems right now | give me the short version of how we are doing
    Geht es dem Rechner gut? | Est-ce que tout va bien ? | ¿Está todo bien?`,
    WELL,
  ),
  ...each(
    'degraded',
    ['what the hell is broken', 'was ist kaputt?', '¿qué problemas hay?', 'quels sont les problèmes ?'],
    FAULTS,
  ),
  one('degraded', 'why did we drop to silver', 'status.grade', /silver/),
  one('hostile', 'why are we at lead?', 'status.grade', /lead/, /8766/),
  one('crowd', 'how bad is it? grade please', 'status.grade', /bronze/),
  one('degraded', 'how many desk ports are up', at('ports_up'), /\b4\b/),
  one(
    'degraded',
    'which port is down and why',
    /^(?:page|config)\.ports\[|^status\.issues/,
    /\b80\b/,
    /privilege|EACCES/,
  ),
  one('healthy', 'are all ports up', at('ports_up')),
  one('degraded', "what should be on port 80 but isn't", /ports\[|^status\.issues|^listeners/, /office/i),
  one('healthy', 'what http code does our website give', at('atomic.https', 'site.status'), /\b200\b/),
  one('hostile', 'is the public site up?', at('atomic.https', 'site.status', 'site.ok'), /\b500\b/),
  one(
    'healthy',
    'url of the public site',
    at('atomic.url', 'whole_stick.public_site', 'site.url', 'site.public_url'),
    /https:\/\/desk\.example/,
  ),
  one('healthy', "where's the magazine", /magazine/, /https:\/\/magazine\.example/),
  one('healthy', 'is the magazine reachable', /magazine/),
  one('degraded', 'when does our ssl cert run out', CERTIFICATE, /\b5\b|2026-11-27/),
  one('healthy', 'how many days left on the TLS certificate?', CERTIFICATE, /\b61\b/),
  one('healthy', 'wer hat das zertifikat ausgestellt', 'site.certificate.issuer', /Example Trust/),
  one('healthy', 'quand expire le certificat ?', CERTIFICATE),
  one(
    'degraded',
    'which dns name does not resolve?',
    /site\.names|dns_green|advice|improvements/,
    /mail\.desk\.example/,
  ),
  one('healthy', 'do all our dns names resolve', /site\.names|dns_green/),
  one('healthy', 'when was the site last probed', /site\.probed/),
  one('healthy', 'did the web site have an outage recently?', /^(?:site\.history|query\.rows)/, /503/),
  one(
    'healthy',
    'what is the response time of the website in ms',
    /^(?:site\.(?:ms|history)|query\.rows\[0\]\.ms)/,
    /41\.3/,
  ),
  one(
    'empty',
    'is a public site configured?',
    /site\.(?:configured|public_url|url)$/,
    /not configured|no (?:public )?site|embedded|\bno\b/i,
  ),
];

const IDENTITY_AND_IRON: readonly Question[] = [
  one('healthy', 'what mail address does the desk use', at('identity.address'), /ada@desk\.example/),
  one(
    'healthy',
    'which imap server and port?',
    [at('identity.imap_host'), at('identity.imap_port')],
    /imap\.desk\.example/,
    /993/,
  ),
  one('healthy', 'smtp port', at('identity.smtp_port'), /465/),
  one('healthy', 'who is our mail provider', at('identity.provider'), /Example Post/),
  one('healthy', 'when was the identity last updated', at('identity.updated'), /2026-11-02/),
  one('empty', "what's our smtp host", at('identity.smtp_host')),
  one('healthy', 'webmail link pls', /webmail/, /webmail\.desk\.example/),
  one('healthy', 'how hot is the cpu', TEMPERATURE, /\b45\b/),
  one('degraded', 'wie warm ist die maschine', TEMPERATURE, /\b88\b/),
  one('healthy', 'quelle est la température ?', TEMPERATURE, /\b45\b/),
  // Corrected: without a sensor there is no temperature, and saying so with that ground is correct.
  one('empty', 'how hot is it', { grounds: [at('temp_C', 'temp_c', 'THERMO')], refuses: 'either' }),
  one('healthy', 'how many thermal sensors are there', at('THERMO'), /\b3\b/),
  one('healthy', 'how many TCP connections were opened since boot', at('EZZIE'), /18204/),
  one('healthy', 'number of accepted tcp connections', at('ESSIE'), /3377/),
  one('healthy', 'PHI value?', at('PHI'), /407/),
  one('healthy', 'how many processes have no controlling terminal', at('bgf'), /25/),
  one('crowd', 'value of bgl', at('bgl'), /223/),
  one(
    'crowd',
    'how many processes are not confined',
    /spv_free$|processes\.free$|^processes\[wrap=free\]/,
    /3311/,
  ),
  one('healthy', 'how many cameras are connected', at('cam_n'), /\b1\b|one/i),
  one('healthy', 'how many microphones does this box have', at('hear_n')),
];

const CHARGE: readonly Question[] = [
  one('healthy', 'how many checks passed in the last batch', at('check.pass', 'counts.pass'), /512/),
  one(
    'degraded',
    'how many checks fail right now',
    /check\.fail$|counts\.fail$|findings_open$|findings(?:_total|\.length)$|\.findings$/,
    /\b2\b|two/i,
  ),
  one('crowd', 'how long does a recheck take', /recheck_ms$|recheck_us$|recheck\.(?:last|p50)_us$/),
  one(
    'healthy',
    'is the loop running, and in which mode',
    [at('forever.on'), at('forever.mode', 'loop.mode')],
    /event/,
  ),
  one('degraded', 'which duties are failing?', /in_charge|duties|charge_line/, /mail_people/, /secure_learn/),
  one('degraded', 'why is mail_people not running', /mail_people|duties|mail\.trouble|issues/, /password/),
  one('degraded', 'what could be improved', /improvements$/),
  one('healthy', "what's the war machine score", at('war_machine.score'), /93\.4/),
  one('degraded', 'what war machine grade do we have', at('war_machine.grade'), /\bC\b/),
  one('degraded', 'which axis is weakest', /axes/, /iron_map/),
  one('healthy', 'why is iron_map only 41?', /axes.*iron_map|^page\.axes/, /\b41\b/),
  one('healthy', 'is antivirus ok', /antivirus(?:\.ok)?$/),
  one('degraded', 'which avenues are open', /avenues/, /inject_clip/, /public_listen/),
  one('degraded', 'why is public_listen open', /avenues|notes/, /descriptors|EACCES/),
  one('crowd', 'open score?', at('open_score'), /3426/),
  one('healthy', "is outbound https going anywhere it shouldn't?", /outside_h$|egress\.outside/),
  one('healthy', 'is the assistant configured', /assistant/, /not configured|no\b/i),
  one('healthy', 'how much vocabulary has been learned', /learn\.(?:vocab_|learned_rows)/),
  one('healthy', 'learned rows', at('learn.learned_rows'), /52/),
  one('empty', 'vocab total', at('learn.vocab_total')),
];

const HYGIENE: readonly Question[] = [
  one('healthy', 'is port 8766 closed', /8766|banned/),
  one('hostile', "what's on 8766 ???", /8766/, /6600|up/),
  one('hostile', 'will the virus on port 8766 be shut down?', /banned|8766|shut_down/),
  one('healthy', 'is the orphan timer active', at('live.orphan_timer'), /active/),
  one('degraded', 'any zombies?', /fried/, /\b1\b|one|1802/i),
  one('crowd', 'how many dead processes', /fried/, /\b24\b/),
  one(
    'healthy',
    'which cpu build of the engine is running',
    /engine\.(?:mark|build)$|live\.metal$|service\.mark$/,
    /avx512_mark/,
  ),
  // Corrected: the engines are the workers, according to the field's description.
  one('healthy', 'how many engines', at('live.engines', 'engine.workers'), /\b2\b/),
  // Corrected: live.updates is about the baseline; no record reports updates of the desk.
  one('healthy', 'does the desk update itself?', { refuses: true }),
];

const PROCESSES: readonly Question[] = [
  one('healthy', 'is cupsd sandboxed', row('processes', '(?:cupsd|533)'), /wrapped|seccomp/),
  one('healthy', 'what is pid 640', row('processes', 640), /postgres/),
  one('healthy', 'was ist prozess 1502', row('processes', 1502), /vim/),
  one('healthy', 'qui est le parent du processus 611', /^processes\[pid=61[01]\]/, /\b610\b/),
  one('healthy', 'how many chromium processes are running', row('processes', 'chromium'), /\b5\b|five/i),
  one('healthy', 'how many threads does pid 1310 have', /^processes\[.*1310.*threads$/, /\b24\b/),
  one('healthy', 'since when is nginx running', /^processes\[.*(?:nginx|61[01]).*start$/),
  one('healthy', 'which user runs postgres', /^processes\[.*(?:postgres|640).*uid$/, /\b105\b/),
  one('degraded', 'is backup-agent wrapped, and who started it', [
    /^processes\[.*(?:backup-agent|1730).*wrap$/,
    /^processes\[.*(?:backup-agent|1730).*ppid$/,
  ]),
  one('degraded', "what's wrong with process 1730", /finding|1730/, /deleted/),
  one('healthy', 'is chromum running?', {
    query: ['processes where comm = "chromum"', /^No\b/, /Did you mean chromium \(5\)\?/],
  }),
  one('healthy', 'is ngnix up', row('processes', '(?:nginx|61[01])'), /nginx/),
  one('healthy', 'what runs from /usr/bin/vim', row('processes', '(?:vim|1502)'), /1502/),
  one('crowd', 'how many processes belong to root', /^processes\[uid="?0"?\]/),
  one('crowd', 'tell me about pid 10009', row('processes', 10009), /worker-3/),
  one('crowd', 'processes in total?', /pids$|processes(?:\.all|\.length)?$/, /4970|5000/),
  one('healthy', 'what processes does uid 33 run', row('processes', 33), /nginx|611/),
  one('healthy', 'Welche Prozesse sind nicht eingesperrt?', /spv_free$|processes\.free$|wrap=/),
  one('healthy', 'share of confined processes', /PHI$|wrapped$|figure$/, /40\.7/),
  one(
    'healthy',
    'processes 640 and 1502: what are they?',
    [row('processes', 640), row('processes', 1502)],
    /postgres/,
    /vim/,
  ),
  one('healthy', 'is sshd or cupsd wrapped', [
    row('processes', '(?:sshd|520)'),
    row('processes', '(?:cupsd|533)'),
  ]),
  one('degraded', 'php-fpm state?', row('processes', '(?:php-fpm|1802)'), /fried|dead|zombie|\bZ\b/i),
];

const LISTENERS: readonly Question[] = [
  one(
    'healthy',
    "what's listening on 631 and is that ok",
    [row('listeners', 631), /^law\.listen|allowed$|why$/],
    /cupsd/,
  ),
  one('healthy', 'who has port 443 open', row('listeners', 443), /nginx/),
  one('healthy', 'who is on 22 and 443', [row('listeners', 22), row('listeners', 443)], /sshd/, /nginx/),
  one(
    'healthy',
    'which ports are reachable from outside?',
    /^listeners\[|public_listen$|public_n$/,
    /\b22\b/,
    /\b443\b/,
  ),
  one('crowd', 'how many listeners are there', /listeners|public_listen|bgl/, /\b(?:300|223|75)\b/),
  one('hostile', 'is 4442 allowed?', /4442|listeners|finding/, /\b(?:not|never|no|nothing)\b/i),
  one('healthy', 'what ports does node listen on', /^listeners\[/, /18770/, /18772/),
  one('healthy', 'wer lauscht auf port 53?', row('listeners', 53), /systemd-resolved/),
  one('healthy', 'qui écoute sur le port 80 ?', row('listeners', 80), /node/),
  one('healthy', '¿quién escucha en el puerto 18772?', row('listeners', 18772), /node/),
  one('healthy', 'is udp port 53 in use', row('listeners', 53), /udp/i),
  one('crowd', 'which program holds 20003', row('listeners', 20003), /worker/),
];

export const UNSEEN: readonly Question[] = [
  ...STATE,
  ...IDENTITY_AND_IRON,
  ...CHARGE,
  ...HYGIENE,
  ...PROCESSES,
  ...LISTENERS,
];
