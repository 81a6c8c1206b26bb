/**
 * Counts the places that describe a row: a place is a list in which at least `LEAST` names of the columns of that row begin entries
 * that are at most `GAP` lines apart. Generated files do not count.
 */
const LEAST = 7;
const GAP = 8;

export const ROWS: Readonly<Record<string, string>> = {
  process:
    'pid ppid uid euid tty flags start state threads tracer seccomp noNewPrivs capEff capBnd nsUser nsPid nsMnt nsNet comm exeOffset exeLength cgroupOffset cgroupLength identity container wrap wrapState seen refused traits own executable kind by findings',
  listener:
    'family protocol address port inode uid v6only scope owner own service key creatorUid holders executable pids allowed findings',
  'history sample': 'recheckUs recheckMaxUs pids wrapped publicListen bgl findings scars tempC',
};

/** What comes before the name in an entry: indentation, type, constructor, quote. */
const LEAD = /^\s*(?:readonly |std::\w+\* |Column\{|[A-Z]+\(|\{ key: |\[)*["'`]?([A-Za-z]\w*)/;
/** What follows it in an entry. */
const ENTRY = /^["'`]?\??\s*[:;,(}\]]/;

const camel = (name: string): string => name.replace(/_(.)/g, (_, next: string) => next.toUpperCase());

/** The name that an entry begins with; "" of any other line. */
function entryOf(line: string): string {
  const [lead, name = ''] = LEAD.exec(line) ?? [];
  return lead !== undefined && ENTRY.test(line.slice(lead.length)) ? camel(name) : '';
}

/** Lists of at least `LEAST` of `names`, by the line of their first entry. */
export function placesIn(text: string, names: ReadonlySet<string>): number[] {
  const places: number[] = [];
  let found = new Set<string>();
  let [first, last] = [0, 0];
  const close = () => {
    if (found.size >= LEAST) places.push(first);
    found = new Set();
  };
  text.split('\n').forEach((line, at) => {
    const name = entryOf(line);
    if (!names.has(name)) return;
    if (at - last > GAP || found.has(name)) close();
    if (found.size === 0) first = at + 1;
    last = at;
    found.add(name);
  });
  close();
  return places;
}
