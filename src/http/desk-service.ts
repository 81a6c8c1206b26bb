/** What handlers of the control, office and themed listeners get beside the desk. */
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { jsonText } from '../base/visible-text.ts';
import { type Service, Streamed } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import type { AnyOperation } from '../desk/operation.ts';
import { OPERATIONS } from '../features/table.ts';
import { docsPage } from '../pages/docs-page.tsx';
import { renderPage } from '../pages/render.tsx';
import { themeCss } from '../pages/theme.ts';
import { type Page, page as pageRecord } from '../records/page.ts';
import type { DeskState } from '../records/state.ts';
import { STYLE_TYPE } from './assets.ts';
import { bodyOf } from './bodies.ts';
import type { ConsultTurns } from './consult-turns.ts';
import type { LiveHub, LiveViews } from './live.ts';
import { openApiDocument, openApiText } from './openapi.ts';
import type { ProcessReads } from './process-reads.ts';
import { publicService } from './public-app.ts';
import { CODE_LIFE_MS, type Tokens } from './tokens.ts';
import type { WrongTokens } from './wrong-tokens.ts';

interface Parts {
  readonly desk: Desk;
  readonly hub: LiveHub;
  readonly views: LiveViews;
  readonly consults: ConsultTurns;
  readonly processes: ProcessReads;
  readonly tokens: Tokens;
  readonly wrong: WrongTokens;
  readonly log: Logger;
}

const WRONG_CODE = 'The code is unknown, used or older than 60 s. Run "desk open" again.';

type Send = (event: string, data: unknown) => void;

/** Events until `work` ends; nothing waits for it, so what it throws is logged. */
function writeEvents(response: ServerResponse, work: (send: Send) => Promise<void>, log: Logger): void {
  const send: Send = (event, data) => {
    // JSON text without an indent has no line feeds, so one data line holds it.
    if (response.writable) response.write(`event: ${event}\ndata: ${jsonText(data)}\n\n`);
  };
  response.on('error', () => response.destroy());
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  work(send).then(
    () => response.end(),
    (err) => {
      log.error({ err }, 'the stream of an answer failed');
      response.destroy();
    },
  );
}

const recordOf = (state: DeskState): Buffer =>
  bodyOf(state, pageRecord.name, () => jsonText(pageRecord.assemble(state)));

export function deskService({ desk, hub, views, consults, processes, tokens, wrong, log }: Parts): Service {
  let docs: string | undefined;
  return {
    ...publicService(desk),
    log,
    liveView: (state) => views.of(state),
    follow: ({ lastEventId, caller }) =>
      new Streamed((response) => hub.attach(response, lastEventId, caller.name)),
    events: (work) => new Streamed((response) => writeEvents(response, work, log)),
    beginConsult: (caller) => consults.begin(caller),
    readProcess: (...asked) => processes.read(...asked),
    issueCode: () => ({ code: tokens.issueCode(), seconds: CODE_LIFE_MS / 1000 }),
    redeem: (code, caller) => tokens.redeem(code) ?? wrong.refuse(log, { caller: caller.name }, WRONG_CODE),
    page: async (name, styles) =>
      bodyOf(await desk.state(), `page ${name}`, (state) => {
        const json = recordOf(state).toString();
        return renderPage(name, JSON.parse(json) as Page, json, styles === undefined ? {} : { styles });
      }),
    processPage: async (process) => {
      const json = recordOf(await desk.state()).toString();
      return renderPage('process', JSON.parse(json) as Page, json, { process });
    },
    themeStyle: () => ({ text: themeCss(desk.config.theme), type: STYLE_TYPE }),
    reference: {
      page: () => (docs ??= docsPage(openApiDocument())),
      document: openApiText,
    },
    operations: OPERATIONS as readonly AnyOperation[],
  };
}
