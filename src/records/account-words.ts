/** What the record of accounts says, for pages and commands. */
import type { AccountsAnswer } from './accounts.ts';

/** Whether all that gives rights was read: where it was not, an account without rights may have some. */
export const rightsAreKnown = ({ unread }: Pick<AccountsAnswer, 'unread'>): boolean =>
  !unread.some(({ path, reason }) => path === '/etc/group' || /\bsudoers|\bdoas/.test(`${path} ${reason}`));
