/** What the desk knows beside the snapshot, gathered into the plain facts that records are made from. */
import type { Judgement } from './checks/judgement.ts';
import type { Config } from './config-schema.ts';
import { textOf } from './engine/bytes.ts';
import type { Snapshot } from './engine/snapshot.ts';
import { BANNED_PORT } from './law/law.ts';
import { WRAP_STATE } from './native/types.ts';
import type {
  AssistantFacts,
  BannedFacts,
  DeskFacts,
  Duty,
  ListenerRole,
  MailFacts,
  ServiceListener,
  SiteFacts,
} from './records/moment.ts';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The address a person or a proxy on this machine reaches a listener at, without trailing slash. */
export function urlOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const authority = reached.includes(':') ? `[${reached}]` : reached;
  return port === 80 ? `http://${authority}` : `http://${authority}:${port}`;
}

export function urlsOf(config: Config): DeskFacts['urls'] {
  const of = (role: ListenerRole) => urlOf(config.listen[role].host, config.listen[role].port);
  return {
    control: of('control'),
    office: of('office'),
    themed: of('themed'),
    public: config.site.public_url === '' ? of('public') : config.site.public_url.replace(/\/+$/, ''),
  };
}

/** The embedded public listener is the site unless one is configured; probing a configured one needs the egress guard. */
export function siteFacts(
  config: Config,
  publicUrl: string,
  embeddedStatus: number,
  embedded: ServiceListener,
): SiteFacts {
  const common = {
    url: publicUrl,
    magazineOk: false,
    dnsGreen: 0,
    dnsTotal: config.site.names.length,
    certificateReady: false,
  };
  if (config.site.public_url !== '')
    return {
      ...common,
      configured: true,
      name: new URL(config.site.public_url).hostname,
      status: 0,
      reason:
        'this version has no egress guard and so cannot probe a configured site, leave [site] public_url out until it can',
    };
  const good = embeddedStatus >= 200 && embeddedStatus < 400;
  return {
    ...common,
    configured: false,
    name: 'embedded public page',
    status: embeddedStatus,
    reason: good ? '' : embedded.reason || 'the embedded public listener does not answer',
  };
}

export function mailFacts(config: Config, snapshot: Snapshot, passwordSet: boolean): MailFacts {
  const client = config.mail.client;
  const table = snapshot.processes;
  let clientRunning = false;
  for (let row = 0; client !== '' && row < table.count && !clientRunning; row++) {
    if (table.columns.wrapState[row] === WRAP_STATE.notApplicable) continue;
    const exe = textOf(table.exe(row));
    clientRunning =
      exe === client ||
      exe.endsWith(`/${client}`) ||
      (exe === '' && textOf(table.comm(row)) === client.slice(0, 15));
  }
  // The ledger comes with the mail sources: nothing is collected, so nothing exceeds its cap.
  return { configured: false, passwordSet, clientRunning, finite: true, people: 0, exportPath: '' };
}

/** Holders of the assistant's loopback port; a remote assistant has none here. */
export function assistantFacts(config: Config, snapshot: Snapshot): AssistantFacts {
  if (config.assistant.base_url === '') return { configured: false, pids: 0 };
  const url = new URL(config.assistant.base_url);
  if (!LOOPBACK_HOST.test(url.hostname)) return { configured: true, pids: 0 };
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const pids = snapshot.listeners
    .filter((listener) => listener.protocol === 'tcp' && listener.port === port)
    .flatMap((listener) => listener.holders.map((holder) => holder.pid));
  return { configured: true, pids: new Set(pids).size };
}

export function bannedFacts(snapshot: Snapshot, judgement: Judgement): BannedFacts {
  return {
    up: snapshot.listeners.some((listener) => listener.port === BANNED_PORT),
    dirty: judgement.findings.some(
      ({ check, subject }) =>
        check === 'banned-listener' && subject.kind === 'listener' && subject.port === BANNED_PORT,
    ),
  };
}

/** Weakest thread of our own process is confined. */
export function selfWrapped(snapshot: Snapshot, pid: number): boolean {
  const row = snapshot.processes.rowOf(pid);
  return row >= 0 && snapshot.processes.columns.wrapState[row] === WRAP_STATE.wrapped;
}

const off: Duty = { configured: false, healthy: false, reason: '' };
const on = (healthy: boolean, reason: string): Duty => ({
  configured: true,
  healthy,
  reason: healthy ? '' : reason,
});

/** What the duties rest on beside the snapshot. */
export interface DutyState {
  /** False inside a command, which keeps no timers. */
  readonly service: boolean;
  readonly residueTimer: boolean;
  /** What is wrong with the store, "" when nothing is. */
  readonly storeTrouble: string;
}

/**
 * The duties this version has: sweeping and judging, the residue timer, the store (told as learning_security when it is in
 * trouble), the built-in law. The others are not configured.
 */
export function dutiesOf(snapshot: Snapshot, state: DutyState): DeskFacts['duties'] {
  // A partial view degrades single checks, which say so; only blindness as a whole breaks the duty.
  const blind = snapshot.probes.filter(
    ({ id, works }) =>
      !works && (id === 'sock_diag tcp4' || (id === 'proc' && snapshot.counts.processes === 0)),
  );
  return {
    antivirus: on(blind.length === 0, `the sweep is blind: ${blind.map(({ reason }) => reason).join(', ')}`),
    field_hygiene: state.service ? on(state.residueTimer, 'the residue timer does not run') : off,
    learning_security: state.storeTrouble === '' ? off : on(false, state.storeTrouble),
    secure_learn: off,
    av_close: off,
    field_clear: off,
    trickle_train: off,
    mail_people: off,
    law_pack: on(true, ''),
  };
}
