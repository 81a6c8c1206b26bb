/** What everyone may see: that there is a desk, and nothing about its machine. */
import type { ComponentChildren } from 'preact';
import type { Config } from '../config/schema.ts';
import { magazineOf } from '../records/links.ts';
import type { OpenPeople } from '../records/people.ts';
import { renderDocument } from './document.tsx';
import { Clip } from './long.tsx';
import { Link, Soft, Table } from './parts.tsx';
import { Frame, type Nav } from './plain-frame.tsx';

const NAV: Nav = [
  ['/', 'Welcome'],
  ['/email/', 'Mail'],
];

const nameOf = (site: Config['site']): string =>
  site.names[0] ?? (site.public_url === '' ? 'This desk' : new URL(site.public_url).hostname);

const publicDocument = (title: string, path: string, content: ComponentChildren): string =>
  renderDocument({
    title,
    body: (
      <Frame path={path} nav={NAV} foot="Served by Hostess Desk.">
        <div class="reading">{content}</div>
      </Frame>
    ),
  });

export function publicPage(config: Config): string {
  const { site } = config;
  const magazine = magazineOf(config);
  return publicDocument(
    nameOf(site),
    '/',
    <>
      <h1>{nameOf(site)}</h1>
      <section class="card">
        <p>Welcome. A hostess keeps this desk in order.</p>
        {magazine !== '' && (
          <p>
            Read the <Link to={magazine}>magazine</Link>.
          </p>
        )}
        {config.status_page.enabled && (
          <p>
            See whether our <a href="/uptime">services are up</a>.
          </p>
        )}
        <p>
          To write to us, see the <a href="/email/">mail page</a>.
        </p>
      </section>
    </>,
  );
}

function PeopleList({ people, total, next }: OpenPeople) {
  return (
    <section class="card">
      <Table
        caption={
          next === null ? 'People of this desk' : `The first ${people.length} of ${total} people of this desk`
        }
        columns={[{ head: 'Name' }, { head: 'Domain' }]}
        rows={people.map(({ name, domain }) => [
          name === '' ? <Soft>no name</Soft> : <Clip text={name} />,
          <Clip key="domain" text={domain} />,
        ])}
        wordy
      />
    </section>
  );
}

/** `people`: names and domains, where the configuration opens the list; else null. */
export function publicMailPage({ site, identity }: Config, people: OpenPeople | null): string {
  const { address } = identity;
  return publicDocument(
    `Mail, ${nameOf(site)}`,
    '/email/',
    <>
      <h1>Mail</h1>
      <section class="card">
        <p>
          {address === '' ? (
            'The mail of this desk is not configured.'
          ) : (
            <>
              Write to <Link to={`mailto:${address}`}>{address}</Link>.
            </>
          )}
        </p>
        <p class="soft">
          {people === null
            ? 'Reading the people ledger needs its token.'
            : 'Names and domains of the people ledger are public; everything else needs its token.'}
        </p>
      </section>
      {people !== null && <PeopleList {...people} />}
    </>,
  );
}
