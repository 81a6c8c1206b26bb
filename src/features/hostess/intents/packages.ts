/** Whether the files of packages are as recorded. */
import { type AnswerBuilder, counted, part, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { asksForPackages } from '../packages-asked.ts';

const MOST_SHOWN = 6;

/** What of a record could not be read: it is never taken for good. */
function sayUnread(out: AnswerBuilder, root: string): void {
  const list = `${root}.unread`;
  if (out.read(`${list}.length`) === 0) return;
  const count = out.ground(`${list}.length`);
  const first = out.at(`${list}[0]`);
  out.say`Not everything could be read, so more may be there: ${counted(count, 'place', 'places')}, ${plural(count, 'namely', 'first')} ${first('path')} (${first('reason')}).`;
}

export const packages: Intent = {
  id: 'packages',
  score: ({ question }) => (asksForPackages(question) ? 88.5 : 0),
  answer(out, { question, found }) {
    out.suggest('desk packages');
    if (found === null) {
      out.say`I do not know: the files of packages were not compared.`;
      return false;
    }
    out.put('packages', found);
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
      const get = out.at(row);
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
