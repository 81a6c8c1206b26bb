/**
 * A finding as an event of the Open Cybersecurity Schema Framework: class Detection Finding (2004) of version 1.3.0, with the host
 * profile (https://schema.ocsf.io/1.3.0/classes/detection_finding). Pure.
 */
import type { z } from 'zod';
import type { findingSchema } from './finding.ts';
import { techniquesOf } from './techniques.ts';

type Finding = Readonly<z.output<typeof findingSchema>>;

/** What is the same for all events of one answer. */
interface Origin {
  readonly hostname: string;
  /** Of the desk. */
  readonly version: string;
  /** When the findings were asked for, ms since the epoch. */
  readonly nowMs: number;
}

const CLASS = { uid: 2004, name: 'Detection Finding' };
const CREATE = { id: 1, name: 'Create' };

const SEVERITY = {
  low: { id: 2, name: 'Low' },
  medium: { id: 3, name: 'Medium' },
  high: { id: 4, name: 'High' },
  critical: { id: 5, name: 'Critical' },
} as const;

/** The version of ATT&CK that the ids of the checks are of. */
const ATTACK_VERSION = '17';

/** T1055.008 is a technique with its sub-technique. */
const attackOf = (id: string) => ({
  version: ATTACK_VERSION,
  technique: { uid: id.split('.')[0] as string },
  ...(id.includes('.') && { sub_technique: { uid: id } }),
});

const fileOf = (path: string, typeId: 0 | 1) => ({
  name: path.split('/').at(-1) || path,
  ...{ path, type_id: typeId },
});

/** What it is about, as attributes of an evidence artifact. */
function artifactOf({ subject, about }: Finding) {
  const process = (pid: number, name: string, executable: string, uid: number | null) => ({
    process: {
      ...{ pid, name },
      ...(executable !== '' && { file: fileOf(executable, 1) }),
      ...(uid !== null && { user: { uid: String(uid) } }),
    },
  });
  switch (subject.kind) {
    case 'process':
      return process(subject.pid, subject.comm, subject.executable, subject.uid);
    case 'listener':
      return {
        dst_endpoint: { ip: subject.address, port: subject.port },
        connection_info: { direction_id: 1, direction: 'Inbound', protocol_name: subject.protocol },
        ...(about !== null && process(about.pid, about.name, about.executable, about.uid)),
      };
    case 'file':
      return { file: fileOf(subject.path, 0) };
    default:
      return {};
  }
}

/** An open finding. Its id is `finding_info.uid`; several answers with the same finding are about one. */
export function ocsfEvent(finding: Finding, { hostname, version, nowMs }: Origin) {
  const { id, check, severity, title, summary, evidence, first_seen, last_seen, remedy } = finding;
  const techniques = techniquesOf(check, evidence);
  const firstMs = Date.parse(first_seen);
  return {
    activity_id: CREATE.id,
    activity_name: CREATE.name,
    category_uid: 2,
    category_name: 'Findings',
    class_uid: CLASS.uid,
    class_name: CLASS.name,
    type_uid: CLASS.uid * 100 + CREATE.id,
    type_name: `${CLASS.name}: ${CREATE.name}`,
    time: firstMs,
    severity_id: SEVERITY[severity].id,
    severity: SEVERITY[severity].name,
    status_id: 1,
    status: 'New',
    message: title,
    metadata: {
      version: '1.3.0',
      profiles: ['host'],
      product: { name: 'Hostess Desk', vendor_name: 'Hostess Desk', version },
      logged_time: nowMs,
    },
    device: { hostname, type_id: 0, type: 'Unknown' },
    finding_info: {
      uid: id,
      title: summary,
      types: [check],
      analytic: { uid: check, name: check, type_id: 1, type: 'Rule' },
      created_time: firstMs,
      first_seen_time: firstMs,
      last_seen_time: Date.parse(last_seen),
      ...(techniques.length > 0 && { attacks: techniques.map(attackOf) }),
    },
    is_alert: finding.scar,
    evidences: [{ ...artifactOf(finding), data: evidence }],
    ...(remedy !== '' && { remediation: { desc: remedy } }),
  };
}
