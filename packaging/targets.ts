/** What packages of compiled code are made for. */
import { packageName } from '../src/base/compiled.ts';

export interface Target {
  /** As in the names of packages, e.g. `x64-glibc`. */
  readonly name: string;
  /** Fields `cpu` and `libc` of package.json. */
  readonly cpu: 'x64' | 'arm64';
  readonly libc: 'glibc' | 'musl';
  /** The target of Zig; for glibc with the oldest version that it runs on, that of RHEL 8 and Debian 10. */
  readonly zig: string;
  /** The package of libsql's compiled code. */
  readonly libsql: string;
}

/** Node 20 itself needs as much. */
export const OLDEST_GLIBC = '2.28';

export const TARGETS: readonly Target[] = (['x64', 'arm64'] as const).flatMap((cpu) =>
  (['glibc', 'musl'] as const).map((libc) => ({
    name: `${cpu}-${libc}`,
    cpu,
    libc,
    zig: `${cpu === 'x64' ? 'x86_64' : 'aarch64'}-linux-${libc === 'glibc' ? `gnu.${OLDEST_GLIBC}` : 'musl'}`,
    libsql: `@libsql/linux-${cpu}-${libc === 'glibc' ? 'gnu' : 'musl'}`,
  })),
);

export const packageOf = ({ cpu, libc }: Pick<Target, 'cpu' | 'libc'>): string => packageName(cpu, libc);

/** The compiled files of a target: the addon for each instruction set, and the programs. */
export const filesOf = ({ cpu }: Pick<Target, 'cpu'>): readonly string[] => [
  ...(cpu === 'x64' ? ['desk_x86_64.node', 'desk_avx512_mark.node'] : ['desk_aarch64.node']),
  'desk-peek',
  'desk-start',
];
