import { homedir } from 'node:os';

/** A path as records show it: below the home folder of the service's user it begins with `~/`. */
export function shownPath(path: string): string {
  const home = `${homedir()}/`;
  return path.startsWith(home) ? `~/${path.slice(home.length)}` : path;
}
