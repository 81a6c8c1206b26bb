/** What handlers work with: the desk, what the service adds to it, and what is known of a call. */
import type { Logger } from 'pino';
import type { Live } from '../records/live.ts';
import type { OpenPeople } from '../records/people.ts';
import type { ProcessDetail, Relative } from '../records/process-detail.ts';
import type { UptimePage } from '../records/sites.ts';
import type { DeskState } from '../records/state.ts';
import type { Desk } from './desk.ts';
import type { AnyOperation } from './operation.ts';
import type { PublicToken } from './token.ts';

/** `control` may do everything, `people` may only read the mail ledger. */
export type Grant = 'control' | 'people';

export interface Asset {
  readonly type: string;
  readonly raw: Buffer;
  /** Compressed forms, made when they are first asked for. */
  readonly gzip: () => Buffer;
  readonly br: () => Buffer;
}

export interface Text {
  readonly text: string;
  readonly type: string;
}

/** Who calls, for what takes longer than an answer usually does. */
export interface Caller {
  /** What the limits count by: a user of this machine, or one name for all callers that cannot be distinguished. */
  readonly name: string;
  /** Aborted when the connection of the call closes. Listened to from its first use. */
  left(): AbortSignal;
}

export interface Call {
  /** What the token of the call grants; null without one. */
  readonly grant: Grant | null;
  readonly wantsStream: boolean;
  readonly lastEventId: string | undefined;
  readonly caller: Caller;
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined;
}

/** A record that is a function of one state, made and serialized once for each state and key; each time without a key. */
export class OfState<R> {
  constructor(
    readonly state: DeskState,
    readonly key: string | null,
    readonly make: () => R,
    /** The answer has an `ETag`. */
    readonly tagged = false,
  ) {}
}

/** An answer that the transport writes as events. */
export class Streamed {
  constructor(readonly start: (response: import('node:http').ServerResponse) => void) {}
}

/** An answer that may be kept for a short time, by anyone between; it has an `ETag`. */
export class Cached<R> {
  constructor(
    readonly answer: R,
    readonly seconds: number,
  ) {}
}

/** A page that says that what was asked for is not there: status 404. */
export class NotThere {
  constructor(readonly page: string) {}
}

/** A slot for one question to the assistant. */
export interface ConsultTurn {
  /** Aborted when the caller leaves or the service stops. */
  readonly signal: AbortSignal;
  end(): void;
}

/** What the public listener may know of the desk. */
export interface ReadableDesk extends Pick<Desk, 'config' | 'latest' | 'state'> {
  use<Api>(token: PublicToken<Api>): Api;
  find<Api>(token: PublicToken<Api>): Api | null;
}

/** What the remote listener may know of the desk. */
export type RemoteDesk = Pick<Desk, 'latest' | 'state' | 'metrics'>;

/** What the service gives handlers of the remote listener. */
interface RemoteService {
  asset(name: string): Asset | undefined;
  remotePage(): string;
  /** What a finding is called there, by its id. */
  shownId(id: string): string;
  /** The events of the desk, as other machines are shown them. */
  followRemote(call: Call): Streamed;
}

/** The pages of a desk, by the name under which the server renders them and the browser takes them over. */
export type PageName = 'office' | 'themed' | 'hostess' | 'startup' | 'diff' | 'process' | 'links' | 'mail';

/** The process that a page is about. */
export interface ProcessAsked {
  readonly pid: number;
  /** Clock ticks after boot; absent: whichever has the pid. */
  readonly start?: string | undefined;
  /** As the service read it; null where it has ended, absent where this tab is to read it. */
  readonly record?: ProcessDetail | null;
  /** Where it has ended: the process that has its pid, null without one. */
  readonly now?: Relative | null;
}

/** What the service gives handlers of the public listener. Refusals are thrown as the transport answers them. */
export interface PublicService {
  /** Counts a search without a token. @throws when there are too many. */
  countSearch(): void;
  asset(name: string): Asset | undefined;
  readonly publicPages: {
    front(): string;
    mail(people: OpenPeople | null): string;
    uptime(shown: UptimePage): string;
  };
}

/** What only a running service has. */
export interface Service extends PublicService {
  readonly log: Logger;
  /** The live view with rates against an earlier state. */
  liveView(state: DeskState): Live;
  follow(call: Call): Streamed;
  /** Events with JSON data; the stream ends with `work`. */
  events(work: (send: (event: string, data: unknown) => void) => Promise<void>): Streamed;
  /** @throws while this caller asks already, or too many do. */
  beginConsult(caller: Caller): ConsultTurn;
  /**
   * Reads a process; who asks for the same one meanwhile gets the same answer. `read` begins at once, and its signal is aborted when all
   * who asked have left. @throws when too many others are being read.
   */
  readProcess(
    process: Pick<Relative, 'pid' | 'start'>,
    caller: Caller,
    read: (signal: AbortSignal) => Promise<ProcessDetail>,
  ): Promise<ProcessDetail>;
  issueCode(): { readonly code: string; readonly seconds: number };
  /** The token for a code or the control token. @throws when it is unknown, used or too old, or this caller has sent too many of these. */
  redeem(code: string, caller: Caller): string;
  /** A page of the newest state; the addresses of further style sheets. */
  page(name: PageName, styles?: readonly string[]): Promise<Buffer>;
  /** The page of a process: what is known of it, or what has its pid now. */
  processPage(asked: ProcessAsked): Promise<string>;
  themeStyle(): Text;
  readonly reference: { page(): string; document(): string };
  /** All that can be asked of it. */
  readonly operations: readonly AnyOperation[];
}

export interface PublicContext {
  readonly desk: ReadableDesk;
  readonly service: PublicService;
}

/** Handlers that only read `desk` serve other listeners too. */
export interface RemoteContext {
  readonly desk: RemoteDesk;
  readonly service: RemoteService;
}

export interface ServiceContext {
  readonly desk: Desk;
  readonly service: Service;
}

/** Without a service the desk is one of this process (`--local`). */
export interface DeskContext {
  readonly desk: Desk;
  readonly service: Service | null;
}

/** Age of the snapshot of a state now, ms. */
export const ageMsOf = ({ snapshot }: DeskState): number => performance.now() - snapshot.at.monotonicMs;

/** The newest state, made when there is none. */
export const newest = async (desk: Pick<Desk, 'latest' | 'state'>): Promise<DeskState> =>
  desk.latest() ?? (await desk.state());

/** A handler that answers with a whole record of the newest state. */
export const wholeRecord =
  <R>(record: { readonly name: string; assemble(state: DeskState): R }, tagged = true) =>
  async ({ desk }: DeskContext): Promise<OfState<R>> => {
    const state = await desk.state();
    return new OfState(state, record.name, () => record.assemble(state), tagged);
  };

/** Columns are overwritten two sweeps later, so they are read from the newest state after the await. */
export async function ofNewest<R>(
  desk: Desk,
  key: string,
  make: (newest: DeskState) => R,
): Promise<OfState<R>> {
  const state = await desk.state();
  const newest = desk.latest() ?? state;
  return new OfState(newest, key, () => make(newest));
}
