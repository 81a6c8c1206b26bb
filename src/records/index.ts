/** Every record and answer that is a function of a state, and those about the service itself, once, with its schema. */
import { accepted, acceptedList, undone } from './accepted.ts';
import { accounts } from './accounts.ts';
import { alerts, alertTest, quietTime } from './alerts.ts';
import { baselineDiff } from './baseline-diff.ts';
import { chargeReport } from './charge-report.ts';
import type { Described } from './describe.ts';
import { deskHygiene } from './desk-hygiene.ts';
import { deskStatus } from './desk-status.ts';
import { detection } from './detection.ts';
import { diff } from './diff.ts';
import { findingDetail } from './finding-detail.ts';
import { history } from './history.ts';
import { learned, reviewed } from './learned.ts';
import { liveView } from './live.ts';
import { exported, forgotten, mailCheck, mailState, mailTest } from './mail.ts';
import { packages } from './packages.ts';
import { page } from './page.ts';
import { openPeople, people, who } from './people.ts';
import { problem } from './problem.ts';
import { processDetail } from './process-detail.ts';
import { quarantine } from './quarantine.ts';
import { queryAnswer } from './query.ts';
import { remoteToken, remoteTokens, remoteView, widget } from './remote.ts';
import { cook, scar, scarCheck, scarRuns } from './scar.ts';
import { healthz, readyz, version } from './service.ts';
import { session, sessionCode } from './session.ts';
import { site } from './site.ts';
import { sites, uptimePage } from './sites.ts';
import { startup } from './startup.ts';
import { listenerTable, processTable } from './tables.ts';
import { consult, think } from './talk.ts';
import { slow, vitals } from './vitals.ts';

/** A record as documentation shows it. */
export type Listed = Described & { readonly meaning: string };

/** The three records of the interface: functions of a state alone. */
export const RECORDS = [deskStatus, chargeReport, deskHygiene] as const;

/** The other answers: functions of a state and of a query. */
export const ANSWERS = [
  detection,
  findingDetail,
  scar,
  scarCheck,
  scarRuns,
  cook,
  quarantine,
  baselineDiff,
  learned,
  reviewed,
  accepted,
  acceptedList,
  undone,
  liveView,
  page,
  history,
  processTable,
  processDetail,
  listenerTable,
  site,
  sites,
  uptimePage,
  accounts,
  packages,
  diff,
  startup,
  vitals,
  slow,
  queryAnswer,
  alerts,
  alertTest,
  quietTime,
  think,
  consult,
  people,
  openPeople,
  who,
  mailState,
  mailCheck,
  mailTest,
  forgotten,
  exported,
  version,
  readyz,
  healthz,
  sessionCode,
  session,
  widget,
  remoteView,
  remoteTokens,
  remoteToken,
  problem,
] as const;

export const ALL: readonly Listed[] = [...RECORDS, ...ANSWERS];
