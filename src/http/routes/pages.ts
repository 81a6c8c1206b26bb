/** The pages of control, office and themed, and the record they are made of: rendered once per moment. */
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { docsPage } from '../../pages/docs-page.tsx';
import type { PageName } from '../../pages/registry.tsx';
import { renderPage } from '../../pages/render.tsx';
import { themeCss } from '../../pages/theme.ts';
import type { Moment } from '../../records/moment.ts';
import { type Page, page } from '../../records/page.ts';
import { STYLE_TYPE } from '../assets.ts';
import { bodyOf } from '../bodies.ts';
import type { ControlHandlers, ThemedHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';
import type { LiveHub } from '../live.ts';
import { openApiDocument } from '../openapi.ts';
import { assetRoute } from './assets.ts';
import { type LiveViews, liveRoutes } from './live.ts';

const recordOf = (moment: Moment): Buffer => bodyOf(moment, page.name, () => jsonText(page.assemble(moment)));

const rendered =
  (desk: Desk, name: PageName, styles: readonly string[] = []) =>
  async (): Promise<Reply> => ({
    page: bodyOf(await desk.moment(), `page ${name}`, (moment) => {
      const json = recordOf(moment).toString();
      return renderPage(name, JSON.parse(json) as Page, json, styles);
    }),
  });

const pageRecord = (desk: Desk) => async (): Promise<Reply> => ({ json: recordOf(await desk.moment()) });

export function pageRoutes(desk: Desk) {
  let docs: string | undefined;
  return {
    page: pageRecord(desk),
    'office-page': rendered(desk, 'office'),
    'hostess-page': rendered(desk, 'hostess'),
    'links-page': rendered(desk, 'links'),
    'mail-page': rendered(desk, 'mail'),
    asset: assetRoute(),
    'docs-page': () => {
      docs ??= docsPage(openApiDocument());
      return { page: docs };
    },
  } satisfies Partial<ControlHandlers>;
}

export const themedRoutes = (desk: Desk, hub: LiveHub, views: LiveViews): ThemedHandlers => ({
  'themed-page': rendered(desk, 'themed', ['/theme.css']),
  page: pageRecord(desk),
  asset: assetRoute(),
  ...liveRoutes(desk, hub, views),
  'theme-style': () => ({ text: themeCss(desk.config.theme), type: STYLE_TYPE }),
});
