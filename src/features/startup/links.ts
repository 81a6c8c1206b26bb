/** Connects processes and startup entries: what would start a process again, and which processes an entry has started. Pure. */
import { isStarter, programName, withoutDeleted } from '../../checks/executables.ts';
import { type NamedProcess, unitOf } from '../../checks/origin.ts';
import { concernOf, type StartupFact, type StartupLinks, unknownLinks } from '../../checks/startup.ts';
import type { StartupScan } from '../../desk/startup.ts';
import { textOf } from '../../engine/bytes.ts';
import type { ProcessTable } from '../../engine/snapshot.ts';
import type { Finding, ProcessAbout } from '../../findings/finding.ts';
import { severityRank } from '../../policy/severity.ts';

/** Entries that a finding names, and processes. */
const MOST_NAMED = 16;
/** The kernel keeps so many bytes of a command name. */
const COMM_LENGTH = 15;
/** An absolute path, or one in the home of a user, in a command or a setting; `-`, `+`, `!`, `@` and `:` may precede one (systemd.service(5)). */
const PATH = /(?<![\w./~}%])(?:~|\$HOME|\$\{HOME\}|%h)?\/[^\s"'`;|&()<>=,]+/g;
const HOME = /^(?:~|\$HOME|\$\{HOME\}|%h)(?=\/)/;

/** These are one folder on some or all systems: /bin, /usr/bin, /sbin, /usr/sbin; /lib, /usr/lib, /usr/lib64 (file-hierarchy(7)). */
const canonical = (path: string): string =>
  path.replace(/^(?:\/usr)?\/(?:s?(bin)|(lib)(?:64|32|x32)?)\//, (_, bin = '', lib = '') => `/${bin}${lib}/`);

/** The paths that an entry names: its own where its file runs as a whole. */
function pathsIn({ runs, path }: StartupFact): readonly string[] {
  return (runs === path ? [path] : (runs.match(PATH) ?? [])).map(canonical);
}

/** `own` may begin with the home of any user. */
const isSamePath = (own: string, path: string): boolean =>
  HOME.test(own) ? /^\/(?:home|root)\//.test(path) && path.endsWith(own.replace(HOME, '')) : own === path;

/** What a process runs: its executable; of an interpreter its script, and the commands behind `-c`. */
function programsOf({ executable, program, command, directory }: ProcessAbout): readonly string[] {
  if (!isStarter(executable)) return [canonical(withoutDeleted(executable))];
  const [, script = ''] = /^\S+ ([^-].*)$/.exec(program) ?? [];
  const [, inline = ''] = /\s-\w*c\s+["']?(.*)$/s.exec(command ?? '') ?? [];
  const commands = inline.split(/[;&|\n]+/).map((one) => /^\s*(?:exec\s+)?([^\s"']+)/.exec(one)?.[1] ?? '');
  return [script, ...commands]
    .filter((word) => word !== '')
    .map((word) =>
      word.startsWith('/') || directory === '' ? word : `${directory}/${word.replace(/^\.\//, '')}`,
    )
    .filter((word) => word.startsWith('/'))
    .map(canonical);
}

/** `getty@.service` of `getty@tty1.service`. */
const templateOf = (unit: string): string => unit.replace(/@[^/]*(?=\.\w+$)/, '@');
const SERVICE = /\.service$/;
const stemOf = (unit: string): string => unit.replace(/\.\w+$/, '');

/** Whether an entry starts this unit of the same systemd, or is what it executes. */
function startsUnit({ place, path, runs, name }: StartupFact, unit: string): boolean {
  const ofUser = unit.includes('/');
  if (ofUser ? !/^systemd-(?:user|home)-unit$/.test(place.id) : place.id !== 'systemd-unit') return false;
  const wanted = programName(unit);
  const names = [wanted, templateOf(wanted)];
  // A timer, socket or path without another unit starts the one of its own name.
  if (names.includes(runs) || (/^On|^Listen|^Path|^Directory/.test(name) && stemOf(runs) === stemOf(wanted)))
    return true;
  const [, dropped] = /\/([^/]+)\.d\/[^/]+\.conf$/.exec(path) ?? [];
  return /^Exec/.test(name) && names.includes(dropped ?? programName(path));
}

/** Entries that would start this process again, what nothing vouches for first. */
function startsOf(entries: readonly StartupFact[], about: ProcessAbout): readonly StartupFact[] {
  const { unit } = about;
  const programs = programsOf(about);
  const named = entries.filter(
    (fact) =>
      fact.place.starts !== false &&
      pathsIn(fact).some((own) => programs.some((path) => isSamePath(own, path))),
  );
  // What else starts its unit, where that executes it: anything may be started below a service.
  const isUnits = unit !== '' && named.some((fact) => /^Exec/.test(fact.name) && startsUnit(fact, unit));
  const found = new Set([...named, ...(isUnits ? entries.filter((fact) => startsUnit(fact, unit)) : [])]);
  const weight = (fact: StartupFact): number => {
    const concern = concernOf(fact);
    return concern === null ? -1 : severityRank(concern);
  };
  return [...found].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_NAMED);
}

/** Processes that an entry has started, or may have: they run its program, or belong to its unit. An interpreter counts where it executes its script by name. */
function runningOf(fact: StartupFact, table: ProcessTable): readonly NamedProcess[] {
  const paths = pathsIn(fact).filter((path) => !isStarter(path));
  const scripts = new Set(paths.map((path) => programName(path).slice(0, COMM_LENGTH)));
  return runningWhere(table, (executable, name, unit) =>
    isStarter(executable)
      ? scripts.has(name) || (unit !== '' && startsUnit(fact, unit))
      : paths.some((own) => isSamePath(own, canonical(executable))) ||
        (unit !== '' && startsUnit(fact, unit)),
  );
}

/** Processes whose executable is this file. */
const runningFrom = (path: string, table: ProcessTable): readonly NamedProcess[] =>
  runningWhere(table, (executable) => canonical(executable) === canonical(path));

function runningWhere(
  table: ProcessTable,
  isOne: (executable: string, name: string, unit: string) => boolean,
): readonly NamedProcess[] {
  const found: NamedProcess[] = [];
  const { columns, count } = table;
  for (let row = 0; row < count && found.length < MOST_NAMED; row++) {
    if (columns.state[row] === 0) continue;
    const name = textOf(table.comm(row));
    const executable = withoutDeleted(textOf(table.exe(row)));
    if (isOne(executable, name, unitOf(textOf(table.cgroup(row)))))
      found.push({ pid: columns.pid[row] ?? 0, name });
  }
  return found;
}

const NO_LINKS: StartupLinks = { returns: 'none', reason: '', starts: [], running: [] };
const NOT_READ = 'what starts by itself has not been read yet';
/** Services and scopes in which containers run. */
const CONTAINER = /^(?:docker|libpod|crio|cri-containerd|lxc|machine)[-.].*\.scope$|^systemd-nspawn@/;

/** The row of its process; -1 where that has ended. */
function rowOf(subject: Finding['subject'], { pid }: ProcessAbout, table: ProcessTable): number {
  const row = table.rowOf(pid);
  return subject.kind === 'process' && String(table.columns.start[row]) !== subject.start ? -1 : row;
}

/**
 * Whether its paths may be those of other file systems, whose startup places are not read: it has another mount namespace than the
 * desk. A service that systemd gives one of its own (systemd.exec(5), ProtectSystem=) still sees the same files.
 */
function isContained(
  { subject, about }: Pick<Finding, 'subject'> & { readonly about: ProcessAbout },
  table: ProcessTable,
): boolean {
  if (CONTAINER.test(programName(about.unit))) return true;
  const { nsMnt, nsPid } = table.columns;
  const [row, own] = [rowOf(subject, about, table), table.rowOf(process.pid)];
  const isKnown = row >= 0 && own >= 0 && nsMnt[row] !== 0 && nsPid[row] !== 0;
  if (!isKnown) return subject.kind === 'process' && subject.identity.includes('@container');
  return nsPid[row] !== nsPid[own] || (nsMnt[row] !== nsMnt[own] && !SERVICE.test(about.unit));
}

/** `scan`: the last pass; null before the first one. */
export function linksOf(
  { subject, evidence, about }: Pick<Finding, 'subject' | 'evidence' | 'about'>,
  scan: StartupScan | null,
  table: ProcessTable,
): StartupLinks {
  if (subject.kind === 'file') {
    const entry = scan?.entries.find(({ key, path }) => path === subject.path && key === evidence.entry);
    const running = entry === undefined ? runningFrom(subject.path, table) : runningOf(entry, table);
    return { ...NO_LINKS, running };
  }
  if (subject.kind !== 'process' && subject.kind !== 'listener') return NO_LINKS;
  if (about === null || about.executable === '') return unknownLinks('its process could not be read yet');
  if (scan === null) return unknownLinks(NOT_READ);
  if (isContained({ subject, about }, table)) return unknownLinks('what starts in its container is not read');
  const starts = startsOf(scan.entries, about);
  if (starts.length > 0) return { ...NO_LINKS, returns: 'yes', starts };
  if (SERVICE.test(about.unit)) return unknownLinks(`it belongs to ${about.unit}, which does not name it`);
  const unread = scan.unread.filter(({ place }) => place.starts !== false).length;
  if (unread > 0) return unknownLinks(`${unread} of the places could not be read in full: see desk startup`);
  if (isStarter(about.executable) && about.command === null)
    return unknownLinks('its command line is not known');
  return { ...NO_LINKS, returns: 'not_found' };
}
