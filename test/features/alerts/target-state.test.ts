/** What is reported to a target, and when: groups, resolved, reminders, quiet time, restarts. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AlertItem, AlertMessage } from '../../../src/features/alerts/message.ts';
import { type TargetRules, TargetState } from '../../../src/features/alerts/target-state.ts';
import { forAll } from '../../support/for-all.ts';
import { item, open } from './items-of.ts';

const RULES = { host: 'box', groupMs: 5_000, remindMs: 24 * 3_600_000, least: 'medium' } as const;
const START = Date.UTC(2026, 10, 22, 9, 30);
const at = (ms: number) => ({ monoMs: ms, wallMs: START + ms });

/** A target whose messages arrive as soon as they are made. */
class Told {
  readonly messages: AlertMessage[] = [];
  ms = 0;
  state: TargetState;
  quiet = false;
  acceptedBy: (finding: string) => string = () => '';

  constructor(rules: TargetRules = RULES) {
    this.state = new TargetState(rules);
  }

  see(...items: readonly AlertItem[]): this {
    this.state.observe(open(...items), at(this.ms), this.acceptedBy);
    return this.take();
  }

  /** Time passes in steps of a second. */
  wait(ms: number): this {
    for (const end = this.ms + ms; this.ms < end; ) {
      this.ms = Math.min(end, this.ms + 1000);
      this.take();
    }
    return this;
  }

  restart(): this {
    this.state = new TargetState(RULES, JSON.parse(JSON.stringify(this.state.saved)));
    return this;
  }

  take(): this {
    if (this.quiet) this.state.quieten('kernel update', START);
    const message = this.state.make(at(this.ms), this.quiet);
    if (message !== null) {
      this.messages.push(message);
      this.state.delivered();
    }
    return this;
  }

  get titles(): readonly string[] {
    return this.messages.map(({ title }) => title);
  }
}

test('what is not decided is not reported; when it was reported before, it is not resolved either', () => {
  const told = new Told();
  const [down, undecided] = [item('a'), item('a', { tentative: true })];
  told.see(undecided).wait(20_000);
  assert.equal(told.titles, []);
  told.see(down).wait(20_000);
  assert.is(told.messages.length, 1);
  told.restart().see(undecided).wait(60_000).see(down).wait(60_000);
  assert.is(told.messages.length, 1);
  told.restart().see(undecided).wait(60_000).see().wait(60_000);
  assert.equal(
    told.messages.map(({ kind }) => kind),
    ['opened', 'resolved'],
  );
});

test('fifty findings within five seconds are one message, and their end is one more', () => {
  const told = new Told();
  const all = Array.from({ length: 50 }, (_, index) =>
    item(`f${index}`, index === 7 ? { severity: 'high' } : {}),
  );
  for (let count = 1; count <= 50; count += 1) {
    told.see(...all.slice(0, count));
    told.ms += 90;
  }
  told.wait(60_000);
  assert.equal(told.titles, ['box: 50 new, the worst high: finding f7']);
  const [first] = told.messages;
  assert.is(first?.opened.length, 50);
  assert.match(first?.text ?? '', /and 45 medium more: desk findings\n\n50 open now/);
  for (let count = 49; count >= 0; count -= 1) {
    told.see(...all.slice(0, count));
    told.ms += 90;
  }
  told.wait(60_000);
  assert.equal(told.titles.slice(1), ['box: all 50 resolved']);
  assert.is(told.messages[1]?.kind, 'resolved');
});

test('a message says what, who, why it may be benign, and one command', () => {
  const told = new Told().see(
    item('a1', { title: 'bash (pid 42) has its input connected to 203.0.113.7:4444', severity: 'critical' }),
  );
  told.wait(5_000);
  assert.is(
    told.messages[0]?.text,
    [
      '[critical] bash (pid 42) has its input connected to 203.0.113.7:4444',
      'since 2026-11-22 10:30:00, unknown-listener, user www-data, runs php-fpm, peer 203.0.113.7:4444',
      'command: php-fpm --secret',
      'may be benign: a service you started',
      'next: desk findings a1',
      '',
      '1 open now: desk findings',
    ].join('\n'),
  );
});

