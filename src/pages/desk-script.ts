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

function cell(row, name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  row.append(made);
  return made;
}

const day = (time) => (time === null ? '' : time.slice(0, 10));

function rowOf(person) {
  const row = document.createElement('tr');
  cell(row, 'th', person.name || person.email).scope = 'row';
  cell(row, 'td', person.email);
  for (const number of [person.received, person.sent]) cell(row, 'td', String(number)).className = 'number';
  for (const time of [person.first_seen, person.last_seen]) cell(row, 'td', day(time));
  const odd = person.warnings.map(({ kind, about }) => (about === '' ? kind : kind + ' (' + about + ')'));
  cell(row, 'td', [...odd, ...person.flags].join(', '));
  return row;
}

function ledger(part) {
  const [search, said, table, more] = ['search', 'said', 'table', 'more'].map((name) =>
    part.querySelector('[data-' + name + ']'),
  );
  const rows = table.querySelector('tbody');
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
    rows.append(...page.people.map(rowOf));
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
