/** The desk's remedies put together: shutdown, quarantine, the standing order of the law, and the notes of helpers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Finding, Judgement, ProcessAbout } from '../../checks/judgement.ts';
import type { Residue } from '../../checks/residue.ts';
import type { Config } from '../../config-schema.ts';
import { Pool } from '../../engine/pool.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import { type CookOff, onlyThese } from '../../gate/pipeline.ts';
import type { Law } from '../../law/law.ts';
import type { ActAddon } from '../../native/act-types.ts';
import type { NativeAddon } from '../../native/types.ts';
import { now } from '../../now.ts';
import type { Moment, RemedyFacts } from '../../records/moment.ts';
import type { Shutdown } from '../../records/shutdowns.ts';
import type { StateDir } from '../../state-dir.ts';
import type { GuardedStore } from '../../store/guarded.ts';
import { Quarantine } from '../quarantine/quarantine.ts';
import { AttemptLog } from './attempt-log.ts';
import { socketLister } from './endpoint-sockets.ts';
import { HelperNotes } from './helper-notes.ts';
import { HolderSearch } from './holder-search.ts';
import { type CookOffKind, Remedies } from './remedies.ts';
import { StandingOrder } from './standing-order.ts';

/** The worker that looks for holders ends after this long without a search. */
const SEARCH_IDLE_MS = 60_000;
const CLOSE_DEADLINE_MS = 2_000;
/** Banned listeners that are down, as many as the records show. */
const MOST_SHOWN = 50;

interface DeskRemediesParts {
  readonly config: Config;
  readonly state: StateDir;
  /** A line of a finding's history. */
  readonly recordEvent: (finding: string, at: string, event: string) => void;
  /** Who holds the listener of a finding; null when that cannot be told. */
  readonly describe: (finding: Finding) => Promise<ProcessAbout | null>;
  /** What was shut down outlives the process there. */
  readonly kept: Pick<GuardedStore, 'shutdowns' | 'recordShutdown'>;
  readonly native: ActAddon & Pick<NativeAddon, 'openRoot' | 'closeRoot' | 'layout' | 'listSockets' | 'mark'>;
  readonly log: Logger;
  readonly law: () => Law;
  /** A fresh moment. */
  readonly look: () => Promise<Moment>;
  /** Look at the residue again. */
  readonly residueChanged: () => void;
  /** Only a service acts by itself. */
  readonly role: 'service' | 'local';
}

export class DeskRemedies {
  readonly quarantine: Quarantine;
  /** Who starts a process beside this one notes it here. */
  readonly helpers: HelperNotes;
  readonly #parts: DeskRemediesParts;
  readonly #remedies: Remedies;
  readonly #order: StandingOrder;
  readonly #root: number;
  readonly #stopping = new AbortController();
  /** The newest first. */
  #shutDown: readonly Shutdown[];
  /** Looks through the descriptors of all processes, some 50 ms among a thousand: beside the workers of the sweeps, which never wait for it. */
  #searcher: Pool | null = null;

  constructor(parts: DeskRemediesParts) {
    const { config, state, recordEvent, native, law, look, residueChanged, role } = parts;
    const root = native.openRoot('/proc');
    if (typeof root !== 'number') throw new Error(`/proc cannot be opened (${root.code})`);
    const log = (fields: Readonly<Record<string, unknown>>, message: string): void =>
      parts.log.warn(fields, message);
    const clockMs = (): number => performance.now();
    const attempts = new AttemptLog(log, clockMs);
    const searcher = () => {
      this.#searcher ??= new Pool(1, native.mark, { idleMs: SEARCH_IDLE_MS });
      return this.#searcher;
    };
    const search = new HolderSearch({
      look: (inodes) => searcher().run({ kind: 'slow socket holders', root, inodes }),
      hung: () => void this.#closeSearcher(),
    });
    const policy = () => config.banned.shut_down;
    const pause = (ms: number) => delay(ms, undefined, { signal: this.#stopping.signal });
    this.#parts = parts;
    this.#shutDown = parts.kept.shutdowns(MOST_SHOWN);
    this.#root = root;
    this.helpers = new HelperNotes({ folder: state.path, native, root, self: process.pid });
    this.quarantine = new Quarantine({ folder: state.path, native, now });
    this.#remedies = new Remedies({
      shutdown: {
        native,
        self: process.pid,
        law,
        look,
        holders: (inode) => search.of(inode),
        sockets: socketLister(native),
        pause,
        clockMs,
        nowMs: Date.now,
      },
      quarantine: this.quarantine,
      policy,
      record: (finding, event) => recordEvent(finding, now(), event),
      describe: parts.describe,
      shutDown: (shutdown) => this.#keep({ ...shutdown, at: now() }),
      log,
      attempts,
      residueChanged,
    });
    this.#order = new StandingOrder({
      policy,
      law,
      remedies: this.#remedies,
      firstStartMs: role === 'service' ? state.firstStart() : null,
      clockMs,
      log: attempts,
      tried: () => void look().catch(() => undefined),
    });
  }

  /** What ended runs left behind; throws what the state folder refuses. */
  residue(): Residue {
    const { files, orphans } = this.helpers.residue();
    return { files: [...this.#parts.state.residue(), ...files], orphans };
  }

  /** `only`: ids of the findings that it works on; default: all that the kind is for. */
  cookOff(kind: CookOffKind, only?: readonly string[]): CookOff {
    const all = this.#remedies.cookOff(kind);
    return only === undefined ? all : onlyThese(all, new Set(only));
  }

  /** What cook-off says of a run that comes by itself. */
  standingBy(): CookOff {
    return this.#remedies.standingBy();
  }

  /** Told every moment: shuts down by itself what the law says, once those who watch have been told of it. */
  consider(moment: Moment): void {
    if (this.#parts.role === 'service') setImmediate(() => this.#order.consider(moment));
  }

  facts(judgement: Judgement, snapshot: Snapshot): RemedyFacts {
    return { ...this.#order.facts(judgement, snapshot), shutDown: this.#shutDown };
  }

  /** What the store does not take is shown all the same, as long as this process runs. */
  #keep(shutdown: Shutdown): void {
    const { kept } = this.#parts;
    const stored = kept.recordShutdown(shutdown) ? kept.shutdowns(MOST_SHOWN) : [];
    const isThere = stored.some(({ finding, at }) => finding === shutdown.finding && at === shutdown.at);
    this.#shutDown = isThere ? stored : [shutdown, ...this.#shutDown].slice(0, MOST_SHOWN);
  }

  /** Begins nothing any more; an attempt that waits gives up. */
  async stop(): Promise<void> {
    this.#order.stop();
    this.#stopping.abort();
    await this.#remedies.settled();
    await this.#closeSearcher();
    this.helpers.close();
    this.#parts.native.closeRoot(this.#root);
  }

  async #closeSearcher(): Promise<void> {
    const searcher = this.#searcher;
    this.#searcher = null;
    await searcher?.close(CLOSE_DEADLINE_MS);
  }
}
