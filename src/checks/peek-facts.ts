/**
 * What the helper desk-peek reports about one process: from the files that can block their reader (proc_pid_maps(5),
 * proc_pid_environ(5), proc_pid_cmdline(5)) and its descriptors. native/peek/process.cc writes it.
 */
import type { Refusal } from '../engine/native/types.ts';
import { type Image, isImage } from './content.ts';

/** A mapping worth reporting, from one line of `maps`. */
interface Mapping {
  /** Hexadecimal, without 0x. */
  readonly start: string;
  readonly bytes: number;
  /** As in the file: `rwxp`. */
  readonly permissions: string;
  /** Path, `[heap]` and their like, "" for an anonymous one; lossy text, at most 1 KiB. */
  readonly path: string;
}

/** The first 16 of a kind, and how many there are. */
interface Mappings {
  readonly total: number;
  /** The paths of all of them are among those of `some`, uncut. */
  readonly whole: boolean;
  readonly some: readonly Mapping[];
}

/** Of unlinked files: their paths end in ` (deleted)`. */
interface DeletedMappings extends Mappings {
  /** Each of their paths, those beyond `some` too, has a file again, as after an upgrade. */
  readonly replaced: boolean;
}

/** A variable of the dynamic loader. */
export interface LoaderValue {
  /** At most 4 KiB, lossy; of several settings the last. */
  readonly text: string;
  /** That is all of it, and no other setting differs. */
  readonly whole: boolean;
}

/** The mapping with the lowest address. */
export interface FirstMapping extends Mapping {
  /** It is executable, and backed by no file (anonymous memory, a memfd). */
  readonly anonymousCode: boolean;
  /** The program's code starts in it (startcode of proc_pid_stat(5)). */
  readonly holdsCode: boolean;
}

/** A descriptor and what its link says: `/dev/video0`, `socket:[123]`. */
interface Descriptor {
  readonly fd: number;
  readonly target: string;
}

export interface SocketDescriptor extends Descriptor {
  /** As the kernel calls it: `TCP`, `UDPv6`. */
  readonly protocol: string;
  /** The other end, an IPv4 address within IPv6 as IPv4; null when there is none or it could not be read. */
  readonly peer: { readonly address: string; readonly port: number } | null;
}

export interface PeekFacts {
  /** Whole seconds since its start when it was read. */
  readonly ageSec: number;
  /** The service of the system's manager that it runs in, by its control group; "" for a group that users or containers can name. */
  readonly unit: string;
  /**
   * LD_PRELOAD, LD_AUDIT and LD_LIBRARY_PATH as far as they are set, not empty, and taken by the loader (of a set-user-ID program it
   * takes none: AT_SECURE, getauxval(3)). Nothing else of an environment is returned.
   */
  readonly environment: Readonly<Record<string, LoaderValue>> | Refusal;
  readonly maps:
    | {
        /** Writable and executable at once. */
        readonly writableCode: Mappings;
        /** Executable and not writable, without a file or of a memfd. */
        readonly anonymousCode: Mappings;
        /** Executable, of unlinked files other than the program's own. */
        readonly deletedCode: DeletedMappings;
        readonly first: FirstMapping;
      }
    | Refusal;
  readonly descriptors:
    | {
        /** Those of 0, 1, 2 that are internet sockets. */
        readonly standardSockets: readonly SocketDescriptor[];
        /** `/dev/input/event*`, `/dev/video*`, `/dev/snd/pcm*c`, each once and at most 32 of a kind. */
        readonly devices: readonly Descriptor[];
      }
    | Refusal;
  /** The command line is empty. The line itself is neither kept nor served. */
  readonly emptyCommandLine: boolean | Refusal;
  /** The file that it runs. */
  readonly image: Image | Refusal;
  /** What it ran when all of this had been read, lossy text; "" when that was refused. */
  readonly executable: string;
}

/** What a check says of key evidence that could not be read. */
export const UNKNOWN = 'unknown';

/** The parts of the facts that the kernel may refuse. */
export const PARTS = ['environment', 'maps', 'descriptors', 'emptyCommandLine'] as const;
export type Part = (typeof PARTS)[number];

export const isRefused = (part: PeekFacts[Part]): part is Refusal =>
  typeof part === 'object' && 'errno' in part && typeof part.errno === 'number';

/** Whether all parts are there: a helper of another version, or another program, may leave some out. */
export function isPeekFacts(value: unknown): value is PeekFacts {
  const has = (one: unknown, ...keys: readonly string[]): boolean =>
    typeof one === 'object' && one !== null && keys.every((key) => (one as Row)[key] !== undefined);
  if (!has(value, ...PARTS)) return false;
  const { ageSec, unit, executable, maps, descriptors, environment, image } = value as Row;
  const refusedOr = (part: unknown, ...keys: readonly string[]): boolean =>
    has(part, 'errno') || has(part, ...keys);
  return (
    typeof ageSec === 'number' &&
    typeof unit === 'string' &&
    typeof executable === 'string' &&
    (refusedOr(image) || isImage(image)) &&
    refusedOr(environment) &&
    refusedOr(maps, 'writableCode', 'anonymousCode', 'deletedCode', 'first') &&
    refusedOr(descriptors, 'standardSockets', 'devices')
  );
}

type Row = Readonly<Record<string, unknown>>;

/** The facts of a process of which nothing could be read, each part for the same reason. */
function unread(image: Refusal): PeekFacts {
  const parts = { environment: image, maps: image, descriptors: image, emptyCommandLine: image };
  return { ageSec: 0, unit: '', ...parts, image, executable: '' };
}

/** It did not answer within the helper's deadline. */
export const HUNG: PeekFacts = unread({ errno: 110, code: 'ETIMEDOUT', source: 'deadline' });
/** The helper ended while it read it. */
export const BROKEN: PeekFacts = unread({ errno: 5, code: 'EIO', source: 'desk-peek' });
