/** The tiles of the office: ports, site, avenues, wrapped share, gate, mail, learning. */
import type { ComponentChildren } from 'preact';
import type { Page } from '../records/page.ts';
import { Avenues, openCount } from './avenues.tsx';
import { useDesk } from './desk-context.ts';
import { Clip } from './long.tsx';
import { Link, Meaning, Pairs, percent, plural, Section, Soft, State, Time, type Tone } from './parts.tsx';
import { TERMS } from './terms.ts';

const BANNED: Readonly<Record<Page['banned']['state'], readonly [Tone, string]>> = {
  inactive: ['good', 'down'],
  active: ['bad', 'up'],
  failed: ['warn', 'unseen'],
};

/** A tile: what it is about, its one figure, and what stands behind it. */
const Tile = (props: {
  id: string;
  title: string;
  figure: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) => (
  <Section
    id={props.id}
    title={props.title}
    class={`tile ${props.class ?? ''}`}
    aside={<span class="tile-figure">{props.figure}</span>}
  >
    {props.children}
  </Section>
);

type Banned = Page['banned']['also'][number];

/** Ports of banned listeners that are found in another network namespace: in this one nothing need listen there. */
const bannedElsewhere = ({ findings }: Page): ReadonlySet<number> =>
  new Set(
    findings.flatMap(({ check, subject }) =>
      check === 'banned-listener' && subject.kind === 'listener' && subject.namespace !== undefined
        ? [subject.port]
        : [],
    ),
  );

function BannedPort({ port, state, elsewhere }: Banned & { elsewhere: boolean }) {
  const [tone, word] = BANNED[elsewhere ? 'active' : state];
  return (
    <li data-port={port} data-up={state === 'active' || elsewhere ? 'yes' : 'no'}>
      <State tone={tone}>{word}</State>
      <span class="port-number number">{port}</span>
      <span>
        <Soft>must stay down</Soft>
      </span>
      {elsewhere && state !== 'active' && (
        <span class="port-reason soft small">in another network namespace</span>
      )}
    </li>
  );
}

/** `taken`: another program listens where a listener of this desk could not bind. */
function PortState(props: { up: boolean; known: boolean; required: boolean; taken: boolean }) {
  const { up, known, required, taken } = props;
  if (!known) return <State tone={required ? 'bad' : 'warn'}>unknown</State>;
  if (!up) return <State tone={required ? 'bad' : 'warn'}>down</State>;
  return taken ? <State tone="warn">taken</State> : <State tone="good">up</State>;
}

export function PortList({ page }: { page: Page }) {
  const { ports, banned } = page;
  const elsewhere = bannedElsewhere(page);
  const also = banned.also.filter(({ port, state }) => state !== 'inactive' || elsewhere.has(port));
  const quiet = banned.also.length - also.length;
  return (
    <ul class="ports">
      {ports.map(({ name, port, required, up, known, reason }) => (
        <li key={port} data-port={port} data-up={up ? 'yes' : known ? 'no' : 'unknown'}>
          <PortState up={up} known={known} required={required} taken={reason !== ''} />
          <span class="port-number number">{port}</span>
          <span>
            {name} {required && <Soft>required</Soft>}
          </span>
          {reason !== '' && (
            <span class="port-reason soft small">
              <Clip text={reason} />
            </span>
          )}
        </li>
      ))}
      {[{ port: banned.port, state: banned.state }, ...also].map(({ port, state }) => (
        <BannedPort key={`banned ${port}`} port={port} state={state} elsewhere={elsewhere.has(port)} />
      ))}
      {quiet > 0 && (
        <li>
          <State tone="good">down</State>
          <span class="port-number number">+{quiet}</span>
          <span>
            <Soft>must stay down</Soft>
          </span>
        </li>
      )}
    </ul>
  );
}

/** How many of the desk's ports are up, unless one is up that must not be. */
function portsFigure(page: Page): ComponentChildren {
  const { status, banned } = page;
  const up = new Set(bannedElsewhere(page));
  for (const { port, state } of [banned, ...banned.also]) if (state === 'active') up.add(port);
  if (up.size > 0)
    return <State tone="bad">{up.size === 1 ? `${[...up][0]} is up` : `${up.size} banned up`}</State>;
  return `${status.ports_up} of ${status.ports_n} up`;
}

const Ports = ({ page }: { page: Page }) => (
  <Tile id="ports" title="Ports" figure={portsFigure(page)}>
    <PortList page={page} />
  </Tile>
);

function certificate({ certificate_days: days, certificate_ready: ready }: Page['site']): ComponentChildren {
  if (days === null) return <Soft>none</Soft>;
  if (days < 0) return <State tone="bad">ended {plural(-days, 'day')} ago</State>;
  return (
    <>
      <State tone={ready ? 'good' : 'warn'}>{plural(days, 'day')}</State> left
    </>
  );
}

/** Pairs about the site; for the embedded page what does not apply is left out. */
function siteRows({ site }: Page): [string, ComponentChildren][] {
  const rows: [string, ComponentChildren][] = [['address', <Link key="url" to={site.url} />]];
  if (!site.configured) return [...rows, ['which', 'the public page of this desk; no site is configured']];
  rows.push(['certificate', certificate(site)]);
  if (site.dns_total > 0)
    rows.push([
      'names',
      <State key="dns" tone={site.dns_green === site.dns_total ? 'good' : 'bad'}>
        {site.dns_green} of {site.dns_total} resolve
      </State>,
    ]);
  rows.push([
    'magazine',
    <State key="magazine" tone={site.magazine_ok ? 'good' : 'calm'}>
      {site.magazine_ok ? 'answers' : 'does not answer'}
    </State>,
  ]);
  rows.push(['probed', site.probed === null ? <Soft>not yet</Soft> : <Time key="probed" at={site.probed} />]);
  return rows;
}

export const SiteState = ({ site }: { site: Page['site'] }) => (
  <State tone={site.ok ? 'good' : 'bad'}>
    {site.status === 0 ? (site.probed === null ? 'not probed yet' : 'no answer') : `answers ${site.status}`}
  </State>
);

/** What is known of the public site, below its state. */
export const SiteFacts = ({ page }: { page: Page }) => (
  <>
    <p class="tile-name">{page.site.name}</p>
    {page.site.reason !== '' && (
      <p class="tile-trouble">
        <Clip text={page.site.reason} />
      </p>
    )}
    <Pairs rows={siteRows(page)} />
  </>
);

const Site = ({ page }: { page: Page }) => (
  <Tile id="site" title="Site" figure={<SiteState site={page.site} />}>
    <SiteFacts page={page} />
  </Tile>
);

/** Share of wrapped processes as a bar of three parts; the figures beside it say the same. */
function Wrapped({ page: { processes } }: { page: Page }) {
  const { all, wrapped, free, blind } = processes;
  const parts = [
    ['wrapped', wrapped],
    ['free', free],
    ['blind', blind],
  ] as const;
  let from = 0;
  return (
    <Tile id="wrap" title="Wrapped" figure={percent(all === 0 ? 0 : (100 * wrapped) / all)}>
      <svg
        class="bar"
        viewBox="0 0 1000 20"
        preserveAspectRatio="none"
        width="100%"
        height="12"
        aria-hidden="true"
      >
        {parts.map(([name, count]) => {
          const width = all === 0 ? 0 : (1000 * count) / all;
          const x = from;
          from += width;
          return (
            <rect
              key={name}
              class={`bar-${name}`}
              x={x.toFixed(1)}
              y="0"
              width={width.toFixed(1)}
              height="20"
            />
          );
        })}
      </svg>
      <ul class="legend">
        {parts.map(([name, count]) => (
          <li key={name} class={`legend-${name}`}>
            <span class="number">{count}</span> {name}
          </li>
        ))}
      </ul>
      <Pairs
        rows={[
          ['user-space processes', all],
          ['zombie or dead', processes.fried],
          ['kernel threads', processes.kernel],
        ]}
      />
      <Meaning>{TERMS.wrapped}</Meaning>
    </Tile>
  );
}

const Gate = ({ page: { gate, status, excused } }: { page: Page }) => (
  <Tile
    id="gate"
    title="Scar gate"
    figure={<State tone={gate.state === 'pass' ? 'good' : 'bad'}>{gate.state}</State>}
  >
    <Pairs
      rows={[
        ['scars', status.scar_count],
        ['explained', excused],
        ['authoritative generations', gate.god],
        ['last run', gate.last === null ? <Soft>never ran</Soft> : <Time at={gate.last.at} />],
      ]}
    />
    <Meaning>{gate.state === 'pass' ? TERMS.gatePasses : `${TERMS.gateFails} ${TERMS.scar}`}</Meaning>
    <p class="tile-more">
      <a href="/hostess7.html">The gate as its pipeline</a>
    </p>
  </Tile>
);

const Mail = ({ page: { mail } }: { page: Page }) => (
  <Tile
    id="mail"
    title="Mail"
    figure={mail.configured ? plural(mail.ledger.people, 'person', 'people') : 'not configured'}
  >
    {mail.trouble !== '' && (
      <p class="tile-trouble">
        <Clip text={mail.trouble} />
      </p>
    )}
    <Pairs
      rows={[
        ['messages counted', mail.ledger.messages],
        ['mail client', mail.claws_up ? <State tone="good">runs</State> : <Soft>does not run</Soft>],
        ['ledger', mail.ledger.finite ? 'within its cap' : <State tone="warn">at its cap</State>],
        ['sources', mail.sources.length === 0 ? <Soft>none: set [mail] sources</Soft> : mail.sources.length],
      ]}
    />
    <p class="tile-more">
      <a href="/email/">The people</a>
    </p>
  </Tile>
);

const Learning = ({ page: { gate, baseline, status } }: { page: Page }) => (
  <Tile id="learning" title="Learning" figure={gate.a === 0 ? 'nothing learned' : `generation ${gate.a}`}>
    <Pairs
      rows={[
        ['learned', gate.learned === null ? <Soft>not yet</Soft> : <Time at={gate.learned} />],
        [
          'to review',
          baseline.to_review === 0 ? (
            'nothing'
          ) : (
            <State tone="warn">{plural(baseline.to_review, 'row')}</State>
          ),
        ],
        ['unknown programs', status.hostess_charge.security_learn.new_comm],
        ['window', baseline.window_open ? <State tone="warn">open</State> : 'closed'],
      ]}
    />
    <Meaning>{TERMS.baseline}</Meaning>
    <p class="tile-more">
      <a href="/hostess7.html#learn">What was learned</a>
    </p>
  </Tile>
);

export function Glance() {
  const { page } = useDesk();
  const { avenues } = page.status.hostess_charge.antivirus;
  const open = openCount(avenues);
  return (
    <div class="tiles">
      <Ports page={page} />
      <Site page={page} />
      <Tile
        id="avenues"
        title="Avenues"
        class="wide"
        figure={open === 0 ? `all ${avenues.length} closed` : `${open} of ${avenues.length} open`}
      >
        <Avenues avenues={avenues} />
        <Meaning>{TERMS.avenue}</Meaning>
      </Tile>
      <Wrapped page={page} />
      <Gate page={page} />
      <Mail page={page} />
      <Learning page={page} />
    </div>
  );
}
