import type { Law } from '../policy/law.ts';
import type { Check } from './check.ts';
import { concernKey, isJudged, lastingConcerns, type Sign, type VitalFacts } from './vitals.ts';

/** Signs that a value of `missing` may hide, by the field's name. */
const HIDDEN: Readonly<Record<string, readonly Sign[]>> = {
  memory: ['memory'],
  cpu_pressure: ['cpu-pressure'],
  memory_pressure: ['memory-pressure'],
  io_pressure: ['io-pressure'],
  temperature: ['temperature'],
  disks: ['disk-space', 'inodes', 'read-only'],
  smart: ['drive'],
  clock: ['clock'],
  uptime: ['clock'],
  failed_units: ['failed-unit'],
  oom_kills: ['oom-kill'],
};

/** Of what is judged; what the machine does not have hides nothing. */
const unreadOf = ({ missing }: VitalFacts, law: Law) =>
  missing.filter(({ what, kind }) => kind === 'unread' && HIDDEN[what]?.some((sign) => isJudged(sign, law)));

/** The machine itself is not well: a full disk, a failed unit, too little memory. This does not indicate an intrusion, so it does not close the gate. */
export const vitalSign: Check = {
  id: 'vital-sign',
  avenue: 'scar',
  severity: 'low',
  tier: 3,
  steady: true,
  techniques: [],
  key: ['sign', 'about'],
  text: {
    about:
      'The machine is short of something or partly broken: space, inodes, memory, a drive, a unit, the clock. The limits are thresholds of the law.',
    benign: 'A machine that is used to its limits on purpose; raise or switch off the threshold.',
    remedy: 'look with desk vitals, and with desk slow for the processes that use most',
  },
  async scan({ scans, law }, report) {
    const readings = await scans.vitals();
    if (readings === null)
      return report.blind({
        reason: 'this build does not read the state of the machine',
        cure: '',
        hides: ({ kind }) => kind === 'host',
      });
    // A concern is in both readings: what one of them lacks is not known.
    const unread = [
      ...new Map(
        readings.flatMap((one) => unreadOf(one, law)).map((one) => [one.what, one] as const),
      ).values(),
    ];
    if (unread.length > 0) {
      const signs = new Set<string>(unread.flatMap(({ what }) => HIDDEN[what] ?? []));
      report.blind({
        reason: `not all of the state of the machine could be read: ${unread.map(({ what, reason }) => `${what} (${reason})`).join(', ')}`,
        cure: 'see it with desk vitals',
        subjects: unread.length,
        hides: (subject) => subject.kind === 'host' && signs.has(subject.name.split(' ')[0] ?? ''),
      });
    }
    const concerns = lastingConcerns(readings, law);
    if (concerns.length === 0) report.pass();
    for (const concern of concerns)
      report.fail({
        subject: { kind: 'host', name: concernKey(concern) },
        summary: concern.summary,
        evidence: { sign: concern.sign, about: concern.about, ...concern.evidence },
        evidenceClass: concern.sign,
      });
  },
};
