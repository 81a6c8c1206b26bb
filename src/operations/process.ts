/** One process: everything that is known of it, read when it is asked for. */
import { z } from 'zod';
import { DeskError } from '../base/desk-error.ts';
import { allOrFirst } from '../base/promises.ts';
import { DELETED } from '../checks/executables.ts';
import { unknownLinks } from '../checks/startup.ts';
import type { ProcessSubject } from '../checks/subjects.ts';
import type { Call, Service } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import { INSPECTION } from '../desk/inspection.ts';
import { DESK, operation } from '../desk/operation.ts';
import { STARTUP, type Startup } from '../desk/startup.ts';
import { VITALS } from '../desk/vitals.ts';
import type { Host } from '../engine/snapshot.ts';
import { offsetTime } from '../engine/time.ts';
import { titled } from '../records/finding.ts';
import { startOf } from '../records/finding-detail.ts';
import { type ProcessDetail, type Relative, processDetail as record } from '../records/process-detail.ts';
import { livingRow, processFacts, relativeOf } from '../records/process-facts.ts';
import type { DeskState } from '../records/state.ts';
import { showProcess } from './process-show.ts';

/** How long its use of the machine is measured. */
const USES_MS = 300;

export const processAsked = z.strictObject({
  pid: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 22)
    .describe('its pid'),
  start: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional()
    .describe('its start time, clock ticks after boot; without it the process that has the pid now'),
});
type Asked = z.output<typeof processAsked>;

/** The process that was asked for has ended. */
export interface Ended {
  readonly pid: number;
  /** The process that has its pid now; null without one. */
  readonly now: Relative | null;
}

/** A command waits for its own answer to the end. */
const NEVER = new AbortController().signal;

/** Everything that is known of a process now. @throws when the service reads too many others at once */
export async function processNow(
  desk: Desk,
  service: Service | null,
  { pid, start }: Asked,
  { caller }: Call,
): Promise<ProcessDetail | Ended> {
  const asked = await desk.state();
  // Columns are read before the next await.
  const state = desk.latest() ?? asked;
  const now = relativeOf(state.snapshot, pid);
  if (now === null || (start !== undefined && now.start !== start)) return { pid, now };
  const read = (signal: AbortSignal) => detailOf(desk, state, pid, signal);
  return service === null ? read(NEVER) : service.readProcess(now, caller, read);
}

/** Of a process that lives. What has not begun when `signal` is aborted is left out. */
async function detailOf(
  desk: Desk,
  state: DeskState,
  pid: number,
  signal: AbortSignal,
): Promise<ProcessDetail> {
  const { snapshot } = state;
  const row = livingRow(snapshot.processes, pid);
  const { subject, shown, findings, explained } = processFacts(state, desk.allowSources(state), row);
  const found = findings.length > 0;
  const startup = desk.find(STARTUP);
  // Even where one of them fails it is not ended, and counts, until all of them have.
  const [about, uses, owner] = await allOrFirst([
    desk.find(INSPECTION)?.about(snapshot, pid, found, signal) ?? null,
    desk.find(VITALS)?.used(pid, shown.start, USES_MS) ?? null,
    shown.container
      ? 'it runs in a container, whose packages are not read'
      : ownerOf(desk, subject, snapshot.host.fates, signal),
  ] as const);
  const { processes } = (desk.latest() ?? state).snapshot;
  const links =
    startup?.linksOf({ subject, evidence: {}, about }, processes) ?? unknownLinks('startup is not available');
  const { command_lines: allowed } = desk.config.privacy;
  return record.assemble({
    ts: offsetTime(snapshot.at),
    ...shown,
    about,
    command: commandOf(about?.command ?? null, allowed === 'findings' && !found ? 'only-findings' : allowed),
    package: typeof owner === 'string' || owner === null ? '' : `${owner.name} ${owner.version}`.trim(),
    packageReason: typeof owner === 'string' ? owner : '',
    uses: uses && { intervalMs: USES_MS, ...uses },
    findings: findings.map(titled),
    explained,
    returns: links.returns,
    returnsReason: links.reason,
    starts: links.starts.map(startOf),
  });
}

/** The package that has the file of a program; a text says why it is not known. */
function ownerOf(
  desk: Desk,
  { pid, executable }: ProcessSubject,
  fates: Host['fates'],
  signal: AbortSignal,
): ReturnType<Startup['ownerOf']> | string {
  if (executable === '') return 'its executable is not known';
  if (executable.endsWith(DELETED) && fates.get(pid) !== 'own name')
    return 'its file was deleted or replaced: a package may have another one at this path';
  return desk.find(STARTUP)?.ownerOf(executable, signal) ?? 'startup is not available';
}

function commandOf(command: string | null, allowed: string): ProcessDetail['command'] {
  if (command !== null) return 'shown';
  return allowed === 'never' || allowed === 'only-findings' ? allowed : 'unread';
}

export const isEnded = (one: ProcessDetail | Ended): one is Ended => 'now' in one;

export const oneProcess = operation({
  route: 'GET /h7/processes/{pid}',
  roles: DESK,
  summary: 'Everything known about one process, read now',
  input: processAsked,
  answer: record.schema,
  async handle({ desk, service }, asked, call) {
    const known = await processNow(desk, service, asked, call);
    if (!isEnded(known)) return known;
    throw new DeskError(
      'not-found',
      known.now === null
        ? `Process ${known.pid} is not running`
        : `Process ${known.pid} has ended: its pid belongs to another process now`,
      'See /h7/processes, or "desk query processes", for those that run.',
    );
  },
  command: {
    name: 'process',
    arguments: [{ name: 'pid', field: 'pid' }],
    options: [{ flags: '--start <ticks>', field: 'start' }],
    examples: [
      ['desk process 4242', 'everything known of process 4242, with what it uses and what starts it again'],
      ['desk process 4242 --json', 'as data'],
    ],
    print: showProcess,
    isWell: ({ findings }) => findings.length === 0,
  },
});
