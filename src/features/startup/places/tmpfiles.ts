/** tmpfiles.d(5): what systemd makes at boot. */
import { isLeftover, significant } from '../parsers.ts';
import type { Parser } from '../place.ts';

/** Words in quotes, with the escapes of C, as systemd reads them. */
const WORD = /(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\\.?|[^\s"'\\])+/g;
const unquoted = (word: string): string =>
  word.replace(
    /["']|\\(?:x([0-9a-f]{2})|([0-7]{3})|u([0-9a-f]{4})|(.?))/gi,
    (_, hex?: string, octal?: string, code?: string, char = '') =>
      hex !== undefined || code !== undefined
        ? String.fromCharCode(Number.parseInt(hex ?? code ?? '', 16))
        : octal !== undefined
          ? String.fromCharCode(Number.parseInt(octal, 8))
          : char,
  );

/** Types that write content, copy, link, or set rights; not folders and removals. */
const WRITES = /^[fFwLCpbcthHaAzZ]/;
const FOLDER = /^[dDevqQ]/;
/** Folders of services, where each has its own; not those that start something. */
const OF_SERVICES =
  /^\/(?:var\/)?tmp\/?$|^\/(?:run|tmp|srv|mnt|media|opt|dev|var\/(?:run|lib|log|cache|tmp|spool|mail|www))\/(?!systemd|udev|dpkg|rpm|pacman|cron|at\b|atjobs|cloud|dbus|polkit)[\w@+:-][^%"\\]*$/;

/** Whether others than root may write there. */
function opens(mode = '-', user = '-', group = '-'): boolean {
  const bits = Number.parseInt(mode.replace(/^[:~]+/, ''), 8) || 0;
  const isRoot = (name: string): boolean => /^:?(?:-|root|0|)$/.test(name);
  return (bits & 0o002) !== 0 || !isRoot(user) || ((bits & 0o020) !== 0 && !isRoot(group));
}

export const tmpfiles: Parser = ({ text, name }) =>
  name.endsWith('.conf') && !isLeftover(name)
    ? significant(text, /^#/)
        .filter((line) => {
          const [type = '', path = '', ...rights] = (line.match(WORD) ?? []).slice(0, 5).map(unquoted);
          if (WRITES.test(type)) return true;
          const isOfService = OF_SERVICES.test(path) && !path.includes('/..');
          return FOLDER.test(type) && !isOfService && opens(...rights);
        })
        .map((runs) => ({ runs }))
    : [];
