/** Mail: the process that reads it and keeps the people ledger, and the service's side of it. */
import { ALERT_MAIL } from '../../desk/alert-mail.ts';
import { feature } from '../../desk/feature.ts';
import { PEOPLE } from '../../desk/people.ts';
import { MAIL } from './api.ts';
import type { MailPart } from './desk-mail.ts';

export * from './operations.ts';
export * from './public-operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature<MailPart>({
  id: 'mail',
  commands: {
    mail: async () => (await import('./mail-command.ts')).mail,
    people: async () => (await import('./people-command.ts')).people,
  },
  async resident(host) {
    const { ResidentMail } = await import('./resident-mail.ts');
    return new ResidentMail(host);
  },
  async make(host, part) {
    const [{ DeskMail }, { runs }] = await Promise.all([import('./desk-mail.ts'), import('./client.ts')]);
    const { config, folder } = host;
    const mail = new DeskMail({ config, folder, mail: part, changed: () => host.soon() });
    host.provide(PEOPLE, mail.people);
    host.provide(MAIL, mail.mail);
    host.provide(ALERT_MAIL, mail.alert);
    return {
      start: () => part.counted,
      facts: ({ snapshot }) => ({
        mail: mail.facts(host.passwordSet(), runs(snapshot, config.mail.client)),
      }),
      trouble: () => mail.trouble,
      stop: () => mail.stop(),
    };
  },
});
