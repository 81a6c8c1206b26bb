/**
 * The running service: what lives as long as the process (lock, store, tokens) and what a reload makes anew (desk and
 * listeners), started in order and stopped in reverse.
 */
import type { Logger } from 'pino';
import type { LoadedConfig } from './config.ts';
import type { Desk } from './desk.ts';
import { createDesk } from './desk-main.ts';
import { type Listeners, startListeners } from './http/listeners.ts';
import type { NativeAddon } from './native/types.ts';
import { probeEmbedded } from './site/embedded.ts';
import { openStateDir, type StateDir } from './state-dir.ts';
import { openStore, type Store } from './store/store.ts';

export interface ServiceOptions {
  readonly loaded: LoadedConfig;
  /** Path of the state folder; created when missing. */
  readonly folder: string;
  readonly native: NativeAddon;
  readonly log: Logger;
  /** Whether the recheck loop may run. */
  readonly loop: boolean;
}

/** What a configuration gave rise to. */
interface Run {
  readonly loaded: LoadedConfig;
  readonly desk: Desk;
  readonly listeners: Listeners;
}

type Undo = () => void | Promise<void>;

export class Service {
  readonly state: StateDir;
  readonly store: Store;
  readonly #options: ServiceOptions;
  readonly #tokens: { readonly control: string; readonly mail: string };
  readonly #undo: readonly Undo[];
  #run: Run;

  private constructor(
    options: ServiceOptions,
    state: StateDir,
    store: Store,
    tokens: { control: string; mail: string },
    undo: readonly Undo[],
    run: Run,
  ) {
    this.#options = options;
    this.state = state;
    this.store = store;
    this.#tokens = tokens;
    this.#undo = undo;
    this.#run = run;
  }

  /**
   * @throws DeskError when the state folder is unusable, another service holds it, or the control port is taken. What was
   * started by then is stopped again.
   */
  static async start(options: ServiceOptions): Promise<Service> {
    const state = openStateDir(options.folder);
    const undo: Undo[] = [];
    try {
      const lock = state.lock();
      undo.push(() => lock.release());
      const store = openStore(state.path, { recover: true });
      undo.push(() => store.close());
      if (store.recovered) options.log.warn({ set_aside: store.recovered.setAside }, store.recovered.reason);
      const tokens = { control: state.renewToken('control.token'), mail: state.keepToken('mail.token') };
      undo.push(() => state.removeToken('control.token'));
      const run = await startRun(options, options.loaded, state, store, tokens);
      return new Service(options, state, store, tokens, undo, run);
    } catch (error) {
      await undoAll(undo);
      throw error;
    }
  }

  get desk(): Desk {
    return this.#run.desk;
  }

  get configPath(): string | null {
    return this.#run.loaded.path;
  }

  /** Listens and sweeps by another configuration; false when it is the same. A refused one leaves the old in force. */
  async reload(loaded: LoadedConfig): Promise<boolean> {
    const old = this.#run;
    if (JSON.stringify(loaded.config) === JSON.stringify(old.loaded.config)) return false;
    const start = (by: LoadedConfig) => startRun(this.#options, by, this.state, this.store, this.#tokens);
    await stopRun(old);
    try {
      this.#run = await start(loaded);
    } catch (error) {
      this.#run = await start(old.loaded);
      throw error;
    }
    return true;
  }

  /** Drains and closes everything; the first error is thrown after every step was tried. */
  async stop(): Promise<void> {
    await undoAll([...this.#undo, () => stopRun(this.#run)]);
  }
}

async function startRun(
  { native, log, loop }: ServiceOptions,
  loaded: LoadedConfig,
  state: StateDir,
  store: Store,
  tokens: { readonly control: string; readonly mail: string },
): Promise<Run> {
  let started: Listeners | undefined;
  const { host, port } = loaded.config.listen.public;
  const desk = await createDesk({
    config: loaded.config,
    configDate: loaded.date,
    state,
    store,
    log,
    loop,
    role: 'service',
    probeSite: async () => {
      const server = started?.server('public');
      return server ? probeEmbedded(server, `${host}:${port}`) : 0;
    },
  });
  try {
    started = await startListeners(desk, { log, tokens, peerUid: native.peerUid });
    await desk.settle();
    return { loaded, desk, listeners: started };
  } catch (error) {
    await desk.close();
    throw error;
  }
}

async function stopRun({ listeners, desk }: Run): Promise<void> {
  await undoAll([() => desk.close(), () => listeners.stop()]);
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
