/** What the service says about itself: `/version`, `/healthz`, `/readyz`. */
import { z } from 'zod';
import { count, type RecordOf, wordsFor } from './define.ts';
import type { LoopFacts, Moment, ServiceFacts } from './moment.ts';

const text = z.string();
const flag = z.boolean();

/** Within a major version of the interface changes only add. */
export const INTERFACE_VERSION = '1.0.0';

interface VersionAsked {
  readonly service: Pick<ServiceFacts, 'version'>;
  readonly loop: Pick<LoopFacts, 'sources'>;
  /** Null before the first sweep. */
  readonly moment: Moment | null;
}

const probe = z.strictObject({
  id: text.describe('the kernel source'),
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
    'bounding set of that reference, hexadecimal; "" when unread. A process is wrapped compared with these; for one that holds all of them neither a seccomp filter nor a mount namespace counts',
  ),
  probes: z.array(probe).describe('kernel sources the sweep wants'),
});

function engineOf({ moment }: VersionAsked): z.output<typeof engine> | null {
  if (moment === null) return null;
  const { backend, backendReason, mark, build, workers, reference, referenceCapabilities } =
    moment.snapshot.engine;
  const probes = moment.snapshot.probes.map(({ id, works, reason }) => ({ id, works, reason }));
  return {
    backend,
    backend_reason: backendReason,
    mark,
    build,
    workers,
    reference,
    reference_capabilities: referenceCapabilities,
    probes,
  };
}

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
    ({ moment }) => moment?.desk.lawVersion ?? null,
  ),
  events: asked.field(
    z.array(probe),
    'what notifies the loop of changes; empty while it does not ask for events',
    ({ loop }) => [...loop.sources],
  ),
  engine: asked.field(engine.nullable(), 'the native engine; null before the first sweep', engineOf),
});
export type Version = RecordOf<typeof version>;

/** As `Desk.readiness()` tells it. */
interface Readiness {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, { readonly ok: boolean; readonly reason: string }>>;
}

const part = z.strictObject({
  ok: flag.describe('the part works'),
  reason: text.describe('"" when it works'),
});
const readiness = wordsFor<Readiness>();

export const readyz = readiness.record('Ready', 'Whether the service is ready, part by part', {
  ready: readiness.field(
    flag,
    'the engine sweeps, and the loop, where it is on, keeps up',
    ({ ready }) => ready,
  ),
  parts: readiness.field(z.record(text, part), 'the parts by name', ({ parts }) =>
    Object.fromEntries(Object.entries(parts).map(([name, { ok, reason }]) => [name, { ok, reason }])),
  ),
});
export type Ready = RecordOf<typeof readyz>;

const alive = wordsFor<void>();

export const healthz = alive.record('Health', 'The service answers', {
  ok: alive.constant(true, 'it answers'),
});
