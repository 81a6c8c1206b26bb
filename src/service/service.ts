/**
 * The running service: what lives as long as the process (lock, store, tokens, listeners) and what a reload replaces
 * (the desk behind them), started in order and stopped in reverse.
 */
import type { Logger } from 'pino';
import type { LoadedConfig } from '../config/load.ts';
import { isLocalOnly, NETWORK_VARIABLE } from '../config/local-only.ts';
import { formerKeys, unusedKeys } from '../config/unused.ts';
import type { Desk } from '../desk/desk.ts';
import type { NativeAddon } from '../engine/native/types.ts';
import type { Place } from '../http/listener.ts';
import { Listeners } from '../http/listeners.ts';
import { bindPort, starterEnd } from '../privileges/child.ts';
import { isHelperUid } from '../privileges/uids.ts';
import type { StateDir } from '../state-folder/state-folder.ts';
import type { Store } from '../store/store.ts';
import { Held } from './degraded-start.ts';
import { urlOf } from './desk-facts.ts';
import type { DeskOptions } from './desk-options.ts';
import { createDesk } from './desk-service.ts';
import { probeEmbedded } from './embedded.ts';
import { Residents } from './features.ts';
import { bindOnceBy, withOfficePort } from './office-port.ts';
import { tablesOf } from './tables.ts';
import { unlistedPlaces } from './unlisted.ts';

interface ServiceOptions {
  readonly loaded: LoadedConfig;
  /** Path of the state folder; created when missing. */
  readonly folder: string;
  readonly native: NativeAddon;
  readonly log: Logger;
  /** As `DeskOptions` has it. */
  readonly noted?: DeskOptions['noted'];
  /** Whether the recheck loop may run. */
  readonly loop: boolean;
  /** Where `law.toml` may be for a configuration; default: nowhere. */
  readonly lawPlaces?: (loaded: LoadedConfig) => readonly string[];
}

/** What a configuration gave rise to. */
interface Run {
  readonly loaded: LoadedConfig;
  /** As `OfficePort`. */
  readonly officeRefusal: string;
  readonly desk: Desk;
}

/** What the start could not do because the disk was full is tried again this often. */
const RETRY_MS = 1_000;

type Undo = () => void | Promise<void>;

export class Service {
  readonly #held: Held;
  readonly #options: ServiceOptions;
  readonly #listeners: Listeners;
  readonly #residents: Residents;
  readonly #undo: readonly Undo[];
  #run: Run;
  /** A reload, or another try at what the start could not do: one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #trying = false;
  #retryFailure = '';

  private constructor(
    options: ServiceOptions,
    held: Held,
    listeners: Listeners,
    residents: Residents,
    undo: readonly Undo[],
    run: Run,
  ) {
    this.#options = options;
    this.#held = held;
    this.#listeners = listeners;
    this.#residents = residents;
    this.#undo = undo;
    this.#run = run;
  }

  /**
   * @throws DeskError when the state folder is unusable, another service holds it, or the control port is taken. What was
   * started by then is stopped again.
   */
  static async start(options: ServiceOptions): Promise<Service> {
    warnOfSettings(options.log, options.loaded);
    const held = new Held(options.folder, options.log);
    const undo: Undo[] = [() => held.release()];
    try {
      const { store, tokens } = held;
      if (store.recovered && store.temporary === '')
        options.log.warn({ set_aside: store.recovered.setAside }, store.recovered.reason);
      const listeners = new Listeners({
        log: options.log,
        tokens,
        sockets: options.native,
        bindPort,
        isHelper: isHelperUid,
      });
      const residents = await Residents.open({ ...options, folder: held.state.path });
      undo.push(() => residents.close());
      const run = await createRun(options, options.loaded, '', held, store, listeners, residents);
      const service = new Service(options, held, listeners, residents, [...undo], run);
      undo.push(() => run.desk.close());
      undo.push(() => listeners.stop());
      await listeners.apply(run.desk);
      await run.desk.settle();
      await residents.take();
      void starterEnd().then((trouble) => service.#startsNothing(trouble));
      if (held.degraded) service.#retry = setInterval(() => void service.#again(), RETRY_MS).unref();
      return service;
    } catch (error) {
      await undoAll(undo);
      throw error;
    }
  }

  get state(): StateDir {
    return this.#held.state;
  }

  get store(): Store {
    return this.#held.store;
  }

  /** Learning by itself is still to come. */
  get firstUse(): boolean {
    return tablesOf(this.store).baseline.state().firstUse;
  }

  get desk(): Desk {
    return this.#run.desk;
  }

  get configPath(): string | null {
    return this.#run.loaded.path;
  }

  /**
   * Sweeps and serves by another configuration, or judges by another law; false when both are the same. The old desk serves until the new one has made
   * its first sweep and its control listener is bound; listeners whose place stays are never let go.
   * @throws DeskError as `start`, and whatever the new desk fails with; the old one and its listeners are untouched then.
   */
  reload(loaded: LoadedConfig): Promise<boolean> {
    return this.#next(async () => {
      const old = this.#run;
      if (JSON.stringify(loaded.config) === JSON.stringify(old.loaded.config)) {
        old.desk.configRefused('');
        this.#residents.reread();
        return old.desk.reloadLaw();
      }
      warnOfSettings(this.#options.log, loaded);
      await this.#replace(loaded, this.#held.store);
      return true;
    });
  }

