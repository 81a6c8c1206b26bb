/** The operations of gate, antivirus and learning. Which of them need a token says the endpoint table. */
import type { CookRun, Desk, Learned } from '../../desk.ts';
import { baselineDiff } from '../../records/baseline-diff.ts';
import { cook } from '../../records/cook.ts';
import { scarCheck } from '../../records/scar.ts';
import { offsetTime } from '../../records/time.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';
import { accepted, learned, reviewed } from '../operation-answers.ts';

const now = (): string => {
  const at = new Date();
  return offsetTime({ epochMs: at.getTime(), offsetMin: -at.getTimezoneOffset() });
};

const learnt = (result: Learned): Reply => ({
  json: JSON.stringify(learned.assemble({ ts: now(), ...result })),
});

const cooked = (run: CookRun): Reply => ({ json: JSON.stringify(cook.assemble(run)) });

export function operationRoutes(desk: Desk) {
  return {
    'scar-check': async () => ({ json: JSON.stringify(scarCheck.assemble(await desk.scarCheck())) }),
    cook: async ({ body }) => cooked(await desk.cook(body.mode)),
    'av-close': async () => cooked(await desk.avClose()),
    'field-clear': async ({ body }) => cooked(await desk.fieldClear(body.mode)),
    learn: async ({ body }) => learnt(await desk.learn(body.window_min)),
    'baseline-diff': async () => ({ json: JSON.stringify(baselineDiff.assemble(await desk.difference())) }),
    'baseline-restore': async ({ body }) => learnt(await desk.restore(body.generation)),
    'baseline-review': async () => ({
      json: JSON.stringify(reviewed.assemble({ ts: now(), ...(await desk.reviewed()) })),
    }),
    accept: async ({ body: { finding, why, expires } }) => {
      await desk.accept(finding, why, expires);
      return { json: JSON.stringify(accepted.assemble({ ts: now(), finding })) };
    },
  } satisfies Partial<ControlHandlers>;
}
