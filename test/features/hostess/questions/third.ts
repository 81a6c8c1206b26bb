/** A third set, written from the records and the documents: ten people ask, each in their own words. */
import * as on from './second-grounds.ts';
import { asked, at, corrected } from './second-grounds.ts';

/** Any of these grounds is enough. */
export const either = (...families: readonly RegExp[]): RegExp =>
  new RegExp(families.map(({ source }) => source).join('|'));

const LEARNED_WHEN = either(on.HELD, at('page.gate.learned'), on.LEARNED_OR_FOUND);
const REASONS_OR_GRADE = either(on.REASONS, on.GRADE, on.WELL, on.SCARS);
const FULL = at('status.issues', 'charge.issues', 'page.duties', 'charge.in_charge', 'charge.charge_line');
const DUTIES_AND_ISSUES = either(on.DUTIES, FULL);
const EXPIRED = at('charge.improvements', 'law');
const DAY_OF_LEARNING = /2026-11-19|19 Nov|19\. Nov|Nov(?:ember)? 19|3 days|three days|19\.11/i;
/** What port 80 needs. */
const PRIVILEGE = /EACCES|privilege|CAP_NET_BIND_SERVICE|root/;

const HEALTHY = asked('healthy', [
  // Three in the morning.
  ['pager went off at 3am. is anything actually on fire on this box?', on.WELL_OR_FOUND],
  ['did sshd on 22 make it into the baseline or is it merely tolerated', on.LISTENERS, /baseline/i],
  ['are you the one eating my cpu?', either(on.LOOP, on.RECHECK, on.SCORE)],
  ['when did the web site last hiccup', on.SITE_PAST, /503|0?5:30|5 hours/],
  ['what kind of engine do you look with here, ebpf or plain /proc', on.ENGINE, /bpf/i],
  // Two words.
  ['ports?', on.PORTS_OR_PORT],
  ['cert days', on.CERTIFICATE, /\b61\b|2027-01-22/],
  ['baseline age', LEARNED_WHEN, DAY_OF_LEARNING],
  ['parent 611', on.PROCESS, /\b610\b/],
  ['vim confined?', on.PROCESS, /\bfree\b|\bnot\b|unwrapped|\bno\b/i],
  // A developer with a port conflict.
  ['I want to start my node app on 8080, is somebody sitting there already?', on.PORT],
  ['Error: listen EADDRINUSE: address already in use :::443 - who has got it', on.LISTENERS, /nginx/],
  ['who is bound to 631, and why did no one complain about that', on.LISTENERS, /cups/],
  ['how do I move the control service off port 18772', on.KEYS_OR_PORT, /listen\.control|\[listen/],
  [
    'my script wants json: under which path do I fetch the list of listeners',
    on.COMMANDS_OR_ENDPOINTS,
    /listeners/,
  ],
  // From osquery, htop, lynis.
  ["select * from listening_ports where address = '0.0.0.0';", either(on.PUBLIC, on.LISTENERS)],
  ['show processes with uid 33', on.PROCESS, /nginx|\b611\b/],
  ['number of threads of 1310', on.PROCESS, /\b24\b/],
  ['any zombies, like the Z column of htop', on.FRIED, /\b0\b|\bno\b|\bnone\b|\bnot\b/i],
  [
    'lynis gave me a hardening index of 67, what is the number you would give',
    either(on.SCORE, on.OPEN_SCORE, on.GRADE),
  ],
  // A student who installed it yesterday.
  [
    'I installed this yesterday and it says gold everywhere. What does gold even mean?',
    either(on.WORDS, on.GRADE),
  ],
  ['difference between a note and a finding?', on.WORDS, /\bnote/i],
  ['there is one thing under "Explained", what is it and who explained it', on.EXPLAINED, /chromium/],
  ['what is an avenue', on.WORDS, /famil/i],
  [
    'which command gives me the table of the processes that are not sandboxed',
    on.COMMANDS,
    /desk spv antivirus/,
  ],
  // An auditor.
  [
    'Which exceptions to the rules are in force at present, and for what reason?',
    either(on.LAW, at('detection.excused', 'page.excused')),
  ],
  ['On what authority may the print service keep its socket open?', at('listeners', 'law'), /cups|printer/],
  ['Please give me evidence that the last run of the gate was passed.', on.GATE, /pass/i],
  [
    'How many HTTPS connections leave the desk now, and how many of them are not on the allowlist?',
    on.EGRESS,
  ],
  [
    'Suppose a program opens port 8766: what would you do to it?',
    either(on.VIRUS, on.LAW, on.WORDS, on.KEYS),
  ],
  [
    'How often is the slow look for hidden things done, and where could I change that?',
    on.KEYS,
    /3600|slow|hour/,
  ],
  // A manager.
  ['Can I tell the board that our web site is up?', on.SITE],
  ['Did anything happen this morning that I should know about?', on.PAST],
  // Someone who likes to talk.
  [
    "Hello, me again! I was just having my coffee, and the fan of this old thing is terribly loud today, so I wondered whether it is really running hot or whether I'm imagining it?",
    on.TEMPERATURE,
    /\b45\b/,
  ],
  [
    'I have been reading about people whose webcam was on without them knowing, and it made me nervous to be honest, so could you tell me whether there even is a camera on this machine?',
    on.CAMERA,
    /\b1\b|\bone\b/i,
  ],
  // Elsewhere.
  ['Läuft der Druckdienst, und darf er das überhaupt?', at('listeners', 'law', 'processes'), /cups/],
  ['Wie viele Verbindungen hat der Rechner seit dem Start nach außen aufgebaut?', on.OPENED, /18[.,\s ]?204/],
  ['Wann wurde zuletzt gelernt?', LEARNED_WHEN, DAY_OF_LEARNING],
  ['Est-ce que le site répond en ce moment ?', on.SITE],
  ['Qui occupe le port 22 ?', on.LISTENERS, /sshd/],
  ['¿Qué proceso escucha en el puerto 53?', on.LISTENERS, /resolve/],
]);

const HEALTHY_PEOPLE = asked(
  'healthy',
  [['have I ever had mail from radia@example.org, and who is that', on.WHO, /Radia Perlman/]],
  { granted: true },
);

const DEGRADED = asked('degraded', [
  // Three in the morning.
  ['paged. what broke, short version', either(on.REASONS, on.PORT)],
  ['why is 80 down', on.PORT, PRIVILEGE],
  ['ok and what do i fix first', on.ADVICE],
  [
    'whats up with mail.desk.example',
    either(on.NAMES, at('site', 'charge.improvements')),
    /resolve|ENOTFOUND/i,
  ],
  ['learning says no. reason?', either(on.REFUSAL, on.NOT_LEARNING), /gate|scar|space|ENOSPC/i],
  ['why are you polling and not on events like last week', either(on.LOOP, on.ENGINE), /connector/],
  [
    'what can you not see at the moment and how do I give you eyes',
    on.BLIND,
    /hidepid|PTRACE|EACCES|as root/,
  ],
  // Two words.
  ['disk full?', FULL, /ENOSPC|space/],
  ['imap broken?', on.MAIL, /password/i],
  ['pid 1730', on.PROCESS, /backup-agent/],
  ['defunct 1802', either(on.PROCESS, on.FRIED), /php-fpm|zombie|dead|\bZ\b/i],
  ['running hot?', on.TEMPERATURE, /\b88\b/],
  // The one from osquery, htop and lynis.
  [
    'is there a process whose binary is no longer on disk (on_disk = 0)',
    either(on.FINDING, on.PROCESS),
    /1730|backup-agent/,
  ],
  ['number of blind tests', either(on.BLIND, on.VERDICTS), /\b37\b/],
  // A manager.
  ['Is our web site still reachable for customers although the dashboard is yellow?', on.SITE],
  ['Which part drags our score down to a C?', on.SCORE],
  [
    'Certificate: how long have we got before customers see a warning?',
    on.CERTIFICATE,
    /\b5\b|2026-11-27|five/,
  ],
  ['Why silver and not gold?', REASONS_OR_GRADE],
  // An auditor.
  ['List every program that deviates from the approved baseline.', on.UNLEARNED, /backup-agent/],
  ['Since when has the finding about the deleted executable been open?', on.FINDING, /0[89]:10/],
  ['How many verdicts passed and how many failed in the last batch?', on.VERDICTS, /\b512\b/],
  ['Has any exception of the rule set run out?', EXPIRED, /old-agent/],
  [
    'Is there anything learned that still has to be looked through by a person?',
    on.REVIEW,
    /\b4\b|review|four/i,
  ],
  ['Is a learning window open at present, and until when?', on.WINDOW],
  // A student.
  ['what is this ENOSPC it shouts about and which part stopped because of it', FULL, /learn/],
  ['how do I see everything you know about the finding with the deleted program', on.COMMANDS_OR_FOUND],
  // A developer.
  ['backup-agent shows up as a finding, we upgraded it this morning. can that be harmless?', on.FINDING],
  ['claws up?', on.MAIL_OR_CLIENT],
  // Someone who likes to talk.
  [
    "So my colleague claims that the thing that is supposed to guard us has not been working at all since the disk filled up, but he exaggerates a lot, so tell me, which of your duties run and which don't?",
    DUTIES_AND_ISSUES,
    /learning_security|secure_learn|mail_people/,
  ],
  [
    'And that import of the old mail folder which I started, how far has it got by now?',
    on.MAIL,
    /\b120\b|4[,.]?210/,
  ],
  // Elsewhere.
  ['Warum fällt die Prüfung am Gate durch?', either(on.GATE, on.FINDING, on.REFUSAL)],
  ['Welche Prüfungen sind gerade blind?', on.BLIND],
  ['Wie lange gilt unser Zertifikat noch?', on.CERTIFICATE, /\b5\b|2026-11-27/],
  ['Pourquoi le courrier ne marche plus ?', on.MAIL, /password|passe/i],
  ['Que dois-je faire maintenant ?', on.ADVICE],
  ['¿Por qué está caído el puerto 80?', on.PORT, PRIVILEGE],
]);

const HOSTILE = asked('hostile', [
  ['somebody is on 8766. who', on.VIRUS, /\b6600\b/],
  ['grade lead?? what on earth is that and why do we have it', either(on.GRADE, on.VIRUS, on.WORDS), /8766/],
  ['is there something in ld.so.preload', on.FINDING, /preload/],
  ['am I hacked', on.WELL_OR_FOUND],
  ['Which sockets are open to the whole network that no one has approved?', either(on.PUBLIC, on.FINDING)],
  ['what is pid 6604, it looks like sshd but it smells', on.PROCESS, /\b6604\b/],
  ['scar count', on.SCARS, /\b23\b/],
  ['why does the site answer 500', on.SITE, /\b500\b/],
  ['udp 4443 owner', on.LISTENERS_OR_FOUND, /\b6603\b/],
  ['worst finding', on.FINDING, /8766|preload/],
  ['What should I do first now, before anybody else wakes up?', either(on.ADVICE, on.VIRUS)],
  ['Wer hält den Port 4446?', on.LISTENERS_OR_FOUND, /\b6606\b/],
  ['Combien de constats sont ouverts ?', on.COUNT, /\b34\b/],
  ['¿Qué hay que hacer con el puerto 8766?', either(on.VIRUS_OR_COMMANDS, on.ADVICE, on.LAW)],
]);

const CROWD = asked('crowd', [
  ['how many findings are open in all', on.COUNT, /1[,.]?000/],
  ['total processes', on.PIDS, /4[,.]?970|5[,.]?000/],
  [
    'what portion of them runs without any confinement',
    either(on.FREE, on.WRAPPED),
    /3[,.]?311|1[,.]?659|\b33/,
  ],
  ['what is 10276', on.PROCESS, /java/],
  ['port 20004 taken by?', on.LISTENERS, /php-fpm|\b10132\b/],
  ['How many running programs does the baseline not know?', on.UNLEARNED, /\b130\b|\b200\b/],
  [
    'show me only the critical ones',
    either(on.FINDING, at('status.issues', 'charge.issues')),
    /\b10000\b|render-0/,
  ],
  ['which checks fail most', either(on.FINDING, on.COUNT, at('page.checks', 'charge.antivirus'))],
  ['Z state processes?', on.FRIED, /\b24\b/],
  ['why bronze', REASONS_OR_GRADE, /critical|10000|bronze/i],
  ['memfd-executable, what is that and is it bad', either(on.CHECKS_OR_EXPLAINED, on.FINDING), /memory/i],
  ['is your recheck still quick with that many processes', either(on.RECHECK, on.SCORE)],
  ['number of high severity findings please', either(on.FINDING, on.COUNT), /\b200\b/],
  ['Wie viele Dienste sind von außen erreichbar?', on.PUBLIC, /\b75\b/],
  ['Le processus 10036 est-il confiné ?', either(on.PROCESS, on.WRAPPED), /seccomp|wrapped|java-12/],
]);

const CROWD_PEOPLE = asked('crowd', [['Do you know person-17@example.org?', on.WHO, /Person 17|person-17/]], {
  granted: true,
});

const EMPTY = asked('empty', [
  ['fresh install, it runs. now what?', either(on.ADVICE, on.LEARNED_OR_FOUND), /learn/],
  ['is there a web site configured', either(on.SITE, at('config.site', 'keys'))],
  ['why is there no temperature', on.SENSORS_OR_HEAT],
  ['mail set up already?', on.MAIL],
  ['how do I connect my maildir', either(on.KEYS, on.MAIL, on.WORDS), /sources/],
  ['what have you learned so far', on.LEARNED_OR_FOUND],
  ['has the gate ever run', either(on.RUNS, on.GATE)],
  [
    'I have ollama on this machine, how do I plug it in as an assistant',
    either(on.KEYS, on.ASSISTANT, on.WORDS),
    /base_url/,
  ],
  ['what is 18772 good for', on.KEYS_OR_PORT],
  ['procs', on.PIDS],
  ['why does it not react to events but look every second', on.LOOP, /connector/],
]);

/** Many records list what the hostess can do; saying that it is not a measured fact is correct too. */
const EMPTY_ABLE = corrected('empty', [
  [
    'Was kannst du eigentlich alles?',
    either(on.COMMANDS, on.WORDS, on.DUTIES, at('endpoints', 'charge.talk')),
  ],
]);

export const THIRD = [
  ...HEALTHY,
  ...HEALTHY_PEOPLE,
  ...DEGRADED,
  ...HOSTILE,
  ...CROWD,
  ...CROWD_PEOPLE,
  ...EMPTY,
  ...EMPTY_ABLE,
];
