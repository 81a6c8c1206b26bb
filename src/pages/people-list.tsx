/** The people of the mail ledger: searched, ordered, page after page; each opens a card. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { People } from '../records/people.ts';
import { refusalText, useDesk } from './desk-context.ts';
import { number, Section, State, Time } from './parts.tsx';
import { flagWord, type Person, PersonCard } from './person-card.tsx';
import { Search, Select } from './table-tools.tsx';

const ORDERS = [
  ['rank', 'whom you write to first'],
  ['name', 'by name'],
  ['last_seen', 'seen last'],
  ['first_seen', 'seen first'],
  ['received', 'most from them'],
  ['sent', 'most to them'],
] as const;
type Order = (typeof ORDERS)[number][0];

const AT_ONCE = 50;
/** Search starts this long after the last key. */
const TYPING_MS = 200;
const NONE = { people: [] as readonly Person[], total: 0, next: null as string | null };

function Row({ person, open }: { person: Person; open: () => void }) {
  const { name, email, received, sent, last_seen, warnings, flags } = person;
  return (
    <li>
      <button type="button" class="person-row" aria-haspopup="dialog" onClick={open}>
        <span class="person-name">{name || email}</span>
        <span class="small person-marks">
          {warnings.length > 0 && <State tone="warn">check the sender</State>}
          {flags.map((flag) => (
            <State key={flag} tone="calm">
              {flagWord(flag)}
            </State>
          ))}
        </span>
        <span class="soft small person-address">{name === '' ? 'no name was seen' : email}</span>
        <span class="soft small number">
          {number(received)} from, {number(sent)} to
          {last_seen !== null && (
            <>
              , last <Time at={last_seen} part="day" />
            </>
          )}
        </span>
      </button>
    </li>
  );
}

export function PeopleList() {
  const { actions, page } = useDesk();
  const [query, search] = useState('');
  const [order, sortBy] = useState<Order>('rank');
  const [listed, list] = useState(NONE);
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const [card, open] = useState<Person | null>(null);
  const asked = useRef<AbortController | null>(null);
  const signedIn = actions?.signedIn ?? false;

  const ask = async (cursor: string | null) => {
    if (actions === null) return;
    asked.current?.abort();
    const mine = new AbortController();
    asked.current = mine;
    setBusy(true);
    const q = query.trim();
    const wish = { limit: AT_ONCE, sort: order, ...(q !== '' && { q }), ...(cursor !== null && { cursor }) };
    try {
      const answer = await actions.get('/email/api/people', wish, mine.signal);
      if (mine.signal.aborted) return;
      // The tab has signed in, so the list is never the open one.
      const { people, total, next } = answer as People;
      list((now) => ({ people: cursor === null ? people : [...now.people, ...people], total, next }));
      setTrouble('');
    } catch (error) {
      if (mine.signal.aborted) return;
      setTrouble(refusalText(error));
    }
    setBusy(false);
  };
  useEffect(() => {
    if (!signedIn) return;
    const timer = setTimeout(() => void ask(null), query === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [signedIn, query, order]);

  const { people, total, next } = listed;
  const counted = `${number(people.length)} of ${number(total)} people`;
  const said = trouble || (busy && people.length === 0 ? 'Searching.' : counted);
  return (
    <Section
      id="people"
      title="People"
      aside={
        <p class="small soft said people-said" role="status">
          {signedIn && said}
        </p>
      }
    >
      <search class="table-tools">
        <Search
          label="Search people by name or address"
          hint="Search by name or address"
          value={query}
          disabled={!signedIn}
          search={search}
        />
        <Select
          label="Order"
          options={ORDERS}
          value={order}
          disabled={!signedIn}
          choose={(value) => sortBy(value as Order)}
        />
      </search>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section class="people-box" tabIndex={0} aria-label="Who was found" aria-busy={busy}>
        {signedIn && people.length > 0 ? (
          <>
            <ul class="plain">
              {people.map((person) => (
                <Row key={person.email} person={person} open={() => open(person)} />
              ))}
            </ul>
            {next !== null && (
              <p class="people-more">
                <button type="button" class="button" disabled={busy} onClick={() => void ask(next)}>
                  More
                </button>
              </p>
            )}
          </>
        ) : (
          <div class="people-none">
            {!signedIn ? (
              <>
                <p>
                  <b>{number(page.mail.ledger.people)}</b> people are known by mail. The list needs the token.
                </p>
                <p>
                  Run <code>desk open</code> to see them here, or <code>desk people</code> in a terminal.
                </p>
              </>
            ) : (
              !busy && <p>{trouble || (query === '' ? 'No people yet.' : 'No match.')}</p>
            )}
          </div>
        )}
      </section>
      {card !== null && <PersonCard person={card} close={() => open(null)} />}
    </Section>
  );
}
