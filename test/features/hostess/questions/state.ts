/** How the desk is: well or not, its grade, what to do, what changed. */
import { each, one, type Question } from './question.ts';

const WELL = ['status.ok', 'status.grade', 'status.ports_up', 'status.ports_n', 'status.scar_count'];

export const STATE: readonly Question[] = [
  ...each(
    'healthy',
    [
      'Is the desk well?',
      'how are you',
      'How are you?',
      'status',
      'IS EVERYTHING OK',
      'is teh desk helthy?',
      'Wie geht es dir?',
      'Ist der Desk gesund?',
      'Comment ça va ?',
      '¿Está todo bien?',
      'how is the machine doing today',
    ],
    {
      grounds: [...WELL, ['status.ok', true], ['status.grade', 'gold']],
      says: [/well/i],
      suggests: ['desk status'],
    },
  ),
  one('degraded', 'is the desk well', {
    grounds: [...WELL, ['status.ok', false], /^status\.issues\[0\]$/],
    says: [/not well/i, /port 80/],
  }),
  one('degraded', 'what is wrong?', { grounds: [['status.ok', false], /^status\.issues\[0\]$/] }),
  one('degraded', 'Was ist los?', { grounds: [['status.ok', false], /^status\.issues\[0\]$/] }),
  one('hostile', 'ok?', {
    grounds: [
      ['status.ok', false],
      ['status.grade', 'lead'],
    ],
  }),
  one('crowd', 'how is it going', {
    grounds: [['status.ok', false], ['status.grade', 'bronze'], 'status.scar_count'],
  }),
  one('empty', 'is the desk well', { grounds: [['status.ok', true]] }),
  ...each(
    'degraded',
    [
      'why is it not gold?',
      'Why not gold',
      'warum nicht gold',
      'pourquoi pas or ?',
      'why is the grade silver',
    ],
    {
      grounds: [['status.grade', 'silver'], 'status.scar_count', ['charge.ok', false]],
      says: [/silver/],
    },
  ),
  ...each('hostile', ['why lead', 'por qué no es oro'], {
    grounds: [
      ['status.grade', 'lead'],
      ['av.datacenter_port_8766.up', true],
    ],
    says: [/8766/],
  }),
  one('crowd', 'why is the grade bronze and not gold?', {
    grounds: [
      ['status.grade', 'bronze'],
      ['scar.c[severity=critical].length', 1],
    ],
  }),
  one('healthy', 'why is it not gold?', { grounds: [['status.grade', 'gold']], says: [/gold/] }),
  one('healthy', "what's the grade", { grounds: [['status.grade', 'gold']] }),
  one('healthy', 'what is your score?', {
    grounds: ['charge.war_machine.score', 'charge.war_machine.grade'],
  }),
  one('degraded', 'which axis is the worst', {
    grounds: ['charge.war_machine.score', /^charge\.war_machine\.axes\./],
  }),
  ...each(
    'degraded',
    [
      'what should I do now?',
      'what next',
      'Was soll ich jetzt tun?',
      'que dois-je faire maintenant',
      '¿Qué debo hacer ahora?',
      'any improvements?',
    ],
    {
      grounds: [/^status\.issues\[0\]$/, 'charge.improvements'],
    },
  ),
  one('healthy', 'what should i do now', {
    grounds: ['status.issues.length', 'charge.improvements'],
    says: [/nothing/i],
  }),
  ...each('degraded', ['what would cook do?', 'what does a cook-off try now', 'was würde cook tun'], {
    grounds: ['scar.scar_count', 'page.banned.pending.length'],
    suggests: ['desk scar cook check'],
  }),
  one('hostile', 'what would cook do', {
    grounds: [['page.banned.pending.length', 1], 'page.banned.pending[0]'],
  }),
  one('healthy', 'What changed since 14:00?', {
    grounds: [
      ['asked.since', '2026-11-21T14:00:00.000+01:00'],
      'detection.findings[first_seen>=2026-11-21T14:00:00.000+01:00].length',
      ['gate_runs[at>=2026-11-21T14:00:00.000+01:00].length', 2],
      ['finding_events[at>=2026-11-21T14:00:00.000+01:00].length', 2],
      ['generations[learned_at>=2026-11-21T14:00:00.000+01:00].length', 0],
    ],
  }),
  ...each(
    'healthy',
    [
      'what changed since yesterday',
      'was hat sich seit gestern geändert?',
      "qu'est-ce qui a changé depuis hier",
      '¿qué ha cambiado desde ayer?',
    ],
    {
      grounds: [/^asked\.since$/, /^gate_runs\[at>=2026-11-21T/],
    },
  ),
  one('healthy', 'what has changed in the last 10 minutes', {
    grounds: [
      ['asked.since', '2026-11-22T10:20:00.000+01:00'],
      ['gate_runs[at>=2026-11-22T10:20:00.000+01:00].length', 1],
    ],
  }),
  one('healthy', 'anything new since 2026-11-18T00:00:00+01:00?', {
    grounds: [
      ['asked.since', '2026-11-18T00:00:00.000+01:00'],
      ['generations[learned_at>=2026-11-18T00:00:00.000+01:00].length', 1],
      ['gate_runs[at>=2026-11-18T00:00:00.000+01:00].length', 3],
    ],
  }),
  one('degraded', 'what happened 2 hours ago', {
    grounds: [['asked.since', '2026-11-22T08:30:00.000+01:00'], /^detection\.findings\[first_seen>=/],
  }),
  one('degraded', 'what is new today', {
    grounds: [['asked.since', '2026-11-22T00:00:00.000+01:00'], /^detection\.findings\[first_seen>=/],
  }),
  one('healthy', 'what changed', { grounds: [/^asked\.since$/] }),
  one('healthy', 'what are you in charge of', { grounds: ['charge.charge_line'] }),
  one('degraded', 'which duties do not run?', {
    grounds: ['charge.charge_line', /^page\.duties\[name=\w+\]\.reason$/],
  }),
  one('healthy', 'how fast is a recheck', {
    grounds: [
      ['live.recheck_us', 912],
      ['charge.check.recheck_ms', 1],
    ],
  }),
  one('healthy', 'wie schnell ist der recheck', { grounds: [['live.recheck_us', 912]] }),
  one('degraded', 'is the loop running and in which mode', {
    grounds: [['charge.forever.on', true], ['charge.forever.mode', 'poll'], 'page.recheck.event_reason'],
  }),
  one('healthy', 'how hot is it', {
    grounds: [
      ['status.iron.temp_C', 45],
      ['status.iron.THERMO', 3],
    ],
  }),
  one('empty', 'what is the temperature', {
    grounds: [['status.iron.THERMO', 0]],
    says: [/no .*sensor/i],
    refuses: true,
  }),
  one('healthy', 'quelle est la température', { grounds: [['status.iron.temp_C', 45]] }),
  one('healthy', 'which version is this', { grounds: ['version.version', 'version.law'] }),
  one('healthy', 'which backend and mark do you use', {
    grounds: [
      ['version.engine.backend', 'bpf'],
      ['version.engine.mark', 'avx512_mark'],
    ],
  }),
  one('healthy', 'what can you do', { grounds: ['charge.talk.her'], says: [/ask/i] }),
  one('healthy', 'help', { grounds: ['charge.talk.her'] }),
  one('healthy', 'hilfe', { grounds: ['charge.talk.her'] }),
  one('healthy', 'how many cameras and microphones are there', {
    grounds: [
      ['charge.sense.cam_n', 1],
      ['charge.sense.hear_n', 1],
    ],
  }),
  one('healthy', 'who are you', { grounds: ['charge.she'] }),
  one('healthy', 'what time is it?', { grounds: ['live.ts'] }),
  one('healthy', 'is an assistant configured?', {
    grounds: [['charge.system_run.assistant_role', 'consulting teammate, not configured']],
  }),
];