test('what ended before it was reported is reported once, as over, and never as resolved', () => {
  const told = new Told().see(item('a')).wait(1000).see().wait(60_000);
  assert.equal(told.titles, ['box: medium: over already: finding a']);
  assert.is(told.messages[0]?.open, 0);
  assert.equal(told.state.saved.reported, {});
});

test('what was accepted is not called resolved', () => {
  const told = new Told();
  const why: Record<string, string> = { b: 'ours', listener: 'learned' };
  told.acceptedBy = (finding) => why[finding] ?? '';
  const [a, b] = [item('a'), item('b', { title: 'finding b' })];
  const c = item('c', { finding: 'listener' });
  const texts = () =>
    told.messages.map(({ title, text }) => [title.replace('box: ', ''), text] as const).slice(1);
  told.see(b).wait(20_000).see().wait(20_000);
  const [one] = texts();
  assert.is(one?.[0], 'accepted: finding b');
  assert.match(one?.[1] ?? '', /^accepted:\n\[medium\] finding b \(ours\)$/m);
  assert.not.match(one?.[1] ?? '', /resolved/);
  told.see(a, b, c).wait(20_000).see(a, b).wait(60_000).see().wait(20_000);
  const [, , partly, all] = texts();
  assert.equal([partly?.[0], all?.[0]], ['1 accepted, 2 still open', 'all 1 resolved, 1 accepted']);
  assert.match(
    all?.[1] ?? '',
    /^resolved:\n\[medium\] finding a\n\naccepted:\n\[medium\] finding b \(ours\)$/m,
  );
  told.see(b).see().wait(20_000);
  assert.is(texts().at(-1)?.[0], 'medium: accepted already: finding b');
});

test('of a listener whose program has started again, the newest finding says by what it was accepted', () => {
  const told = new Told();
  told.acceptedBy = (finding) => (finding === 'second' ? 'ours' : '');
  told.see(item('a', { finding: 'first' })).wait(20_000);
  told.see(item('a', { finding: 'second' })).wait(20_000);
  told.restart().see().wait(20_000);
  assert.equal(told.titles.slice(1), ['box: accepted: finding a']);
});

test('no message while nothing changes, and a reminder once a day', () => {
  const told = new Told().see(item('a')).wait(5_000);
  for (let hour = 0; hour < 49; hour += 1) told.see(item('a')).wait(3_600_000);
  assert.equal(told.titles, [
    'box: medium: finding a',
    'box: 1 problem still open',
    'box: 1 problem still open',
  ]);
  assert.match(told.messages[1]?.text ?? '', /next: desk findings a/);
  const never = new Told({ ...RULES, remindMs: 0 }).see(item('a')).wait(200_000_000);
  assert.is(never.messages.length, 1);
});

test('a part that is resolved is reported when no more follows for half a minute', () => {
  const told = new Told().see(item('a'), item('b'), item('c')).wait(10_000);
  told.see(item('a'), item('b')).wait(20_000).see(item('a')).wait(29_000);
  assert.is(told.messages.length, 1);
  told.wait(2_000);
  assert.equal(told.titles.slice(1), ['box: 2 resolved, 1 still open']);
  assert.is(told.messages[1]?.severity, 'medium');
});

test('a finding that closes and opens again before the message is not a change', () => {
  const told = new Told().see(item('a'), item('b')).wait(10_000);
  told.see(item('a')).wait(10_000).see(item('a'), item('b')).wait(120_000);
  assert.is(told.messages.length, 1);
});

