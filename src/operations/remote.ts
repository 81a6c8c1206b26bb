/** What the remote listener serves, for reading only; and what of it other listeners serve too. */
import { ageMsOf, newest, type RemoteDesk } from '../desk/context.ts';
import { type RecordOf, remoteOperation, widelyReadOperation } from '../desk/operation.ts';
import { remoteView as viewRecord, widget as widgetRecord } from '../records/remote.ts';

/** With its age now: never the same twice, so it is made each time. */
async function widgetOfNow({
  desk,
}: {
  readonly desk: RemoteDesk;
}): Promise<RecordOf<typeof widgetRecord.schema>> {
  const state = await newest(desk);
  return widgetRecord.assemble({ state, ageMs: ageMsOf(state) });
}

export const remotePage = remoteOperation({
  route: 'GET /',
  roles: ['remote'],
  summary: 'The page for other machines: it asks for a token',
  answer: 'page',
  open: true,
  handle: ({ service }) => service.remotePage(),
});

export const remoteView = remoteOperation({
  route: 'GET /view.json',
  roles: ['remote'],
  summary: 'The desk as shown to other machines',
  answer: viewRecord.schema,
  async handle({ desk, service }) {
    const state = await newest(desk);
    return viewRecord.assemble({ state, ageMs: ageMsOf(state), shownId: (id) => service.shownId(id) });
  },
});

export const remoteEvents = remoteOperation({
  route: 'GET /events',
  roles: ['remote'],
  summary:
    'The widget; as text/event-stream the events snapshot (the widget), finding, scar, port and missed, resumed by Last-Event-ID',
  answer: widgetRecord.schema,
  stream: true,
  handle: (context, _input, call) =>
    call.wantsStream ? context.service.followRemote(call) : widgetOfNow(context),
});

export const widget = widelyReadOperation({
  route: 'GET /widget.json',
  roles: ['control', 'office', 'remote'],
  summary: 'The desk in one flat object, for dashboards',
  answer: widgetRecord.schema,
  tool: {
    name: 'status',
    about:
      'Whether the machine is well: verdict, grade, counts of findings by severity, ports, age of the last check.',
  },
  handle: widgetOfNow,
});

export const metrics = widelyReadOperation({
  route: 'GET /metrics',
  roles: ['control', 'remote'],
  summary:
    'Metrics for Prometheus; other machines do not get those about mail, egress, further sites and disks',
  answer: 'metrics',
  handle: ({ desk }) => desk.metrics(),
});
