/** Processes, listeners, connections. */
import { each, one, type Question } from './question.ts';

export const MACHINE: readonly Question[] = [
  ...each(
    'healthy',
    `
    who listens on port 22? | WHO IS LISTENING ON PORT 22 | wer lauscht auf port 22
    qui écoute sur le port 22 ? | ¿quién escucha en el puerto 22? | port 22 | :22
    who lisens on prot 22`,
    [
      ['listeners[port=22].length', 2],
      ['listeners[port=22][0].executable', '/usr/sbin/sshd'],
      ['listeners[port=22][0].pids[0]', 520],
    ],
    /sshd/,
  ),
  one(
    'healthy',
    'who listens on 22 and is it allowed?',
    [
      ['listeners[port=22][0].allowed', 'baseline'],
      ['listeners[port=22][0].executable', '/usr/sbin/sshd'],
    ],
    /baseline/,
  ),
  one('healthy', 'is port 631 allowed', {
    query: ['listeners where port = 631', /^Yes\b/, /allowed, by law/],
  }),
  one('healthy', 'who listens on 18772', [['listeners[port=18772][0].allowed', 'desk']], /desk/),
  one(
    'hostile',
    'who listens on 4443 and is it allowed?',
    [['listeners[port=4443].length', 1]],
    /allowed by nothing/i,
  ),
  one('crowd', 'who listens on 20004 and is it allowed', [
    ['listeners[port=20004].length', 1],
    'listeners[port=20004][0].executable',
  ]),
  ...each(
    'healthy',
    ['who listens on 9999', 'is port 9999 up?', 'qui écoute sur 9999'],
    [['listeners[port=9999].length', 0]],
    /nothing|rien|^Aucun|^None|^No\b/i,
  ),
  one('healthy', 'is 8766 up', [['av.datacenter_port_8766.up', false], 'av.datacenter_port_8766.status']),
  one('hostile', 'who listens on port 8766?', [
    ['av.datacenter_port_8766.up', true],
    'listeners[port=8766][0].pids[0]',
  ]),
  one('hostile', 'is the virus up?', [['av.datacenter_port_8766.up', true]]),
  one('healthy', 'is there a virus', [['av.datacenter_port_8766.up', false]]),
  ...each(
    'degraded',
    ['which ports are up', 'desk ports', 'are the ports up?'],
    [/^(?:status\.ports_up|page\.ports\.length)$/],
    /control|office/,
  ),
  one('degraded', 'which ports are up', ['status.ports_up'], /^4\b/),
  one('degraded', 'are the ports up?', ['status.ports_up', 'status.ports_n'], /^No\b/, /office \(80/),
  one('degraded', 'Welche Ports sind offen?', ['listeners.length'], /^9\b/),
  one('degraded', 'which port is down?', ['page.ports[port=80].port', 'page.ports[port=80].reason'], /^1\b/),
  one('healthy', 'what listens beyond loopback', [
    'listeners[scope=public].length',
    /^listeners\[scope=public\]\[0\]\.port$/,
  ]),
  one('healthy', 'list all listeners', 'listeners.length'),
  one('healthy', 'what does nginx listen on', /^listeners\[executable=\/usr\/sbin\/nginx\]\[0\]\.port$/),
  ...each(
    'healthy',
    `
    what is process 1310 | process 1310? | pid 1310 | was ist prozess 1310
    qu'est-ce que le processus 1310 | ¿qué es el proceso 1310? | what is process 1310 called`,
    [
      ['processes[pid=1310].comm', 'chromium'],
      ['processes[pid=1310].executable', '/usr/lib/chromium/chromium'],
      ['processes[pid=1310].wrap', 'free'],
      ['processes[pid=1310].uid', 1000],
    ],
    /chromium/,
  ),
  ...each(
    'healthy',
    `
    is process 1322 wrapped and how | is 1322 wraped | ist prozess 1322 eingesperrt und wie?
    le processus 1322 est-il confiné ?`,
    [
      ['processes[pid=1322].wrap', 'wrapped'],
      ['processes[pid=1322].by', 'seccomp'],
    ],
    /seccomp/,
  ),
  one('healthy', 'is pid 520 wrapped', [['processes[pid=520].wrap', 'free']], /not wrapped/i),
  one('healthy', 'who started process 1502', [
    ['processes[pid=1502].ppid', 800],
    ['processes[pid=800].comm', 'bash'],
  ]),
  one('healthy', 'when did process 1502 start', [
    ['processes[pid=1502].start', '2026-11-22T10:19:20.000+01:00'],
  ]),
  one(
    'healthy',
    'which processes does user 1000 run',
    [['processes[uid=1000].length', 14], 'processes[uid=1000][0].pid', 'processes[uid=1000][0].comm'],
    /^14\b.*systemd \(pid 700\)/,
  ),
  one('healthy', 'which user runs process 640', [['processes[pid=640].uid', 105]]),
  one('healthy', 'is pid 3 a kernel thread?', [['processes[pid=3].kind', 'kernel']]),
  one('degraded', 'tell me about process 1730', [
    ['processes[pid=1730].comm', 'backup-agent'],
    'detection.findings[id={finding:deleted-executable}].summary',
  ]),
  one('degraded', 'process 1802', [['processes[pid=1802].kind', 'fried']]),
  one('hostile', 'what is process 6600', ['processes[pid=6600].comm', 'processes[pid=6600].executable']),
  one('crowd', 'is process 10000 wrapped', [['processes[pid=10000].kind', 'fried']]),
  one('crowd', 'is process 10009 wrapped and how?', [['processes[pid=10009].wrap', 'wrapped']]),
  ...each(
    'healthy',
    `
    which processes are not wrapped | show me unwrapped processes
    welche prozesse sind nicht eingesperrt | quels processus ne sont pas confinés | unwrapped
    how many processes are unwrapped`,
    {
      query: ['processes where wrap = "free"', /^16\b/],
      grounds: ['status.iron.spv_free', 'charge.antivirus.spv_pids', /^processes\[wrap=free\]\[0\]\.comm$/],
      suggests: ['desk spv antivirus once'],
    },
  ),
  one('crowd', 'how many processes are unwrapped?', ['processes[wrap=free].length'], /^3311\b/),
  one('healthy', 'how many processes are there', ['charge.antivirus.spv_pids', 'processes.length']),
  one('healthy', 'how many are wrapped', ['processes[wrap=wrapped].length'], /^11\b/),
  one('healthy', 'is sshd running', [
    ['processes[comm=sshd].length', 1],
    ['processes[comm=sshd][0].pid', 520],
  ]),
  one('healthy', 'what about chromium', [['processes[comm=chromium].length', 5]]),
  one('healthy', 'is claws-mail up', [['processes[comm=claws-mail].length', 1]]),
  one('healthy', 'CHROMIUM', [['processes[comm=chromium].length', 5]]),
  one('healthy', 'is /usr/sbin/cupsd running', [['processes[executable=/usr/sbin/cupsd].length', 1]]),
  one('healthy', 'is sshd wrapped?', ['processes[comm=sshd][wrap=wrapped].length'], /^No\b/),
  one('degraded', 'are there zombies', [['processes[kind=fried][0].pid', 1802]], /^Yes\b/),
  one('healthy', 'are there zombie processes', [['processes[kind=fried].length', 0]], /^No\b/),
  one('healthy', 'are you wrapped yourself', [['av.live.always_wrap', true]]),
  one('healthy', 'which connections go out', [
    ['detection.egress.desk_https', 1],
    ['detection.egress.outside_h', 0],
  ]),
  one('healthy', 'any egress off the allowlist?', [
    ['detection.egress.outside_h', 0],
    'config.egress.allow.length',
  ]),
  one('healthy', 'welche verbindungen gehen nach draußen', 'detection.egress.desk_https'),
  one('degraded', 'what can you not see', [
    'detection.counts.blind',
    ['detection.notes.length', 2],
    'detection.notes[0].reason',
    'detection.notes[0].cure',
  ]),
  ...each(
    'degraded',
    ['where are you blind?', 'was kannst du nicht sehen', 'que ne vois-tu pas ?', 'que no puedes ver'],
    ['detection.counts.blind', 'detection.notes[0].reason'],
  ),
  one('degraded', 'which probes do not work', [
    ['version.engine.probes[works=false].length', 1],
    'version.engine.probes[works=false][0].id',
  ]),
  one('healthy', 'are you blind', [['detection.notes.length', 0]]),
];
