/** The mail page: its people, how the ledger is kept, the identity as configured. */
import type { ComponentChildren } from 'preact';
import type { MailState } from '../records/mail.ts';
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';
import { Empty, Link, number, Pairs, plural, Section, Soft, State, Time } from './parts.tsx';
import { PeopleList } from './people-list.tsx';
import { mailTo } from './person-card.tsx';

type Source = MailState['sources'][number];

const TONE = { waiting: 'calm', importing: 'warn', watching: 'good', failed: 'bad' } as const;

const set = (value: string): ComponentChildren => (value === '' ? <Soft>not configured</Soft> : value);
const server = (host: string, port: number, mode: string): ComponentChildren =>
  set(host && `${host}:${port} (${mode})`);

/** `3 min left`; "" while it cannot be told. */
export function leftText(sec: number | null): string {
  if (sec === null) return '';
  if (sec < 90) return `, ${sec} s left`;
  return sec < 5_400 ? `, ${Math.round(sec / 60)} min left` : `, ${Math.round(sec / 3600)} h left`;
}

function SourceState({ source }: { source: Source }) {
  const { state, reason, progress, read, folders, complete_at } = source;
  return (
    <li class="source">
      <div class="source-head">
        <code>{source.source}</code>
        <State tone={TONE[state]}>{state}</State>
      </div>
      {progress !== null && (
        <progress
          aria-label={`Import of ${source.source}`}
          max={Math.max(1, progress.total)}
          value={Math.min(progress.done, progress.total)}
        />
      )}
      <p class="small soft">
        {reason ||
          (progress === null
            ? `${plural(read, 'message')} read since the start, ${plural(folders, 'folder')}`
            : `${number(progress.done)} of ${number(progress.total)}, ${number(progress.per_sec)} per second${leftText(progress.left_sec)}`)}
        {complete_at !== null && (
          <>
            . Complete <Time at={complete_at} />
          </>
        )}
      </p>
    </li>
  );
}

function Ledger() {
  const { mail, status } = useDesk().page;
  const { configured, trouble, ledger, sources } = mail;
  return (
    <Section
      id="ledger"
      title="Ledger"
      aside={
        !configured ? (
          <State tone="calm">not configured</State>
        ) : trouble === '' ? (
          <State tone="good">kept</State>
        ) : (
          <State tone="bad">trouble</State>
        )
      }
    >
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
            ledger.export === '' ? (
              <Soft>none yet: desk people export vcard</Soft>
            ) : (
              <code>{ledger.export}</code>
            ),
          ],
        ]}
      />
      {sources.length > 0 && (
        <>
          <h3 class="sources-title">Sources</h3>
          <ul class="sources">
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
  const { identity } = useDesk().page.status;
  const { mail } = useDesk().page;
  return (
    <Section id="identity" title="Identity">
      <Pairs
        rows={[
          ['Name', set(identity.from_name)],
          [
            'Address',
            identity.address === '' ? set('') : <Link to={mailTo(identity.address)}>{identity.address}</Link>,
          ],
          ['IMAP', server(identity.imap_host, identity.imap_port, identity.ssl_mode)],
          ['SMTP', server(identity.smtp_host, identity.smtp_port, identity.ssl_mode)],
          ['Password', mail.pass_set ? 'configured' : set('')],
          [
            'Mail client',
            mail.claws_up ? <State tone="good">runs</State> : <State tone="calm">does not run</State>,
          ],
          ['Provider', set(identity.provider)],
          ['Webmail', <Link key="webmail" to={identity.webmail} />],
          ['Notes', set(identity.notes)],
        ]}
      />
      <p class="small soft">
        Whether the servers answer: <code>desk mail</code>.
      </p>
    </Section>
  );
}

export const MailPage = () => (
  <DeskFrame path="/email/">
    <h1>Mail</h1>
    <div class="mail">
      <PeopleList />
      <div>
        <Ledger />
        <Identity />
      </div>
    </div>
  </DeskFrame>
);
