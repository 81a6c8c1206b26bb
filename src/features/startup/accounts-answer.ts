/** The record of accounts. */
import type { AccountFacts, AccountScan } from '../../desk/startup.ts';
import { now } from '../../engine/now.ts';
import type { Finding } from '../../findings/finding.ts';
import { rightsAreKnown } from '../../records/account-words.ts';
import { type AccountsAnswer, accounts as record } from '../../records/accounts.ts';

/** Kinds of places that say something of accounts. */
const PLACES = new Set(['passwd', 'shadow', 'group', 'authorized-keys', 'ssh-rc']);

const idsAbout = (name: string, findings: readonly Finding[]): string[] =>
  findings
    .filter(
      ({ check, evidence }) =>
        check === 'startup-entry' && PLACES.has(String(evidence.place)) && evidence.user === name,
    )
    .map(({ id }) => id);

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export function accountsAnswer(
  { accounts, unread, container }: AccountScan,
  findings: readonly Finding[],
  show: 'active' | 'all',
): AccountsAnswer {
  const shown = ({ last, ...account }: AccountFacts) => ({
    ...account,
    passwordSet: instant(account.passwordSetMs),
    lastLogin: instant(last === null ? null : last.seconds * 1000),
    lastFrom: last === null ? '' : last.host || last.line,
    findings: idsAbout(account.name, findings),
  });
  const all = accounts.map(shown);
  const asked =
    show === 'all' || !rightsAreKnown({ unread: [...unread] })
      ? all
      : all.filter((one) => one.login.length > 0 || one.rights.length > 0 || one.findings.length > 0);
  return record.assemble({
    ...{ ts: now(), accounts: asked, others: all.length - asked.length },
    ...{ unread, container },
  });
}
