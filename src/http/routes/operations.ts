/** The operations of gate, antivirus and learning. Which of them need a token says the endpoint table. */
import { jsonText } from '../../base/visible-text.ts';
import type { CookRun, Desk, Learned } from '../../desk.ts';
import { now } from '../../now.ts';
import { acceptedList, undone } from '../../records/accepted.ts';
import { baselineDiff } from '../../records/baseline-diff.ts';
import { cook } from '../../records/cook.ts';
import { type Quarantined, quarantine } from '../../records/quarantine.ts';
import { scarCheck } from '../../records/scar.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';
import { accepted, learned, reviewed } from '../operation-answers.ts';

/** The answer about files that were set aside. */
const files = (desk: Desk, action: 'list' | 'restore' | 'purge', found: readonly Quarantined[]): Reply => ({
  json: jsonText(quarantine.assemble({ ts: now(), action, folder: desk.quarantine.folder, files: found })),
});

const learnt = (result: Learned): Reply => ({
  json: jsonText(learned.assemble({ ts: now(), ...result })),
});

const cooked = (run: CookRun): Reply => ({ json: jsonText(cook.assemble(run)) });

export function operationRoutes(desk: Desk) {
  return {
    'scar-check': async () => ({ json: jsonText(scarCheck.assemble(await desk.scarCheck())) }),
    cook: async ({ body }) => cooked(await desk.cook(body.mode, body.findings)),
    'av-close': async ({ body }) => cooked(await desk.avClose(body.mode)),
    'field-clear': async ({ body }) => cooked(await desk.fieldClear(body.mode)),
    quarantine: () => files(desk, 'list', desk.quarantine.list()),
    'quarantine-restore': ({ body: { id } }) => files(desk, 'restore', [desk.quarantine.restore(id)]),
    'quarantine-purge': ({ body: { id, older_than_sec: olderThanSec = 0 } }) =>
      files(desk, 'purge', desk.quarantine.purge(id === undefined ? { olderThanSec } : { id })),
    learn: async ({ body }) => learnt(await desk.baseline.learn(body.window_min)),
    'baseline-diff': async () => ({
      json: jsonText(baselineDiff.assemble(await desk.baseline.difference())),
    }),
    'baseline-restore': async ({ body }) => learnt(await desk.baseline.restore(body.generation)),
    'baseline-review': async () => ({
      json: jsonText(reviewed.assemble({ ts: now(), ...(await desk.baseline.reviewed()) })),
    }),
    accept: async ({ body: { finding, accepts, why, expires } }) => {
      const accepting = await desk.accept(finding, accepts, why, expires);
      return { json: jsonText(accepted.assemble({ ts: now(), finding, ...accepting })) };
    },
    accepted: () => ({
      json: jsonText(acceptedList.assemble({ ts: now(), entries: desk.accepted.list() })),
    }),
    'accept-undo': async ({ body: { id } }) => ({
      json: jsonText(undone.assemble({ ts: now(), ...(await desk.accepted.undo(id)) })),
    }),
  } satisfies Partial<ControlHandlers>;
}
