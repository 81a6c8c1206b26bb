import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { status } from '../../operations/status.ts';
import type { DeskStatus } from '../../records/desk-status.ts';
import type { MailCheck, MailState, MailTest } from '../../records/mail.ts';
import * as operations from './operations.ts';

/** Two servers, each with time to resolve, connect, agree on TLS and answer. */
const SERVERS_MS = 90_000;

export const mail: Command = {
  name: 'mail',
  summary: 'Shows the mail identity and checks it: names, certificates, logins; sends a test message',
  arguments: [
    {
      name: 'action',
      meaning: 'check (by default); show: ask no server; test: send a message to an address of your own',
      choices: ['check', 'show', 'test'],
      optional: true,
    },
    {
      name: 'to',
      meaning: 'where the test message goes; the address of [identity] by default',
      optional: true,
    },
  ],
  local: true,
  examples: [
    ['desk mail', 'identity, servers with their checks, sources of people'],
    ['desk mail test', 'a message from you to you'],
  ],
  async run({ answer, withSource }, { arguments: { action = 'check', to } }) {
    return withSource(
      async (source) => {
        if (action === 'test') {
          const sent = await source.ask(operations.mailTest, to === undefined ? {} : { to });
          return answer(sent, showTest, sent.ok);
        }
        const record = await source.ask(status, {});
        const state = await source.ask(operations.mail, {});
        const { identity } = record;
        const asks = action === 'check' && (identity.imap_host !== '' || identity.smtp_host !== '');
        const check = asks ? await source.ask(operations.mailCheck, {}) : null;
        const well = (check?.ok ?? true) && state.trouble === '';
        const all = { identity, mail: record.hostess_charge.mail, state, check };
        return answer(all, (out) => show(out, record, state, check), well);
      },
      { timeoutMs: SERVERS_MS },
    );
  },
};

function showTest(out: Terminal, { ok, to, ms, detail }: MailTest): void {
  if (ok) out.line(good('Sent'), ` to ${to} in ${ms} ms: ${detail}`);
  else out.line(bad('Not sent'), to === '' ? ': ' : ` to ${to}: `, detail);
}

const WIDTH = 10;

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function show(out: Terminal, status: DeskStatus, state: MailState, check: MailCheck | null): void {
  const { identity, hostess_charge } = status;
  const row = (name: string, text: string): void =>
    out.line(dim(`  ${name.padEnd(WIDTH)}`), text || dim('not configured'));
  out.line(
    strong(identity.from_name || 'Mail'),
    dim(identity.updated === '' ? '' : `  as of ${identity.updated}`),
  );
  row('address', identity.address);
  const server = (protocol: 'imap' | 'smtp', host: string, port: number, user: string): void => {
    const by = user || identity.user || identity.address;
    row(protocol.toUpperCase(), host && `${by} at ${host}:${port} (${identity.ssl_mode})`);
    for (const step of check?.servers.find((one) => one.protocol === protocol)?.steps ?? [])
      out.line(
        ' '.repeat(WIDTH + 2),
        step.ok ? good('✓ ') : bad('✗ '),
        `${step.step.padEnd(9)}`,
        dim(`${step.ms.toFixed(0).padStart(5)} ms  `),
        step.detail,
      );
  };
  server('imap', identity.imap_host, identity.imap_port, identity.imap_user);
  server('smtp', identity.smtp_host, identity.smtp_port, identity.smtp_user);
  row('webmail', identity.webmail);
  const needed = identity.imap_host !== '' || identity.smtp_host !== '';
  row('password', state.pass_set ? 'set' : needed ? 'none that can be used' : '');
  row('client', state.claws_up ? 'runs' : 'does not run');
  const { people, messages, finite, export: exported } = state.ledger;
  row(
    'ledger',
    `${counted(people, 'person', 'people')} from ${counted(messages, 'message', 'messages')}${finite ? '' : ', over its cap'}`,
  );
  if (exported !== '') row('export', exported);
  row('page', hostess_charge.mail.page);
  // What the sources report is not repeated.
  const reported = state.sources.some(({ reason }) => reason !== '' && state.trouble.includes(reason));
  if (state.trouble !== '' && !reported) out.line(dim(`  ${'trouble'.padEnd(WIDTH)}`), warn(state.trouble));
  for (const one of state.sources) out.line(dim(`  ${'source'.padEnd(WIDTH)}`), ...sourceLine(one));
}

function sourceLine(one: MailState['sources'][number]) {
  const { progress } = one;
  if (one.state === 'failed') return [`${one.source}  `, bad('failed'), `: ${one.reason}`];
  if (progress === null) return [`${one.source}  `, good(one.state), dim(`  ${one.read} messages read`)];
  const left = progress.left_sec === null ? '' : `, ${progress.left_sec} s left`;
  return [
    `${one.source}  `,
    warn(one.state),
    dim(`  ${progress.done} of ${progress.total}, ${Math.round(progress.per_sec)} per second${left}`),
  ];
}