test('while a message does not arrive, everything else waits for one message after it', () => {
  const state = new TargetState(RULES);
  state.observe(open(item('a')), at(0));
  const first = state.make(at(5_000), false);
  assert.is(first?.opened.length, 1);
  state.attempt();
  state.failed(true);
  for (let minute = 1; minute < 11; minute += 1)
    state.observe(
      open(item('a'), ...Array.from({ length: minute }, (_, i) => item(`n${i}`))),
      at(minute * 60_000),
    );
  state.observe(open(item('n0')), at(660_000));
  assert.is(state.make(at(900_000), false), null);
  assert.equal([state.saved.tries, state.saved.unsure], [1, true]);
  state.delivered();
  const second = state.make(at(900_000), false);
  assert.is(second?.opened.length, 10);
  assert.is(second?.opened.filter(({ over }) => over).length, 9);
  assert.equal(
    second?.resolved.map(({ id }) => id),
    ['a'],
  );
  assert.is(second?.open, 1);
});

test('at most ten messages in ten minutes, unless something is critical', () => {
  const told = new Told({ ...RULES, groupMs: 1000 });
  for (let index = 0; index < 40; index += 1)
    told
      .see(item(`f${index}`))
      .wait(5_000)
      .see()
      .wait(5_000);
  assert.is(told.messages.length, 10);
  told.see(item('bad', { severity: 'critical' })).wait(1_000);
  assert.is(told.messages.length, 11);
  assert.match(told.titles.at(-1) ?? '', /the worst critical: finding bad/);
});

test('in quiet time only critical items are said, and one summary follows', () => {
  const told = new Told().see(item('old')).wait(10_000);
  told.quiet = true;
  told.see(item('old'), item('a')).wait(60_000).see(item('a')).wait(600_000).see(item('b')).wait(60_000);
  assert.is(told.messages.length, 1);
  told.restart();
  told.see(item('b'), item('c', { severity: 'critical' })).wait(10_000);
  assert.equal(told.titles.slice(1), ['box: critical: finding c']);
  told.quiet = false;
  told.see(item('b'), item('c', { severity: 'critical' })).wait(10_000);
  assert.equal(told.titles.slice(2), ['box: quiet time is over: 2 new, 1 resolved, 2 open']);
  assert.match(
    told.messages[2]?.text ?? '',
    /^Quiet time since 2026-11-22 09:30 UTC is over \(kernel update\)/,
  );
  assert.equal(
    told.messages[2]?.opened.map(({ id, over }) => [id, over]),
    [
      ['a', true],
      ['b', false],
    ],
  );
  told.wait(120_000);
  assert.is(told.messages.length, 3);
});

test('quiet time in which nothing happens ends without a message', () => {
  const told = new Told().see(item('a')).wait(10_000);
  told.quiet = true;
  told.see(item('a')).wait(600_000);
  told.quiet = false;
  told.see(item('a')).wait(60_000);
  assert.is(told.messages.length, 1);
  assert.is(told.state.saved.quiet, null);
  // A later change is an ordinary one.
  told.see(item('a'), item('b')).wait(10_000);
  assert.is(told.messages[1]?.kind, 'opened');
});

test('nothing below the least severity is reported, and raising it resolves nothing', () => {
  const told = new Told().see(item('a'), item('b', { severity: 'low' })).wait(10_000);
  assert.equal(told.titles, ['box: medium: finding a']);
  const higher = new TargetState({ ...RULES, least: 'critical' }, told.state.saved);
  higher.observe(open(item('a')), at(told.ms));
  assert.is(higher.dueMs(at(told.ms + 60_000), false) > 1_000_000, true);
  higher.observe(open(), at(told.ms + 60_000));
  assert.is(higher.make(at(told.ms + 70_000), false)?.kind, 'resolved');
});

test('a finding is reported again when it becomes more severe', () => {
  const told = new Told()
    .see(item('a'))
    .wait(10_000)
    .see(item('a', { severity: 'critical' }))
    .wait(10_000);
  assert.equal(told.titles.slice(1), ['box: critical: finding a']);
  told.see(item('a')).wait(60_000).see().wait(60_000);
  assert.equal(told.titles.slice(2), ['box: resolved: finding a']);
});

