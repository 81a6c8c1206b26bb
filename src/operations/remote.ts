/** What the remote listener serves, for reading only; and what of it other listeners serve too. */
import { newest, type RemoteDesk } from '../desk/context.ts';
import { remoteOperation, widelyReadOperation } from '../desk/operation.ts';
import { remoteView as viewRecord, widget as widgetRecord } from '../records/remote.ts';
import type { DeskState } from '../records/state.ts';

const ageMs = ({ snapshot }: DeskState): number => performance.now() - snapshot.at.monotonicMs;

/** With its age now: never the same twice, so it is made each time. */
const ofNow =
  <R>(record: { assemble(asked: { readonly state: DeskState; readonly ageMs: number }): R }) =>
  async ({ desk }: { readonly desk: RemoteDesk }): Promise<R> => {
    const state = await newest(desk);
    return record.assemble({ state, ageMs: ageMs(state) });
  };

export const remotePage = remoteOperation({
  route: 'GET /',
  roles: ['remote'],
  summary: 'The page for other machines: it asks for a token',
  answer: 'page',
  handle: ({ service }) => service.remotePage(),
});

export const remoteView = remoteOperation({
  route: 'GET /view.json',
  roles: ['remote'],
  summary: 'The desk as shown to other machines',
  answer: viewRecord.schema,
  handle: ofNow(viewRecord),
});

export const remoteEvents = remoteOperation({
  route: 'GET /events',
  roles: ['remote'],
  summary:
    'The widget; as text/event-stream the events snapshot (the widget), finding, scar, port and missed, resumed by Last-Event-ID',
  answer: widgetRecord.schema,
  stream: true,
  handle: (context, _input, call) =>
    call.wantsStream ? context.service.followRemote(call) : ofNow(widgetRecord)(context),
});

export const widget = widelyReadOperation({
  route: 'GET /widget.json',
  roles: ['control', 'office', 'remote'],
  summary: 'The desk in one flat object, for dashboards',
  answer: widgetRecord.schema,
  handle: ofNow(widgetRecord),
});

export const metrics = widelyReadOperation({
  route: 'GET /metrics',
  roles: ['control', 'remote'],
  summary: 'Figures of the engine for Prometheus; to other machines without those about mail and egress',
  answer: 'metrics',
  handle: ({ desk }) => desk.metrics(),
});
