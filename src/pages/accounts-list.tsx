/** Accounts: who can log in, how, with which rights, and the last login. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { rightsAreKnown } from '../records/account-words.ts';
import type { AccountsAnswer } from '../records/accounts.ts';
import { useAsked } from './asked-record.ts';
import { useDesk } from './desk-context.ts';
import { FindingLinks, Listed, matches, NotRead, OfContainer, Said } from './listed.tsx';
import { Clip } from './long.tsx';
import { Choice, number, Section, Soft, State, Time } from './parts.tsx';
import { Search } from './table-tools.tsx';

type Account = AccountsAnswer['accounts'][number];
type Show = 'active' | 'all';

const SHOWS = [
  ['active', 'with a login or rights'],
  ['all', 'every account'],
] as const;

const COLUMNS = [
  { head: 'Account', class: 'whole' },
  { head: 'Logs in by' },
  { head: 'Rights' },
  { head: 'Last login' },
  { head: 'Finding' },
] as const;

/** What needs a look: a finding, a login without a password, a second root. */
const rank = ({ findings, password, login, uid, name }: Account): number =>
  findings.length > 0
    ? 0
    : (password === 'empty' && login.length > 0) || (uid === 0 && name !== 'root')
      ? 1
      : 2;

export const ordered = (accounts: readonly Account[]): readonly Account[] =>
  [...accounts].sort((one, other) => rank(one) - rank(other));

const unknown = (phrase: string): boolean => phrase.endsWith('not known');

function Login({ account: { expired, login, password } }: { account: Account }) {
  if (expired) return <Soft>expired</Soft>;
  if (login.length === 0) return <Soft>cannot log in</Soft>;
  if (password === 'empty')
    return (
      <>
        <State tone="bad">no password</State> {login.join(', ')}
      </>
    );
  return login.some(unknown) ? (
    <>
      <State tone="warn">not known</State> {login.join(', ')}
    </>
  ) : (
    <span>{login.join(', ')}</span>
  );
}

const LIMITS =
  'Settings of the SSH server and of PAM can forbid what is listed. Accounts of a directory service are not read.';

/** The record of logins; unread: no login is known. */
const LOGINS = '/var/log/wtmp';

const cellsOf = (account: Account, loginsKnown: boolean, rightsKnown: boolean) => {
  const { name, uid, rights, last_login, last_from, findings } = account;
  return [
    <>
      <b>{name}</b> {uid === 0 && name !== 'root' ? <State tone="bad">uid 0</State> : <Soft>{uid}</Soft>}
    </>,
    <Login key="login" account={account} />,
    rights.length === 0 ? (
      !rightsKnown && <State tone="warn">not known</State>
    ) : (
      <ul class="rights">
        {rights.map((right) => (
          <li key={right}>
            <Clip text={right} />
          </li>
        ))}
      </ul>
    ),
    last_login === null ? (
      loginsKnown ? (
        <Soft>none recorded</Soft>
      ) : (
        <State tone="warn">not known</State>
      )
    ) : (
      <>
        <Time at={last_login} /> <Soft>{last_from}</Soft>
      </>
    ),
    findings.length > 0 ? <FindingLinks ids={findings} /> : null,
  ];
};

export function Accounts() {
  const { actions } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const [show, setShow] = useState<Show>('active');
  const [query, search] = useState('');
  const { record, trouble, busy, ask } = useAsked('/accounts', { show }, box);
  const rows = useMemo(
    () =>
      record &&
      ordered(record.accounts).filter(({ name, login, rights, groups, home, shell, last_from }) =>
        matches(query, [name, ...login, ...rights, ...groups, home, shell, last_from]),
      ),
    [record, query],
  );
  const loginsKnown = record?.unread.every(({ path }) => path !== LOGINS) ?? false;
  const rightsKnown = record !== null && rightsAreKnown(record);
  const off = actions === null || record === null;
  const table = useMemo(
    () => (
      <Listed
        name="accounts"
        box={box}
        caption="Accounts, those that need a look first"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ name, uid }) => `${uid} ${name}`}
        cells={(account) => cellsOf(account, loginsKnown, rightsKnown)}
        busy={busy}
        trouble={trouble}
        none={query === '' ? 'No account was read.' : 'No account matches the filter.'}
        note={
          LIMITS +
          (record === null || record.others === 0
            ? ''
            : ` ${number(record.others)} more can neither log in nor do more than others.`)
        }
        path="/accounts"
        command="desk accounts"
      />
    ),
    [rows, busy, trouble, actions === null],
  );
  return (
    <Section
      id="accounts"
      title="Accounts"
      aside={
        <Said at={record?.ts ?? null}>
          {rows !== null && `${number(rows.length)} of ${number(record?.accounts.length ?? 0)} accounts`}
        </Said>
      }
    >
      <search class="table-tools listed-tools">
        <Search
          label="Filter accounts"
          hint="Filter by name, group, right"
          value={query}
          disabled={off}
          search={search}
        />
        <Choice
          legend="Which accounts"
          name="accounts-show"
          options={SHOWS}
          value={show}
          disabled={off}
          choose={(value) => {
            setShow(value);
            ask({ show: value });
          }}
        />
        <button
          type="button"
          class="button"
          disabled={actions === null || busy}
          onClick={() => ask({ show })}
        >
          {busy ? 'Reading' : 'Read again'}
        </button>
      </search>
      {table}
      <div class="listed-notes">
        <OfContainer why={record?.container} />
        {record !== null && <NotRead all={record.unread} what="not read" />}
      </div>
    </Section>
  );
}
