/**
 * `PORT`: the HTTP layer with the hostess over a desk of 5,000 processes and 1,000 findings, whose moment is renewed each second as by
 * a resting loop. The limit on POST is lifted: what is measured is the work.
 */
import pino from 'pino';
import { loadNative } from '../../src/engine/native/load.ts';
import { hostessOf } from '../../src/features/hostess/index.ts';
import { startListeners } from '../../src/http/listeners.ts';
import type { Moment } from '../../src/records/moment.ts';
import { stageOf } from '../../test/features/hostess/scenes.ts';
import { FakeDesk, loopbackConfig } from '../../test/support/fake-desk.ts';

const [port = ''] = process.argv.slice(2);
const { parts } = stageOf('crowd');

class CrowdedDesk extends FakeDesk {
  #now: Moment = parts.moment;

  override latest(): Moment {
    return this.#now;
  }

  override async moment(): Promise<Moment> {
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
  },
});
desk.think = hostessOf(desk, {
  tables: {
    gate: { list: parts.gateRuns },
    findings: { events: parts.findingEvents },
    baseline: { generations: () => [] },
  } as never,
  outside: { known: parts.site },
  learning: { differenceAt: (moment) => ({ moment, ...parts.difference() }) },
  book: { law: parts.law },
});
await startListeners(desk, {
  log: pino({ level: 'silent' }),
  tokens: { control: '', mail: '' },
  sockets: { ...loadNative().addon, peerUid: () => process.geteuid?.() ?? 0 },
  postLimit: { burst: 1e9, perSecond: 1e9 },
});
setInterval(() => desk.renew(), 1000).unref();
// Ends with whoever started it, however that ends.
process.stdin.on('end', () => process.exit()).resume();
