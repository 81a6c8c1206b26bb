/** What the desk does about findings by itself: the antivirus pass, and clearing its own residue. */
import { z } from 'zod';
import { dim, strong } from '../../base/terminal.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { cook as cookRecord } from '../../records/scar.ts';
import { isGateWell, SLOW_MS, showCook } from '../gate/operations.ts';
import { REMEDIES } from './api.ts';

export const avClose = operation({
  route: 'POST /av/close',
  roles: DESK,
  summary:
    'A full antivirus pass: closes avenues whose subjects are gone, shuts banned listeners down that the law does not allow',
  input: z.strictObject({
    mode: z
      .enum(['check', 'cook'])
      .default('cook')
      .describe('check looks at everything and says what cook-off would do then; cook does it'),
  }),
  answer: cookRecord.schema,
  token: 'control',
  changes: true,
  handle: async ({ desk }, { mode }) => cookRecord.assemble(await desk.use(REMEDIES).avClose(mode)),
  command: {
    name: 'av close',
    arguments: [{ name: 'once', meaning: 'one pass', choices: ['once'] }],
    examples: [['desk av close once', 'one full pass by the service']],
    timeoutMs: SLOW_MS,
    print: showCook,
    isWell: isGateWell,
  },
});

export const fieldClear = operation({
  route: 'POST /field/clear',
  roles: DESK,
  summary: 'Clears stale residue of the desk itself; resolute also shuts a banned listener down',
  input: z.strictObject({ mode: z.enum(['soft', 'resolute']).describe('how far it goes') }),
  answer: cookRecord.schema,
  token: 'control',
  changes: true,
  handle: async ({ desk }, { mode }) => cookRecord.assemble(await desk.use(REMEDIES).fieldClear(mode)),
  command: {
    name: 'field clear',
    summary: "Sets the desk's own stale files aside; resolute also shuts banned listeners down",
    arguments: [{ name: 'mode', field: 'mode', meaning: 'how far to go' }],
    examples: [
      ['desk field clear soft', 'only stale files of the desk'],
      ['desk field clear resolute', 'those, and listeners on banned ports'],
    ],
    timeoutMs: SLOW_MS,
    print(out, record, { mode }) {
      // What is left alone is listed by the gate below.
      const tried = record.remedies.filter(({ left }) => !left);
      const what = tried.length === 0 ? 'nothing to clear' : `${tried.length} handled`;
      out.line(strong(`Field clear ${mode}`), `  ${what}`);
      for (const { result, remedy } of tried) out.wrapped(dim('  '), `${remedy}: ${result}`);
      showCook(out, { ...record, remedies: record.remedies.filter(({ left }) => left) });
    },
    isWell: isGateWell,
  },
});