  /** A configuration could not be taken, `why` in one phrase: an issue of the records until a later one is. */
  refused(why: string): Promise<void> {
    return this.#next(async () => void this.#run.desk.configRefused(why));
  }

  /** One after another, whatever becomes of the one before. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Another desk over another configuration or store takes the place of this one. */
  async #replace(loaded: LoadedConfig, store: Store): Promise<void> {
    const old = this.#run;
    const run = await createRun(
      this.#options,
      loaded,
      old.officeRefusal,
      this.#held,
      store,
      this.#listeners,
      this.#residents,
    );
    let retired: Promise<void>;
    try {
      ({ retired } = await this.#listeners.apply(run.desk));
      old.desk.retire();
    } catch (error) {
      await run.desk.close();
      throw error;
    }
    this.#run = run;
    // The new desk serves already: a recheck that fails is logged and reported by it, and no reason to go back.
    await Promise.allSettled([run.desk.settle(), retired]);
    await old.desk.close();
    await this.#residents.take();
  }

  /** Tries again what the start could not do because the disk was full; with a store in its file another desk is made. */
  async #again(): Promise<void> {
    if (this.#trying) return;
    this.#trying = true;
    const { log } = this.#options;
    try {
      await this.#next(async () => {
        const store = await this.#held.again();
        if (store === null) return;
        if (store !== this.#held.store) {
          const old = this.#run;
          try {
            await this.#replace(this.#run.loaded, store);
          } catch (error) {
            // Once the new desk has taken over, its store stays open, whatever the end of the old desk fails with.
            if (this.#run === old) {
              this.#held.refused(store);
              throw error;
            }
            log.error({ err: error }, 'the desk of the start did not close cleanly');
          }
        }
        this.#held.recovered(store);
        clearInterval(this.#retry);
        log.info('the state folder can be written again: everything is stored from now on');
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== this.#retryFailure) log.error({ err: error }, 'the state folder cannot be taken');
      this.#retryFailure = message;
    } finally {
      this.#trying = false;
    }
  }

  /** Running children go on; the next recheck reports it. */
  #startsNothing(trouble: string): void {
    this.#options.log.error(trouble);
    void this.desk.state({ maxAgeMs: 0 }).catch(() => undefined);
  }

  /** Drains and closes everything; the first error is thrown after every step was tried. */
  async stop(): Promise<void> {
    clearInterval(this.#retry);
    await this.#last;
    this.#run.desk.retire();
    await undoAll([...this.#undo, () => this.#run.desk.close(), () => this.#listeners.stop()]);
  }
}

/** Once per configuration that is taken. */
function warnOfSettings(log: Logger, { config }: LoadedConfig): void {
  for (const { key, message } of [...formerKeys(config), ...unusedKeys(config)])
    log.warn({ key }, `the setting ${key} ${message}`);
  for (const { key, reason } of unlistedPlaces(config))
    log.warn({ key }, `set in the configuration, and not reached: ${reason}`);
  if (process.env[NETWORK_VARIABLE] === 'localhost' && !isLocalOnly(config))
    log.warn(
      'the configuration needs other machines, but the unit lets the service talk to this machine only: run "sudo desk install --yes" again',
    );
}

async function createRun(
  { log, loop, lawPlaces = () => [], noted }: ServiceOptions,
  loaded: LoadedConfig,
  officeRefusal: string,
  { state }: Held,
  store: Store,
  listeners: Listeners,
  residents: Residents,
): Promise<Run> {
  const before = { at: listeners.address('office'), refusal: officeRefusal };
  // A listener of ours that has the port now leaves it with this configuration, or conflicts with the office.
  const bind = async (place: Place): Promise<string> =>
    listeners.isAt(place) ? '' : bindOnceBy(bindPort, place);
  const office = await withOfficePort(loaded.config, before, bind);
  if (office.refusal !== '' && office.refusal !== officeRefusal)
    log.info(
      { port: office.config.listen.office.port, code: office.refusal },
      'the office is not on port 80',
    );
  const desk = await createDesk({
    config: office.config,
    officeRefusal: office.refusal,
    configDate: loaded.date,
    lawPlaces: lawPlaces(loaded),
    state,
    store,
    log,
    ...(noted !== undefined && { noted }),
    loop,
    role: 'service',
    residents: residents.partsFor(office.config),
    probeSite: () => probeSite(listeners),
  });
  return { loaded, officeRefusal: office.refusal, desk };
}

/** Status of the embedded public page; 0 while its listener is not bound: then it cannot be reached. */
async function probeSite(listeners: Listeners): Promise<number> {
  const server = listeners.server('public');
  const at = listeners.address('public');
  if (server === undefined || at === null) return 0;
  return probeEmbedded(server, new URL(urlOf(at.host, at.port)).host);
}

/** Last first; each step is tried whatever the others do, and the first error is thrown at the end. */
async function undoAll(undo: readonly Undo[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of undo.toReversed()) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
