/** How the desk is: well or not, its grade, what to do, what changed. */
import { each, one, type Question } from './question.ts';

const WELL = ['status.ok', 'status.grade', 'status.ports_up', 'status.ports_n', 'status.scar_count'];

export const STATE: readonly Question[] = [
  ...each(
    'healthy',
    `
    Is the desk well? | how are you | How are you? | status | IS EVERYTHING OK | is teh desk helthy?
    Wie geht es dir? | Ist der Desk gesund? | Comment ça va ? | ¿Está todo bien?
    how is the machine doing today`,
    {
      grounds: [...WELL, ['status.ok', true], ['status.grade', 'gold']],
      says: [/well|Ordnung|va bien|está bien/i],
      suggests: ['desk status'],
    },
  ),
  one(
    'degraded',
    'is the desk well',
    [...WELL, ['status.ok', false], /^status\.issues\[0\]$/],
    /not well/i,
    /port 80/,
  ),
  ...each(
    'degraded',
    `
    why is the desk not ok? | why is the desk not ok | why not ok? | why is it not ok | what is not ok?
    why is the machine not well`,
    [['status.ok', false], /^status\.issues\[0\]$/],
    /not well/i,
  ),
  one('degraded', 'what is wrong?', [['status.ok', false], /^status\.issues\[0\]$/]),
  one('degraded', 'Was ist los?', [['status.ok', false], /^status\.issues\[0\]$/]),
  one('hostile', 'ok?', [
    ['status.ok', false],
    ['status.grade', 'lead'],
  ]),
  one('crowd', 'how is it going', [['status.ok', false], ['status.grade', 'bronze'], 'status.scar_count']),
  one('empty', 'is the desk well', [['status.ok', true]]),
  ...each(
    'degraded',
    `
    why is it not gold? | Why not gold | warum nicht gold | pourquoi pas or ? | why is the grade silver`,
    [['status.grade', 'silver'], 'status.scar_count', ['charge.ok', false]],
    /silver/,
  ),
  ...each(
    'hostile',
    ['why lead', 'por qué no es oro'],
    [
      ['status.grade', 'lead'],
      ['av.datacenter_port_8766.up', true],
    ],
    /8766/,
  ),
  one('crowd', 'why is the grade bronze and not gold?', [
    ['status.grade', 'bronze'],
    ['scar.c[severity=critical].length', 1],
  ]),
  one('healthy', 'why is it not gold?', [['status.grade', 'gold']], /gold/),
  one('healthy', "what's the grade", [['status.grade', 'gold']]),
  one('healthy', 'what is your score?', ['charge.war_machine.score', 'charge.war_machine.grade']),
  one('degraded', 'which axis is the worst', ['charge.war_machine.score', /^charge\.war_machine\.axes\./]),
  ...each(
    'degraded',
    `
    what should I do now? | what next | Was soll ich jetzt tun? | que dois-je faire maintenant
    ¿Qué debo hacer ahora? | any improvements?`,
    [/^status\.issues\[0\]$/, 'charge.improvements'],
  ),
  one('healthy', 'what should i do now', ['status.issues.length', 'charge.improvements'], /nothing/i),
  ...each('degraded', ['what would cook do?', 'what does a cook-off try now', 'was würde cook tun'], {
    grounds: ['scar.scar_count', 'page.banned.pending.length'],
    suggests: ['desk scar cook check'],
  }),
  one('hostile', 'what would cook do', [['page.banned.pending.length', 1], 'page.banned.pending[0]']),
  one('healthy', 'What changed since 14:00?', [
    ['asked.since', '2026-11-21T14:00:00.000+01:00'],
    'detection.findings[first_seen>=2026-11-21T14:00:00.000+01:00].length',
    ['gate_runs[at>=2026-11-21T14:00:00.000+01:00].length', 2],
    ['finding_events[at>=2026-11-21T14:00:00.000+01:00].length', 2],
    ['generations[learned_at>=2026-11-21T14:00:00.000+01:00].length', 0],
  ]),
  ...each(
    'healthy',
    `
    what changed since yesterday | was hat sich seit gestern geändert?
    qu'est-ce qui a changé depuis hier | ¿qué ha cambiado desde ayer?`,
    [/^asked\.since$/, /^gate_runs\[at>=2026-11-21T/],
  ),
  one('healthy', 'what has changed in the last 10 minutes', [
    ['asked.since', '2026-11-22T10:20:00.000+01:00'],
    ['gate_runs[at>=2026-11-22T10:20:00.000+01:00].length', 1],
  ]),
  one('healthy', 'anything new since 2026-11-18T00:00:00+01:00?', [
    ['asked.since', '2026-11-18T00:00:00.000+01:00'],
    ['generations[learned_at>=2026-11-18T00:00:00.000+01:00].length', 1],
    ['gate_runs[at>=2026-11-18T00:00:00.000+01:00].length', 3],
  ]),
  one('degraded', 'what happened 2 hours ago', [
    ['asked.since', '2026-11-22T08:30:00.000+01:00'],
    /^detection\.findings\[first_seen>=/,
  ]),
  one('degraded', 'what is new today', [
    ['asked.since', '2026-11-22T00:00:00.000+01:00'],
    /^detection\.findings\[first_seen>=/,
  ]),
  one('healthy', 'what changed', /^asked\.since$/),
  one('healthy', 'what are you in charge of', 'charge.charge_line'),
  one('degraded', 'which duties do not run?', ['charge.charge_line', /^page\.duties\[name=\w+\]\.reason$/]),
  one('healthy', 'how fast is a recheck', [
    ['live.recheck_us', 912],
    ['charge.check.recheck_ms', 1],
  ]),
  one('healthy', 'wie schnell ist der recheck', [['live.recheck_us', 912]]),
  one('degraded', 'is the loop running and in which mode', [
    ['charge.forever.on', true],
    ['charge.forever.mode', 'poll'],
    'page.recheck.event_reason',
  ]),
  one('healthy', 'how hot is it', [
    ['status.iron.temp_C', 45],
    ['status.iron.THERMO', 3],
  ]),
  one('empty', 'what is the temperature', {
    grounds: [['status.iron.THERMO', 0]],
    says: [/no .*sensor/i],
    refuses: true,
  }),
  one('healthy', 'quelle est la température', [['status.iron.temp_C', 45]]),
  one('healthy', 'which version is this', ['version.version', 'version.law']),
  one('healthy', 'which backend and mark do you use', [
    ['version.engine.backend', 'bpf'],
    ['version.engine.mark', 'avx512_mark'],
  ]),
  one('healthy', 'what can you do', 'charge.talk.her', /ask/i),
  one('healthy', 'help', 'charge.talk.her'),
  one('healthy', 'hilfe', 'charge.talk.her'),
  one('healthy', 'how many cameras and microphones are there', [
    ['charge.sense.cam_n', 1],
    ['charge.sense.hear_n', 1],
  ]),
  one('healthy', 'who are you', 'charge.she'),
  one('healthy', 'what time is it?', 'live.ts'),
  one('healthy', 'is an assistant configured?', [
    ['charge.system_run.assistant_role', 'consulting teammate, not configured'],
  ]),
];
