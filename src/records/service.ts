/** What the service says about itself: `/version`, `/healthz`, `/readyz`. */
import { z } from 'zod';
import { count, flag, type Given, given, type RecordOf, text, wordsFor } from './define.ts';
import type { DeskState, LoopFacts, ServiceFacts } from './state.ts';

/** Within a major version of the interface changes only add. */
export const INTERFACE_VERSION = '1.0.0';

interface VersionAsked {
  readonly service: Pick<ServiceFacts, 'version' | 'namespacesTrouble'>;
  readonly loop: Pick<LoopFacts, 'sources'>;
  readonly state: DeskState | null;
}

const probe = z.strictObject({
  id: text.describe('the source'),
  works: flag.describe('it answered'),
  reason: text.describe('why not and what would cure it; "" when it works'),
});
const engine = z.strictObject({
  backend: text.describe('sweep backend'),
  backend_reason: text.describe('why it is not bpf; "" when it is'),
  mark: text.describe('CPU mark of the loaded native build'),
  build: text.describe('its file name'),
  workers: count.describe('native workers'),
  reference: text.describe('where the reference namespaces come from: fixed, pid 2, pid 1 or self'),
  reference_capabilities: text.describe(
    'bounding set of that reference, hexadecimal; "" when unread. A process is wrapped compared with these; for one that holds all of them a seccomp filter or mount namespace does not count',
  ),
  probes: z.array(probe).describe('kernel sources the sweep uses'),
});

const asked = wordsFor<VersionAsked>();

export const version = asked.record('Version', 'What runs here', {
  name: asked.constant('hostess-desk', 'name of the package'),
  version: asked.field(text, 'version of the package', ({ service }) => service.version),
  interface: asked.constant(
    INTERFACE_VERSION,
    'version of the interface; within a major version changes only add',
  ),
  law: asked.field(
    text.nullable(),
    'version of the law pack; null before the first sweep',
    ({ state }) => state?.desk.lawVersion ?? null,
  ),
  events: asked.field(
    z.array(probe),
    'event sources of the loop; empty while it does not use events',
    ({ loop }) => loop.sources,
  ),
  sights: asked.field(
    z.array(probe),
    'what the service sees besides the sweep: `other namespaces`, listeners of network namespaces other than its own',
    ({ service: { namespacesTrouble: reason } }) => [
      { id: 'other namespaces', works: reason === '', reason },
    ],
  ),
  engine: asked.field(
    engine.nullable(),
    'the native engine; null before the first sweep',
    ({ state }) => state && { ...state.snapshot.engine, probes: state.snapshot.probes },
  ),
});
export type Version = RecordOf<typeof version>;

const part = z.strictObject({
  ok: flag.describe('the part works'),
  reason: text.describe('"" when it works'),
});

const ready = {
  ready: flag.describe('the engine sweeps, and the loop, where it is on, keeps up'),
  parts: z.record(text, part).describe('the parts by name'),
};
export type Readiness = Given<typeof ready>;
export const readyz = given('Ready', 'Whether the service is ready, part by part', ready);
export type Ready = RecordOf<typeof readyz>;

export const healthz = given('Health', 'The service answers', { ok: z.literal(true).describe('it answers') });
