/**
 * Findings as entries of systemd's journal, with a field for each fact: the native journal protocol
 * (https://systemd.io/JOURNAL_NATIVE_PROTOCOL). Only where the journal takes the log of the service; an entry never waits for it.
 */
import { fstatSync } from 'node:fs';
import type { PrivilegeAddon } from '../engine/native/privilege-types.ts';
import type { Finding } from '../findings/finding.ts';
import type { Severity } from '../policy/severity.ts';
import { titleOf } from '../records/about.ts';
import { techniquesOf } from '../records/techniques.ts';

export const JOURNAL_SOCKET = '/run/systemd/journal/socket';

/** What `journalctl MESSAGE_ID=…` finds. */
export const MESSAGE_IDS = {
  open: 'f9e42572490a4dc1ad55792307f20bbd',
  closed: 'd55676567ced464b8de67e83b4497e3d',
} as const;

/** Levels of syslog(3): critical, error, warning, notice; informational for what is closed. */
const PRIORITIES: Readonly<Record<Severity, number>> = { critical: 2, high: 3, medium: 4, low: 5 };
const CLOSED = 6;

/** Of one field, bytes. All of an entry is then far below what a datagram takes. */
export const MOST_FIELD_BYTES = 4096;
const FIELD = /^[A-Z][A-Z0-9_]{0,63}$/;

type Fields = Readonly<Record<string, string | number>>;

/** One entry as the journal reads it: `NAME=value`, or name, length and bytes where the value has a line break. Pure. */
export function journalEntry(fields: Fields): Buffer {
  const cut: string[] = [];
  const parts = Object.entries(fields).map(([name, value]) => {
    const whole = Buffer.from(String(value));
    if (whole.length > MOST_FIELD_BYTES) cut.push(name);
    return fieldBytes(name, beginningOf(whole));
  });
  if (cut.length > 0) parts.push(fieldBytes('DESK_TRUNCATED', Buffer.from(cut.join(' '))));
  return Buffer.concat(parts);
}

/** Whole characters of at most `MOST_FIELD_BYTES`. */
function beginningOf(bytes: Buffer): Buffer {
  if (bytes.length <= MOST_FIELD_BYTES) return bytes;
  let end = MOST_FIELD_BYTES;
  // Bytes 10xxxxxx continue a character (RFC 3629).
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

function fieldBytes(name: string, value: Buffer): Buffer {
  if (!FIELD.test(name)) throw new TypeError(`${name} is not the name of a journal field`);
  if (!value.includes(0x0a)) return Buffer.concat([Buffer.from(`${name}=`), value, Buffer.from('\n')]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(value.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, value, Buffer.from('\n')]);
}

/** Pure. */
export function fieldsOf(finding: Finding, what: 'open' | 'closed'): Fields {
  const { id, check, avenue, severity, scar, subject, members, evidence, evidenceClass, remedy } = finding;
  const techniques = techniquesOf(check, evidence).join(' ');
  return {
    MESSAGE: `${what === 'open' ? 'Finding opened' : 'Finding closed'}: ${severity} ${check}: ${titleOf(finding)}`,
    PRIORITY: what === 'open' ? PRIORITIES[severity] : CLOSED,
    MESSAGE_ID: MESSAGE_IDS[what],
    SYSLOG_IDENTIFIER: 'desk',
    DESK_EVENT: what === 'open' ? 'opened' : 'closed',
    DESK_FINDING: id,
    DESK_CHECK: check,
    DESK_AVENUE: avenue,
    DESK_SEVERITY: severity,
    DESK_SCAR: scar ? '1' : '0',
    DESK_SUBJECT: subject.kind,
    DESK_COUNT: members.count,
    DESK_FIRST_SEEN: finding.firstSeen,
    ...(evidenceClass !== '' && { DESK_EVIDENCE_CLASS: evidenceClass }),
    ...(techniques !== '' && { DESK_TECHNIQUES: techniques }),
    ...(remedy !== '' && { DESK_REMEDY: remedy }),
    ...(subject.kind === 'process' && { DESK_PID: subject.pid, DESK_EXECUTABLE: subject.executable }),
    ...(subject.kind === 'listener' && { DESK_ADDRESS: subject.address, DESK_PORT: subject.port }),
    ...(subject.kind === 'file' && { DESK_PATH: subject.path }),
  };
}

interface JournalOptions {
  readonly socket: string;
  readonly native: Pick<PrivilegeAddon, 'sendDatagram'>;
  /** Called for the first entry of several that cannot be sent. */
  readonly lost: (code: string) => void;
}

export class Journal {
  readonly #options: JournalOptions;
  #failing = false;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Sent at once or not at all: the history of the finding is in the store. */
  note(finding: Finding, what: 'open' | 'closed'): void {
    const { socket, native, lost } = this.#options;
    const refusal = native.sendDatagram(socket, journalEntry(fieldsOf(finding, what)));
    if (refusal !== null && !this.#failing) lost(refusal.code);
    this.#failing = refusal !== null;
  }
}

/**
 * Null where standard error is not a stream of the journal: `JOURNAL_STREAM` is `DEVICE:INODE` of that stream, and is inherited by
 * programs whose output goes elsewhere (systemd.exec(5)).
 */
export function journalOf(
  env: Readonly<Record<string, string | undefined>>,
  native: Pick<PrivilegeAddon, 'sendDatagram'>,
  lost: (code: string) => void,
  { socket = JOURNAL_SOCKET, fd = 2 }: { readonly socket?: string; readonly fd?: number } = {},
): Journal | null {
  const { JOURNAL_STREAM: stream = '' } = env;
  if (stream === '') return null;
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return stream === `${dev}:${ino}` ? new Journal({ socket, native, lost }) : null;
  } catch {
    return null;
  }
}
