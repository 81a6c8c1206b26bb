/** The mail page: the people, the state of the ledger, the identity as configured. */

import type { ComponentChildren } from 'preact';
import { plural } from '../base/plural.ts';
import type { MailState } from '../records/mail.ts';
import { SET_UP } from '../records/setup.ts';
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';
import { Unset } from './not-set-up.tsx';
import { Code, Empty, Link, number, Pairs, Section, Soft, State, Time } from './parts.tsx';
import { PeopleList } from './people-list.tsx';
import { mailTo } from './person-card.tsx';

type Source = MailState['sources'][number];

const TONE = { waiting: 'calm', importing: 'warn', watching: 'good', failed: 'bad' } as const;

const server = (host: string, port: number, mode: string): string => `${host}:${port} (${mode})`;

/** `, 3 min left`; "" while it is not known. */
export function leftText(sec: number | null): string {
  if (sec === null) return '';
  if (sec < 90) return `, ${sec} s left`;
  return sec < 5_400 ? `, ${Math.round(sec / 60)} min left` : `, ${Math.round(sec / 3600)} h left`;
}

function progressText({ progress, read, folders }: Source): string {
  if (progress === null)
    return `${plural(read, 'message')} read since the start, ${plural(folders, 'folder')}`;
  const { done, total, per_sec, left_sec } = progress;
  return `${number(done)} of ${number(total)}, ${number(per_sec)} per second${leftText(left_sec)}`;
}

const SourceState = ({ source }: { source: Source }) => (
  <li class="source">
    <div class="row apart">
      <code>{source.source}</code>
      <State tone={TONE[source.state]}>{source.state}</State>
    </div>
    {source.progress !== null && (
      <progress
        aria-label={`Import of ${source.source}`}
        max={Math.max(1, source.progress.total)}
        value={Math.min(source.progress.done, source.progress.total)}
      />
    )}
    <p class="small soft">
      {source.reason || progressText(source)}
      {source.complete_at !== null && ['. Complete ', <Time key="complete" at={source.complete_at} />]}
    </p>
  </li>
);

function Ledger() {
  const { mail, status } = useDesk().page;
  const { configured, trouble, ledger, sources } = mail;
  const [tone, word] = !configured
    ? (['calm', 'not configured'] as const)
    : trouble === ''
      ? (['good', 'kept'] as const)
      : (['bad', 'trouble'] as const);
  return (
    <Section id="ledger" title="Ledger" aside={<State tone={tone}>{word}</State>}>
      {trouble !== '' && <p>{trouble}</p>}
      {!configured && (
        <Empty>
          Name sources of people in <code>[mail] sources</code> of the configuration.
        </Empty>
      )}
      <Pairs
        rows={[
          ['People', number(ledger.people)],
          ['Messages counted', number(ledger.messages)],
          ['Within its cap', ledger.finite ? 'yes' : <State tone="warn">no</State>],
          [
            'Export',
            ledger.export ? <Code>{ledger.export}</Code> : <Soft>none yet: desk people export vcard</Soft>,
          ],
        ]}
      />
      {sources.length > 0 && (
        <>
          <h3>Sources</h3>
          <ul class="lined">
            {sources.map((source) => (
              <SourceState key={source.source} source={source} />
            ))}
          </ul>
        </>
      )}
      <p class="small soft">{status.hostess_charge.mail.law}</p>
    </Section>
  );
}

function Identity() {
  const { status, mail } = useDesk().page;
  const { identity } = status;
  const rows: readonly (readonly [name: string, value: ComponentChildren, isSet: boolean])[] = [
    ['Name', identity.from_name, identity.from_name !== ''],
    [
      'Address',
      <Link key="address" to={identity.address && mailTo(identity.address)}>
        {identity.address}
      </Link>,
      identity.address !== '',
    ],
    ['IMAP', server(identity.imap_host, identity.imap_port, identity.ssl_mode), identity.imap_host !== ''],
    ['SMTP', server(identity.smtp_host, identity.smtp_port, identity.ssl_mode), identity.smtp_host !== ''],
    ['Password', 'configured', mail.pass_set],
    [
      'Mail client',
      mail.claws_up ? <State tone="good">runs</State> : <State tone="calm">does not run</State>,
      true,
    ],
    ['Provider', identity.provider, identity.provider !== ''],
    ['Webmail', <Link key="webmail" to={identity.webmail} />, identity.webmail !== ''],
    ['Notes', identity.notes, identity.notes !== ''],
  ];
  const unset = rows.flatMap(([name, , isSet]) => (isSet ? [] : [name]));
  return (
    <Section
      id="identity"
      title="Identity"
      rows={rows.flatMap(([name, value, isSet]) => (isSet ? [[name, value] as const] : []))}
    >
      <Unset count={unset.length}>
        <p>
          {unset.join(', ')}: not configured. Set them in <code>[identity]</code>, the password with{' '}
          <code>[mail] password_file</code>.
        </p>
      </Unset>
      <p class="small soft">
        Whether the servers answer: <code>desk mail</code>.
      </p>
    </Section>
  );
}

/** In place of people and ledger where no source is configured. */
const NoMail = () => (
  <Section id="ledger" title="People" aside={<State tone="calm">not configured</State>}>
    <p>
      {SET_UP.mail.gives} Name its sources with <code>{SET_UP.mail.setting}</code> of the configuration.
    </p>
  </Section>
);

export function MailPage() {
  const { configured, trouble, ledger } = useDesk().page.mail;
  const shown = configured || trouble !== '' || ledger.people > 0;
  return (
    <DeskFrame path="/email/">
      <h1>Mail</h1>
      {shown ? (
        <div class="mail">
          <PeopleList />
          <div>
            <Ledger />
            <Identity />
          </div>
        </div>
      ) : (
        <>
          <NoMail />
          <Identity />
        </>
      )}
    </DeskFrame>
  );
}
