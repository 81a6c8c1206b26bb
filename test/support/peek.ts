/** Hand-made facts of processes, and the checks of tier 2 over them. */
import { isPeek, type PeekCheck } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import type { FirstMapping, LoaderValue, PeekFacts } from '../../src/checks/peek-facts.ts';
import type { ProcessSubject } from '../../src/checks/subjects.ts';
import { configSchema } from '../../src/config/schema.ts';
import { isRefusal, type Refusal } from '../../src/engine/native/types.ts';
import { lawOf } from '../../src/features/law/law.ts';

export const PEEK_CHECKS: readonly PeekCheck[] = CHECKS.filter(isPeek);

export const law = lawOf(configSchema.parse({}));

export function processFrom(parts: Partial<ProcessSubject> = {}): ProcessSubject {
  const executable = parts.executable ?? '/usr/bin/quiet';
  return {
    kind: 'process',
    pid: 700,
    start: '700',
    comm: 'quiet',
    executable,
    identity: executable,
    uid: 1000,
    ...parts,
  };
}

const NONE = { total: 0, whole: true, some: [] };
const FIRST: FirstMapping = {
  start: '555555554000',
  bytes: 4096,
  permissions: 'r--p',
  path: '/usr/bin/quiet',
  anonymousCode: false,
  holdsCode: false,
};

/** The text of a variable is its whole value. */
type Environment = Readonly<Record<string, LoaderValue | string>> | Refusal;

const environmentFrom = (environment: Environment): PeekFacts['environment'] =>
  isRefusal(environment)
    ? environment
    : Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          typeof value === 'string' ? { text: value, whole: true } : value,
        ]),
      );

interface FactParts extends Partial<Omit<PeekFacts, 'maps' | 'descriptors' | 'environment'>> {
  readonly environment?: Environment;
  readonly maps?: Partial<Exclude<PeekFacts['maps'], { errno: number }>> | PeekFacts['maps'];
  readonly descriptors?:
    | Partial<Exclude<PeekFacts['descriptors'], { errno: number }>>
    | PeekFacts['descriptors'];
}

/** A quiet process, an hour old, except for the given facts. */
export function factsFrom({
  maps = {},
  descriptors = {},
  environment = {},
  ...parts
}: FactParts = {}): PeekFacts {
  return {
    ageSec: 3600,
    unit: '',
    environment: environmentFrom(environment),
    emptyCommandLine: false,
    image: { device: '8:1', inode: '7', size: 4096, modifiedNs: '1', changedNs: '2' },
    executable: '',
    maps:
      'errno' in maps
        ? maps
        : {
            writableCode: NONE,
            anonymousCode: NONE,
            deletedCode: { ...NONE, replaced: false },
            first: FIRST,
            ...maps,
          },
    descriptors: 'errno' in descriptors ? descriptors : { standardSockets: [], devices: [], ...descriptors },
    ...parts,
  };
}

export const mapping = (path: string, permissions = 'r-xp', start = '7f0000000000', bytes = 0x10_0000) => ({
  start,
  bytes,
  permissions,
  path,
});
export const mappings = <M extends ReturnType<typeof mapping>>(...some: M[]) => ({
  total: some.length,
  whole: true,
  some,
});
