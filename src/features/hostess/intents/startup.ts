/** What starts by itself and who vouches for it; whether the files of packages are as recorded. */
import { literal } from '../../../base/literal.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { offsetTime } from '../../../engine/time.ts';
import type { StartupAnswer } from '../../../records/startup.ts';
import { type AnswerBuilder, counted, type Plain, part, plain, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { quoted } from '../paths.ts';
import { placesAsked, startedAs, startedProgram, startupWanted, UNVOUCHED } from '../startup-asked.ts';

const MOST_SHOWN = 6;
type Entry = StartupAnswer['entries'][number];
type Row = (key: string) => ReturnType<AnswerBuilder['ground']>;

/** What of a record could not be read: it is never taken for good. */
export function sayUnread(out: AnswerBuilder, root: string): void {
  const list = `${root}.unread`;
  if (out.read(`${list}.length`) === 0) return;
  const count = out.ground(`${list}.length`);
  const first = out.at(`${list}[0]`);
  out.say`Not everything could be read, so more may be there: ${counted(count, 'place', 'places')}, ${plural(count, 'namely', 'first')} ${first('path')} (${first('reason')}).`;
}

function vouchedBy(get: Row): Plain {
  const by = get('package');
  switch (get('vouched').value) {
    case 'package':
      return get('link').value === '' ? part`it is as ${by} has it` : part`a link to a file of ${by}`;
    case 'earlier':
      return part`${by} had it before the file changed`;
    case 'copy':
      return part`a copy of a file of ${by}`;
    case 'changed':
      return part`not as in ${by}`;
    default:
      return plain('no package vouches for it');
  }
}

function sayEntry(out: AnswerBuilder, row: string): void {
  const get: Row = out.at(row);
  const findings = out.rows(`${row}.findings`, 1).map((id) => out.ground(id));
  const [id] = findings;
  out.say`${get('runs')} as ${get('user')}, ${get('when')}, in ${get('path')}: ${vouchedBy(get)}${id === undefined ? plain('') : part`, finding ${id}`}.`;
  if (id !== undefined) out.suggest(`desk findings ${id.value}`);
}

/** Entries that start a program, by their place in the list: those whose program or file has its name, else those that mention it. */
function rowsNaming(entries: readonly Entry[], name: string): readonly number[] {
  const word = literal(name);
  const own = new RegExp(`(?:^|/)${word}(?:\\.(?:service|timer|socket|path|desktop|conf|sh))?$`, 'iu');
  const mention = new RegExp(`(?<![\\w.-])${word}(?![\\w-])`, 'iu');
  const rows = (holds: (entry: Entry) => boolean) =>
    entries.flatMap((entry, at) => (holds(entry) ? [at] : []));
  const programs = rows(({ runs }) => own.test(/^\S*/.exec(runs)?.[0] ?? ''));
  const named = new Set([...programs, ...rows(({ path }) => own.test(path))]);
  return named.size > 0
    ? [...named]
    : rows(({ runs, name: part }) => mention.test(runs) || mention.test(part));
}

function sayRows(out: AnswerBuilder, rows: readonly number[]): void {
  for (const at of rows.slice(0, MOST_SHOWN)) sayEntry(out, `startup_all.entries[${at}]`);
  out.sayMore(MOST_SHOWN, rows.length);
  out.suggest('desk startup --all');
}

function sayProgram(out: AnswerBuilder, entries: readonly Entry[], name: string): void {
  const rows = rowsNaming(entries, name);
  if (rows.length === 0)
    out.say`Nothing that starts by itself names "${plain(name)}", of ${out.ground('startup_all.entries.length')} entries. A program may also be started by another one.`;
  sayRows(out, rows);
}

function sayPlaces(out: AnswerBuilder, entries: readonly Entry[], places: RegExp): void {
  const rows = entries.flatMap(({ place }, at) => (places.test(place) ? [at] : []));
  if (rows.length === 0)
    out.say`None was found, of ${out.ground('startup_all.entries.length')} entries of all kinds.`;
  sayRows(out, rows);
}

export const starts: Intent = {
  id: 'starts',
  score: ({ question }) => (startupWanted(question).startup ? 89 : 0),
  answer(out, { question, context, found }) {
    out.suggest('desk startup');
    if (found.startup === null) {
      out.say`I do not know: what starts by itself was not read.`;
      return false;
    }
    out.put('startup', found.startup.unvouched);
    out.put('startup_all', found.startup.all);
    const name = startedProgram(question);
    const places = placesAsked(question);
    const { entries } = found.startup.all;
    if (name !== '') sayProgram(out, entries, name);
    else if (places !== null) sayPlaces(out, entries, places);
    else {
      const asked = startedAs(question);
      const user = entries.some((one) => one.user === asked) ? asked : '';
      const { at } = context.state.snapshot;
      const since =
        question.timeMs === null || question.timeMs > at.epochMs
          ? ''
          : offsetTime({ epochMs: question.timeMs, offsetMin: at.offsetMin });
      sayList(out, { asked, user, since, unvouched: question.says(UNVOUCHED) });
    }
    if (out.read('startup_all.packages') !== '')
      out.say`Packages do not vouch for all files: ${out.ground('startup_all.packages')}.`;
    sayUnread(out, 'startup_all');
    return true;
  },
};

interface Listed {
  /** The user of the question, and the same where something runs as this user. */
  readonly asked: string;
  readonly user: string;
  /** RFC 3339; "" for all. */
  readonly since: string;
  readonly unvouched: boolean;
}

function sayList(out: AnswerBuilder, { asked, user, since, unvouched }: Listed): void {
  if (since !== '') {
    out.put('asked', { since });
    out.say`Since ${out.ground('asked.since')}:`;
    out.suggest(`desk startup --since ${since}`);
  }
  const filter = `${asked === '' ? '' : `[user=${quoted(asked)}]`}${since === '' ? '' : `[changed>=${since}]`}`;
  const as = asked === '' ? plain('') : plain(` as ${asked}`);
  const list = `startup.entries${filter}`;
  const count = out.ground(`${list}.length`);
  const all = unvouched && since === '' ? count : out.ground(`startup_all.entries${filter}.length`);
  const entries = part`${all} ${plural(all, 'entry', 'entries')}${as}`;
  if (since !== '')
    out.say`${entries} ${plural(all, 'is', 'are')} in files that changed; no package vouches for ${count} of them as they are.`;
  else if (unvouched)
    out.say`${entries} that no package vouches for ${plural(all, 'starts something by itself or decides', 'start something by themselves or decide')} who may log in.`;
  else
    out.say`${entries} ${plural(all, 'starts something by itself or decides', 'start something by themselves or decide')} who may log in; no package vouches for ${count} of them.`;
  for (const row of out.rows(list, MOST_SHOWN)) sayEntry(out, row);
  out.sayMore(MOST_SHOWN, count.value);
  const each = 'startup.entries[user=each user].length';
  if (user === 'root' && out.read(each) !== 0)
    out.say`${out.ground(each)} more run as each user who logs in, root included.`;
  if (user !== '') out.suggest(`desk startup --user ${shellWord(user)}`);
  const open = out.ground('detection.findings[check=startup-entry].length');
  out.say`${counted(open, 'finding', 'findings')} about such entries ${plural(open, 'is', 'are')} open; what has none was learned or accepted, or is not judged yet.`;
  if (since !== '' && out.read('startup_all.unwatched') !== '')
    out.say`Changes are not all seen as they happen: ${out.ground('startup_all.unwatched')}.`;
}

export const packages: Intent = {
  id: 'packages',
  score: ({ question }) => (startupWanted(question).packages ? 88.5 : 0),
  answer(out, { question, found }) {
    out.suggest('desk packages');
    if (found.packages === null) {
      out.say`I do not know: the files of packages were not compared.`;
      return false;
    }
    out.put('packages', found.packages);
    const compared = out.ground('packages.compared');
    if (compared.value === null) {
      out.say`I do not know: the files of packages have not been compared yet.`;
      return false;
    }
    if (out.read('packages.trouble') !== '') {
      out.say`I do not know: no package could be compared, ${out.ground('packages.trouble')}.`;
      return false;
    }
    if (question.has('count') && question.says(/\binstall\w*/))
      out.say`${out.ground('packages.packages')} packages are installed.`;
    const [altered, unread] = [out.ground('packages.altered.length'), out.ground('packages.unread.length')];
    const [files, all] = [out.ground('packages.files'), out.ground('packages.packages')];
    if (altered.value !== 0)
      out.say`${counted(altered, 'file differs', 'files differ')} from what ${plural(altered, 'its package', 'their packages')} recorded, of ${files} files of ${all} packages.`;
    else if (unread.value !== 0)
      out.say`No difference was found in what could be compared, of ${files} files of ${all} packages; ${counted(unread, 'entry', 'entries')} could not be compared.`;
    else out.say`All ${files} files of ${all} packages are as recorded, where they are there.`;
    for (const row of out.rows('packages.groups', MOST_SHOWN)) {
      const get: Row = out.at(row);
      const [count, by] = [get('count'), part`${get('package')} ${get('version')}`];
      const which =
        count.value === 1
          ? part`${get('path')} of ${by}`
          : part`${count} files of ${by} in ${get('path')}, such as ${get('example')}`;
      out.say`${which}: ${get('severity')}, changed ${get('changed')}.`;
    }
    out.sayMore(MOST_SHOWN, out.read('packages.groups.length'));
    sayUnread(out, 'packages');
    out.say`Compared ${compared}; ${out.ground('packages.missing')} files are not there, and configuration files are not compared.`;
    return true;
  },
};
