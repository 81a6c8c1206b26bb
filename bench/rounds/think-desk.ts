/**
 * `PORT`: the HTTP layer with the hostess over a desk of 5,000 processes and 1,000 findings, whose state is renewed every second as by
 * an idle loop. The rate limit of POST is disabled: only the work is measured.
 */
import pino from 'pino';
import { SITE } from '../../src/desk/site-seen.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { BASELINE } from '../../src/features/baseline/api.ts';
import { GATE } from '../../src/features/gate/api.ts';
import { HISTORY } from '../../src/features/history/api.ts';
import { provideHostess } from '../../src/features/hostess/desk-hostess.ts';
import { LAW } from '../../src/features/law/api.ts';
import { startListeners } from '../../src/http/listeners.ts';
import type { DeskState } from '../../src/records/state.ts';
import { stageOf } from '../../test/features/hostess/scenes.ts';
import { FakeDesk, loopbackConfig } from '../../test/support/fake-desk.ts';

const [port = ''] = process.argv.slice(2);
const { parts } = stageOf('crowd');

class CrowdedDesk extends FakeDesk {
  #now: DeskState = parts.state;

  override latest(): DeskState {
    return this.#now;
  }

  override async state(): Promise<DeskState> {
    return this.#now;
  }

  override allowSources(): ReturnType<FakeDesk['allowSources']> {
    return parts.allowSources();
  }

  override finding(id: string): ReturnType<FakeDesk['finding']> {
    return parts.finding(id);
  }

  renew(): void {
    const { snapshot } = this.#now;
    const at = { ...snapshot.at, epochMs: snapshot.at.epochMs + 1000 };
    this.#now = { ...this.#now, snapshot: { ...snapshot, at } };
  }
}

const plain = loopbackConfig();
const off = { ...plain.listen.office, enabled: false };
const desk = new CrowdedDesk({
  ...plain,
  listen: {
    control: { ...plain.listen.control, port: Number(port) },
    office: off,
    public: off,
    themed: off,
    remote: plain.listen.remote,
  },
});
desk.provide(HISTORY, { ...desk.use(HISTORY), events: parts.findingEvents });
desk.provide(SITE, { seen: async () => parts.site(), known: parts.site });
desk.provide(LAW, { ...desk.use(LAW), current: () => parts.law });
desk.provide(GATE, { ...desk.use(GATE), runs: parts.gateRuns });
desk.provide(BASELINE, {
  ...desk.use(BASELINE),
  differenceAt: (state) => ({ state, ...parts.difference() }),
});
provideHostess(desk);
await startListeners(desk, {
  log: pino({ level: 'silent' }),
  tokens: { control: '', mail: '' },
  sockets: { ...loadNative().addon, peerUid: () => process.geteuid?.() ?? 0 },
  postLimit: { burst: 1e9, perSecond: 1e9 },
});
setInterval(() => desk.renew(), 1000).unref();
// Ends with the process that started it.
process.stdin.on('end', () => process.exit()).resume();
