/** How the ledger is kept, and what is done at the mail servers. */
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { now } from '../../now.ts';
import { exported, forgotten, mailCheck, mailState, mailTest } from '../../records/mail.ts';
import { bodyOf } from '../bodies.ts';
import type { ControlHandlers } from '../control-app.ts';

export function mailRoutes(desk: Desk) {
  return {
    mail: async () => ({
      json: bodyOf(await desk.moment(), 'mail', (moment) => jsonText(mailState.assemble(moment))),
    }),
    'mail-check': async () => ({
      json: jsonText(mailCheck.assemble({ ts: now(), ...(await desk.mail.check()) })),
    }),
    'mail-test': async ({ body: { to } }) => ({
      json: jsonText(mailTest.assemble({ ts: now(), ...(await desk.mail.test(to)) })),
    }),
    'mail-forget': async ({ body: { email } }) => {
      const { address, forgotten: done } = await desk.mail.forget(email);
      return { json: jsonText(forgotten.assemble({ ts: now(), email: address, forgotten: done })) };
    },
    'mail-export': async ({ body: { format } }) => ({
      json: jsonText(exported.assemble({ ts: now(), ...(await desk.mail.export(format)) })),
    }),
  } satisfies Partial<ControlHandlers>;
}
