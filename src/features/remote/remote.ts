/** Access of other machines: one of it for as long as the service runs, whatever configurations come and go. */
import type { Logger } from 'pino';
import { atMost } from '../../base/promises.ts';
import type { Config } from '../../config/schema.ts';
import type { FeatureHost, Resident, ResidentHost, Running } from '../../desk/feature.ts';
import { REMOTE, type RemoteAccess } from '../../desk/remote.ts';
import { REMOTE_TOKENS } from './api.ts';
import { FindingIds } from './finding-ids.ts';
import { IdentityKeeper } from './identity.ts';
import { RemoteTokens } from './remote-tokens.ts';

/** A start waits this long for files that a helper reads first; the listener tries again by itself. */
const START_MS = 5_000;

export class RemotePart implements Resident<RemotePart> {
  readonly tokens: RemoteTokens;
  readonly ids: FindingIds;
  readonly #identity: IdentityKeeper;
  #config: Config['listen']['remote'] | undefined;

  constructor({ folder, log }: Pick<ResidentHost, 'folder'> & { readonly log: Logger }) {
    this.tokens = new RemoteTokens(folder, log);
    this.ids = new FindingIds(folder, log);
    this.#identity = new IdentityKeeper(folder, log);
  }

  /** With the certificate that this configuration asks for; a broken one leaves the former. */
  accessFor({ listen: { remote } }: Config): RemoteAccess & { refresh(): void; settled(): Promise<void> } {
    const keeper = this.#identity;
    this.#config = remote;
    const first = this.#refresh();
    return {
      settled: () => atMost(first, START_MS),
      idOf: (text) => this.tokens.idOf(text),
      hold: (id, end) => this.tokens.hold(id, end),
      shownId: (id) => this.ids.shown(id),
      identity: () => keeper.identity,
      trouble: () => keeper.trouble,
      refresh: () => {
        this.tokens.refresh();
        this.ids.refresh();
        if (remote.enabled) void keeper.refresh(remote);
      },
    };
  }

  reread(): void {
    void this.#refresh();
  }

  async #refresh(): Promise<void> {
    if (this.#config?.enabled) await this.#identity.refresh(this.#config, { now: true });
  }

  partFor(): RemotePart {
    return this;
  }

  take(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.tokens.close();
    return this.#identity.close();
  }
}

/** For one desk. Without a service there are no other machines. */
export function runRemote(host: FeatureHost, part: RemotePart | undefined): Running {
  if (part === undefined) return {};
  const { tokens, ids } = part;
  const access = part.accessFor(host.config);
  host.provide(REMOTE, access);
  host.provide(REMOTE_TOKENS, { tokens, access });
  return {
    start: () => access.settled(),
    refresh: () => {
      access.refresh();
      return Promise.resolve();
    },
    trouble: () => {
      const of = host.config.listen.remote.enabled ? access.trouble() : null;
      return [tokens.trouble, ids.trouble, of === null ? '' : `${of.what}; ${of.remedy}`]
        .filter((one) => one !== '')
        .join('; ');
    },
  };
}
