import type { Check, FailParts } from './check.ts';
import { reportUnread } from './packaged-file.ts';
import { concernOf, isAltered, type StartupFact } from './startup.ts';

function explain(fact: StartupFact): FailParts {
  const { place, path, runs, when, user, voucher, linked, key, changedMs } = fact;
  const severity = concernOf(fact) ?? place.severity;
  const by =
    voucher.kind === 'package'
      ? `a link to a file of ${voucher.package}`
      : voucher.kind === 'copy'
        ? `a copy of a file of ${voucher.package}`
        : voucher.kind === 'changed'
          ? `changed since ${voucher.package} ${voucher.version}`
          : linked === 'broken'
            ? 'a link to nothing'
            : 'no package vouches for it';
  return {
    severity,
    subject: { kind: 'file', path, content: key },
    summary: `${path} (${place.title}): "${runs}" as ${user}, ${when}; ${by}`,
    evidence: {
      place: place.id,
      runs,
      user,
      when,
      vouched: by,
      techniques: place.techniques.join(' '),
      changed: new Date(changedMs).toISOString(),
      entry: key,
    },
    evidenceClass: place.id,
  };
}

/** Something starts by itself, or may log in, that neither a package nor the baseline vouches for. */
export const startupEntry: Check = {
  id: 'startup-entry',
  avenue: 'new_comm',
  severity: 'medium',
  tier: 3,
  techniques: ['T1037', 'T1053', 'T1543', 'T1547'],
  steady: true,
  startup: true,
  key: ['entry'],
  text: {
    about:
      'A file that starts a program by itself, or decides who may log in, has something new: low to critical, by the kind of place.',
    benign:
      'You or a program that you installed has set it up; desk startup says what each kind of place is for.',
    remedy: 'check who put it there with desk startup --since, and remove it if it is not yours',
  },
  async scan({ scans }, report) {
    const facts = await scans.startup('startup-entry');
    reportUnread(facts, report);
    for (const fact of facts.entries)
      if (concernOf(fact) === null || isAltered(fact)) report.pass();
      else report.fail(explain(fact));
  },
};
