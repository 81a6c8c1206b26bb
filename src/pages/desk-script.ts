/**
 * The script of the office pages, served as a file of its own. It exchanges the code of `desk open` for a token, which stays in
 * this tab, and shows with it what needs one: the people of the mail page. Without it every page reads the same.
 */
export const DESK_SCRIPT = `'use strict';
const KEY = 'desk.token';

async function signIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  const answer = await fetch('/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) sessionStorage.setItem(KEY, (await answer.json()).token);
}

const day = (time) => (time === null ? '' : time.slice(0, 10));

function textsOf(person) {
  const odd = person.warnings.map(({ kind, about }) => (about === '' ? kind : kind + ' (' + about + ')'));
  return [
    person.name || person.email,
    person.email,
    String(person.received),
    String(person.sent),
    day(person.first_seen),
    day(person.last_seen),
    [...odd, ...person.flags].join(', '),
  ];
}

/** Under the heads of the table, as its own cells are written. */
function rowOf(texts, heads) {
  const row = document.createElement('tr');
  row.setAttribute('role', 'row');
  texts.forEach((text, at) => {
    const cell = document.createElement(at === 0 ? 'th' : 'td');
    if (at === 0) cell.scope = 'row';
    else if (text !== '') cell.dataset.head = heads[at].textContent;
    cell.setAttribute('role', at === 0 ? 'rowheader' : 'cell');
    cell.className = heads[at].className;
    cell.textContent = text;
    row.append(cell);
  });
  return row;
}

function ledger(part) {
  const [search, said, table, more] = ['search', 'said', 'table', 'more'].map((name) =>
    part.querySelector('[data-' + name + ']'),
  );
  const rows = table.querySelector('tbody');
  const heads = table.querySelectorAll('thead th');
  let next = null;
  let asked = 0;
  async function load(fresh) {
    const mine = ++asked;
    const query = new URLSearchParams({ limit: '50', q: search.elements.q.value });
    if (!fresh && next !== null) query.set('cursor', next);
    const answer = await fetch('/email/api/people?' + query, {
      headers: { Authorization: 'Bearer ' + sessionStorage.getItem(KEY) },
    });
    if (mine !== asked) return;
    if (answer.status === 401) {
      sessionStorage.removeItem(KEY);
      said.textContent = 'The service has started anew: run desk open again.';
      return;
    }
    const page = await answer.json();
    if (!answer.ok) {
      said.textContent = page.detail;
      return;
    }
    if (fresh) rows.replaceChildren();
    rows.append(...page.people.map((person) => rowOf(textsOf(person), heads)));
    next = page.next;
    more.hidden = next === null;
    said.textContent = rows.childElementCount + ' of ' + page.total + ' people';
  }
  for (const one of [search, table]) one.hidden = false;
  search.addEventListener('submit', (event) => event.preventDefault());
  search.addEventListener('input', () => load(true));
  more.addEventListener('click', () => load(false));
  return load(true);
}

signIn().then(() => {
  const part = document.querySelector('[data-ledger]');
  if (part !== null && sessionStorage.getItem(KEY) !== null) return ledger(part);
});
`;
