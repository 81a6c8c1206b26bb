/** What the path of an executable says. Pure. */

/** Names, or patterns of them, separated by blanks. */
export const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Shells, tools that start what they have just built or tested, and programs that run a command that they were given. */
const STARTERS: ReadonlySet<string> = new Set(
  names(`ash bash busybox csh dash fish ksh mksh sh tcsh zsh
    bazel bun cargo cmake ctest deno dotnet gmake go gradle java just make meson mvn ninja node nodejs perl python
    ruby rustc sbt tox
    gdb script strace time timeout valgrind xargs`),
);

/** Where browsers are installed, as an exception names it. */
export const BROWSERS: readonly string[] = names(`
  /opt/google/chrome/* /opt/brave.com/* /opt/microsoft/msedge/* /opt/vivaldi/*
  /usr/lib/firefox* /usr/lib64/firefox* /usr/lib/chromium* /usr/lib64/chromium*
  /snap/firefox/* /snap/chromium/* /usr/lib/x86_64-linux-gnu/webkit2gtk*`);

/** What the kernel writes behind the path of a file that has no name any more (proc_pid_exe(5)). */
export const DELETED = ' (deleted)';

/** The path without what the kernel adds for an unlinked file. */
export const withoutDeleted = (path: string): string =>
  path.endsWith(DELETED) ? path.slice(0, -DELETED.length) : path;

/** Base name, of an unlinked file too. */
export const programName = (path: string): string => withoutDeleted(path.slice(path.lastIndexOf('/') + 1));

/** `python` of `python3.11`. */
export const withoutVersion = (name: string): string => name.replace(/[\d.-]+$/, '');

/** A shell or a build tool, with any version in its name. */
export const isStarter = (executable: string): boolean =>
  STARTERS.has(withoutVersion(programName(executable)));

const INTERPRETER =
  /^(?:python|node|nodejs|perl|ruby|php|php-cgi|lua|bash|dash|ash|sh|zsh|ksh|java|deno|bun)$/;

/** What it runs is a script or module, with any version in its name. */
export const isInterpreter = (executable: string): boolean =>
  INTERPRETER.test(withoutVersion(programName(executable)));

const TEMPORARY = /^(?:\/dev\/shm|\/tmp|\/var\/tmp|\/run)(?=\/)/;
const HOME_FOLDER = /^(?:\/var)?(?:\/home\/[^/]+|\/root)\/(?<folder>\.[^/]+)\/(?!.*\/\.|\.)/;

/**
 * What is odd about a path: the folder that every user may write (`/tmp`), the hidden folder of a home (`~/.cargo`), or
 * `hidden folder` for any other, also for one hidden in another.
 */
export function oddFolder(executable: string): string {
  const temporary = TEMPORARY.exec(executable)?.[0];
  if (temporary !== undefined) return temporary;
  const folder = HOME_FOLDER.exec(executable)?.groups?.folder;
  return folder === undefined ? 'hidden folder' : `~/${folder}`;
}

/** What to do about a program whose file cannot be looked at any more. */
export const inspectWhileItRuns = (pid: number | 'PID'): string =>
  `check the program while it runs (/proc/${pid}/exe still opens it) and stop it if it is not yours`;
