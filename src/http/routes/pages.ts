/** The pages of control, office and themed: rendered once per moment. */
import type { Desk } from '../../desk.ts';
import { DESK_SCRIPT } from '../../pages/desk-script.ts';
import { docsPage } from '../../pages/docs-page.ts';
import { hostessPage } from '../../pages/hostess-page.ts';
import type { Html } from '../../pages/html.ts';
import { linksPage } from '../../pages/links-page.ts';
import { mailPage } from '../../pages/mail-page.ts';
import { officePage } from '../../pages/office-page.ts';
import { chargeReport } from '../../records/charge-report.ts';
import { deskStatus } from '../../records/desk-status.ts';
import { mailState } from '../../records/mail.ts';
import type { Moment } from '../../records/moment.ts';
import { bodyOf } from '../bodies.ts';
import type { ControlHandlers, ThemedHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';
import { openApiDocument } from '../openapi.ts';

const rendered =
  (desk: Desk, name: string, render: (moment: Moment) => Html) => async (): Promise<Reply> => ({
    page: bodyOf(await desk.moment(), `page ${name}`, (moment) => render(moment).markup),
  });

export function pageRoutes(desk: Desk) {
  let docs: Html | undefined;
  return {
    'office-page': rendered(desk, 'office', (moment) => officePage(moment, deskStatus.assemble(moment))),
    'hostess-page': rendered(desk, 'hostess', (moment) => hostessPage(moment, chargeReport.assemble(moment))),
    'links-page': rendered(desk, 'links', (moment) => linksPage(deskStatus.assemble(moment))),
    'mail-page': rendered(desk, 'mail', (moment) =>
      mailPage(deskStatus.assemble(moment), mailState.assemble(moment)),
    ),
    'desk-script': () => ({ text: DESK_SCRIPT, type: 'text/javascript; charset=utf-8' }),
    'docs-page': () => {
      docs ??= docsPage(openApiDocument());
      return { page: docs };
    },
  } satisfies Partial<ControlHandlers>;
}

export const themedRoutes = (desk: Desk): ThemedHandlers => ({
  'themed-page': rendered(desk, 'themed', (moment) =>
    officePage(moment, deskStatus.assemble(moment), 'themed'),
  ),
});