test('what becomes more severe in quiet time and ends then is resolved, and not over already', () => {
  const told = new Told().see(item('a')).wait(10_000);
  told.quiet = true;
  told
    .see(item('a', { severity: 'high' }))
    .wait(60_000)
    .see()
    .wait(60_000);
  told.quiet = false;
  told.wait(60_000);
  const { opened, resolved } = told.messages.at(-1) as AlertMessage;
  assert.equal(
    [opened, resolved].map((items) => items.map(({ id }) => id)),
    [[], ['a']],
  );
});

test('who it is about is in the message, also where that was known later', () => {
  const told = new Told()
    .see(item('a', { user: '', program: '' }))
    .wait(2_000)
    .see(item('a'))
    .wait(10_000);
  assert.match(told.messages[0]?.text ?? '', /user www-data, runs php-fpm/);
});

test('a critical item finds room among five hundred others, also in quiet time', () => {
  const told = new Told();
  told.quiet = true;
  const many = Array.from({ length: 600 }, (_, index) => item(`f${index}`));
  told
    .see(...many)
    .wait(10_000)
    .see(...many, item('bad', { severity: 'critical' }))
    .wait(10_000);
  assert.equal(told.titles, ['box: critical: finding bad']);
  assert.is(told.state.saved.pending.length, 500);
});

test('no message before the first observation, whatever was saved', () => {
  const told = new Told().see(item('a')).wait(10_000);
  told.restart();
  assert.is(told.state.make(at(told.ms + 90_000_000), false), null);
  told.state.observe(open(item('a')), at(told.ms + 90_000_000));
  assert.is(told.state.make(at(told.ms + 90_000_000), false)?.opened.length, 1);
});

test('a message that is refused for what it says has a short form with the same id', () => {
  const state = new TargetState(RULES);
  state.observe(open(item('a', { title: 'x'.repeat(900) })), at(0));
  const long = state.make(at(5_000), false);
  state.shorten();
  const { message } = state.saved;
  assert.is(message?.id, long?.id);
  assert.equal([message?.opened, (message?.text.length ?? 0) < 250], [[], true]);
});

test('whatever opens, closes, restarts and fails to arrive: nothing is lost or reported twice, and the end agrees with what is open', () => {
  const step = fc.record({
    ids: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 7 }),
    waitMs: fc.integer({ min: 0, max: 40_000 }),
    restart: fc.boolean(),
    arrives: fc.boolean(),
  });
  forAll(fc.array(step, { maxLength: 30 }), (steps) => {
    let state = new TargetState(RULES);
    let ms = 0;
    /** What a reader of all messages believes to be open. */
    const believed = new Set<string>();
    const seen = new Set<string>();
    const said = new Set<string>();
    const read = ({ opened, resolved, kind }: AlertMessage): void => {
      if (kind === 'reminder') return;
      for (const { id, over } of opened) {
        assert.not.ok(believed.has(id), `${id} was reported as open twice`);
        said.add(id);
        if (!over) believed.add(id);
      }
      for (const { id } of resolved) assert.ok(believed.delete(id), `${id} was resolved without being open`);
    };
    const go = (ids: readonly number[], arrives: boolean): void => {
      state.observe(open(...ids.map((id) => item(`f${id}`))), at(ms));
      for (const id of ids) seen.add(`f${id}`);
      state.make(at(ms), false);
      const { message } = state.saved;
      if (message === null) return;
      state.attempt();
      if (!arrives) {
        state.failed(false);
        return;
      }
      read(message);
      state.delivered();
    };
    for (const { ids, waitMs, restart, arrives } of steps) {
      go(ids, arrives);
      ms += waitMs;
      if (restart) state = new TargetState(RULES, JSON.parse(JSON.stringify(state.saved)));
    }
    const last = steps.at(-1)?.ids ?? [];
    for (let index = 0; index < 40; index += 1) {
      go(last, true);
      ms += 60_000;
    }
    assert.equal([...believed].sort(), [...new Set(last.map((id) => `f${id}`))].sort());
    assert.equal([...said].sort(), [...seen].sort());
  });
});

test.run();
