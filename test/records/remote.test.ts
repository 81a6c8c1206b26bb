/** Nothing that other machines are shown holds a text of a command line, a path, a user, a mail address, the evidence or the configuration. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { remoteFindingOf, remoteMetrics, remoteView, widget } from '../../src/records/remote.ts';
import type { DeskState } from '../../src/records/state.ts';
import { anyState } from '../support/arbitrary-state.ts';

const CANARY = 'canary';
const word = (what: string): string => `${CANARY}-${what}`;

/** Keys whose texts may be shown: words of the desk's own, and names of desk ports. */
const OWN = new Set([
  'id',
  'check',
  'avenue',
  'severity',
  'kind',
  'protocol',
  'address',
  'name',
  'role',
  'state',
  'mode',
  'scope',
  'version',
  'firstSeen',
  'lastSeen',
  'grade',
  'backend',
]);

/** The state with a canary in every text that is not the desk's own, however deep. */
function spoiled<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (OWN.has(key) ? value : word(key)) as T;
  if (Array.isArray(value)) return value.map((one) => spoiled(one, key)) as T;
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, spoiled(one, inner)])) as T;
}

/** Findings and the rest of the state, with the facts that records cannot be without. */
function canaries(state: DeskState): DeskState {
  const { judgement, desk, snapshot } = state;
  const findings = judgement.findings.map((finding) => ({
    ...spoiled(finding),
    subject:
      finding.subject.kind === 'process'
        ? {
            ...finding.subject,
            comm: word('comm'),
            executable: `/home/${word('user')}/node`,
            identity: word('identity'),
          }
        : spoiled(finding.subject),
    about:
      finding.about === null
        ? null
        : spoiled({ ...finding.about, name: word('name'), command: word('command') }),
    evidence: { command: word('command'), environment: word('environment'), path: `/home/${word('user')}/x` },
  }));
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const { config } = desk;
  return {
    ...state,
    snapshot: {
      ...snapshot,
      probes: snapshot.probes.map((probe) => ({ ...probe, reason: word('reason'), cure: word('cure') })),
    },
    judgement: {
      ...judgement,
      findings,
      scars: judgement.scars.map((scar) => byId.get(scar.id) ?? spoiled(scar)),
      notes: judgement.notes.map((note) => ({ ...note, reason: word('reason'), cure: word('cure') })),
      suppressed: spoiled(judgement.suppressed),
    },
    desk: {
      ...desk,
      config: {
        ...config,
        identity: spoiled(config.identity),
        mail: spoiled(config.mail),
        links: spoiled(config.links),
        assistant: spoiled(config.assistant),
      },
      site: { ...spoiled(desk.site) },
      mail: spoiled(desk.mail),
      duties: spoiled(desk.duties),
      remedies: spoiled(desk.remedies),
      lawExpired: [word('law')],
      configTrouble: desk.configTrouble === '' ? '' : word('configuration'),
      service: {
        ...desk.service,
        fieldTrouble: desk.service.fieldTrouble === '' ? '' : word('field'),
        listeners: desk.service.listeners.map((one) => ({ ...one, reason: word('reason') })),
      },
    },
  };
}

test('no canary is in the view, the widget or a finding event of any state', () => {
  let findings = 0;
  let bad = 0;
  fc.assert(
    fc.property(anyState, (plain) => {
      const state = canaries(plain);
      findings += state.judgement.findings.length;
      const shownId = () => 'shown';
      const view = remoteView.assemble({ state, ageMs: 12, shownId });
      if (!view.ok) bad += 1;
      const all = JSON.stringify([
        view,
        widget.assemble({ state, ageMs: 12 }),
        state.judgement.findings.map((finding) => remoteFindingOf(finding, shownId)),
      ]);
      assert.not.match(all, CANARY);
      assert.not.match(all, '/home/');
      // The id of a finding is a digest that confirms a guessed path.
      for (const { id } of state.judgement.findings) assert.not.match(all, `"${id}"`);
    }),
    { numRuns: 300 },
  );
  // The property says something only about states that have something to hide.
  assert.ok(findings > 100 && bad > 50);
});

test('a state with a canary everywhere does show it on this machine', async () => {
  const { page } = await import('../../src/records/page.ts');
  const [plain] = fc
    .sample(anyState, { numRuns: 200, seed: 7 })
    .filter(({ judgement }) => judgement.findings.length > 0);
  assert.match(JSON.stringify(page.assemble(canaries(plain as DeskState))), CANARY);
});

test('metrics leave without figures about people and the places that the desk connects to', () => {
  const text = [
    '# HELP desk_mail_people People in the mail ledger',
    '# TYPE desk_mail_people gauge',
    'desk_mail_people 3',
    'desk_egress_connections_total{place="imap.example.org:993"} 1',
    '# HELP desk_findings Open findings',
    'desk_findings 2',
    '',
  ].join('\n');
  assert.is(remoteMetrics(text), '# HELP desk_findings Open findings\ndesk_findings 2\n');
});

test.run();
