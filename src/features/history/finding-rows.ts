/** Findings as rows. */
import type { Finding, ProcessAbout } from '../../findings/finding.ts';
import type { Database } from '../../store/database.ts';
import type { FindingAbout } from './finding-history.ts';

/** Subject, members, evidence and about are JSON. */
export interface FindingRow
  extends Pick<Finding, 'id' | 'check' | 'avenue' | 'severity' | 'summary' | 'benign' | 'remedy'> {
  readonly state: 'open' | 'closed';
  readonly subject: string;
  readonly members: string;
  readonly evidence: string;
  readonly scar: number;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly evidence_class: string;
  /** Null while it is not known. */
  readonly about: string | null;
}

/** Rows of earlier versions have neither. */
const UNKNOWN_ORIGIN: Pick<ProcessAbout, 'ancestors' | 'unit'> = { ancestors: [], unit: '' };

export const findingOf = ({
  id,
  check,
  avenue,
  severity,
  summary,
  benign,
  remedy,
  ...row
}: FindingRow): Finding => ({
  id,
  check,
  avenue,
  severity,
  subject: JSON.parse(row.subject),
  members: JSON.parse(row.members),
  summary,
  evidence: JSON.parse(row.evidence),
  about: row.about === null ? null : { ...UNKNOWN_ORIGIN, ...JSON.parse(row.about) },
  evidenceClass: row.evidence_class,
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
  benign,
  remedy,
  scar: row.scar === 1,
});

/**
 * Writes a finding over what the table holds of it, all but the time it was first seen, and returns the state it had there,
 * null when it is new. `changed` numbers the writes, so that the oldest can be found; `serviceSec` is the service time of this one.
 */
export function saveFinding(
  database: Database,
  finding: Finding,
  state: FindingRow['state'],
  serviceSec: number,
): FindingRow['state'] | null {
  const before = database.first('SELECT state FROM findings WHERE id = ?', finding.id)?.[0];
  database.run(
    `INSERT INTO findings (id, state, "check", avenue, severity, subject, summary, evidence, benign, remedy, scar,
       first_seen, last_seen, evidence_class, changed, first_changed, changed_sec, members, about)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
       (SELECT coalesce(max(changed), 0) + 1 FROM findings), (SELECT coalesce(max(changed), 0) + 1 FROM findings), ?15, ?16, ?17)
     ON CONFLICT (id) DO UPDATE SET state = ?2, avenue = ?4, severity = ?5, subject = ?6, summary = ?7, evidence = ?8,
       benign = ?9, remedy = ?10, scar = ?11, last_seen = ?13, evidence_class = ?14, changed = excluded.changed, changed_sec = ?15, members = ?16,
       about = coalesce(?17, about)`,
    finding.id,
    state,
    finding.check,
    finding.avenue,
    finding.severity,
    JSON.stringify(finding.subject),
    finding.summary,
    JSON.stringify(finding.evidence),
    finding.benign,
    finding.remedy,
    finding.scar ? 1 : 0,
    finding.firstSeen,
    finding.lastSeen,
    finding.evidenceClass,
    serviceSec,
    JSON.stringify(finding.members),
    finding.about === null ? null : JSON.stringify(finding.about),
  );
  return (before as FindingRow['state'] | undefined) ?? null;
}

/** What the table shows of the process of a finding from now on; nothing for a finding that is not there. */
export const saveAbout = (database: Database, { finding, about }: FindingAbout): void =>
  database.run('UPDATE findings SET about = ? WHERE id = ?', JSON.stringify(about), finding);
