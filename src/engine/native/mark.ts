/** Which CPU build of the addon to load: decided before it is loaded, since a wrong one dies by SIGILL. */
import { readFileSync } from 'node:fs';
import type { Mark } from './types.ts';

const MARKS: readonly Mark[] = ['x86_64', 'aarch64', 'avx512_mark'];

/**
 * CPU flags of /proc/cpuinfo that x86-64-v4 asks for, levels 2 and 3 included (x86-64 psABI, table "Micro-Architecture
 * Levels"). `abm` is LZCNT, `pni` is SSE3; the kernel lists a flag only when the system supports it too.
 */
const X86_64_V4 = [
  ...['cx16', 'lahf_lm', 'popcnt', 'pni', 'sse4_1', 'sse4_2', 'ssse3'],
  ...['avx', 'avx2', 'bmi1', 'bmi2', 'f16c', 'fma', 'abm', 'movbe', 'xsave'],
  ...['avx512f', 'avx512bw', 'avx512cd', 'avx512dq', 'avx512vl'],
];

/** The marks a CPU runs, best first. `cpuinfo`: text of /proc/cpuinfo, "" when unreadable: the baseline alone. */
export function marksOf(arch: string, cpuinfo: string): readonly Mark[] {
  if (arch === 'arm64') return ['aarch64'];
  if (arch !== 'x64') return [];
  const flags = new Set(/^flags\s*:(.*)$/m.exec(cpuinfo)?.[1]?.trim().split(/\s+/) ?? []);
  return X86_64_V4.every((flag) => flags.has(flag)) ? ['avx512_mark', 'x86_64'] : ['x86_64'];
}

export function runnableMarks(): readonly Mark[] {
  let cpuinfo = '';
  try {
    cpuinfo = readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    // Without it nothing beyond the baseline is proven.
  }
  return marksOf(process.arch, cpuinfo);
}

/** The mark to load: the one asked for (`DESK_MARK`), else the best. Throws when it is unknown or cannot run here: no silent fallback. */
export function chooseMark(
  requested: string | undefined = process.env.DESK_MARK,
  runnable: readonly Mark[] = runnableMarks(),
): Mark {
  const best = runnable[0];
  if (best === undefined)
    throw new Error(
      `No native build exists for the architecture ${process.arch}: x86_64 and aarch64 are supported.`,
    );
  if (requested === undefined || requested === '') return best;
  const mark = MARKS.find((known) => known === requested);
  const remedy = `Set it to ${runnable.join(' or ')}, or unset it for the best one.`;
  if (mark === undefined) throw new Error(`DESK_MARK=${requested} is not a mark. ${remedy}`);
  if (!runnable.includes(mark)) throw new Error(`DESK_MARK=${mark} cannot run on this CPU. ${remedy}`);
  return mark;
}
