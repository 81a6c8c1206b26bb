/** The tiles of the office: ports, site, avenues, wrapped share, gate, mail, learning. */

import type { ComponentChildren } from 'preact';
import { plural } from '../base/plural.ts';
import type { Page } from '../records/page.ts';
import { gateMeaning } from '../records/terms.ts';
import { useDesk } from './desk-context.ts';
import { Clip } from './long.tsx';
import { Link, Meaning, Pairs, percent, Section, Soft, State, Time, type Tone, words } from './parts.tsx';
import type { TermName } from './term.tsx';

/** A tile: what it is about, its one figure, and what is behind it. */
const Tile = (props: {
  id: string;
  title: string;
  figure: ComponentChildren;
  class?: string;
  more?: readonly [href: string, text: string];
  term?: TermName;
  rows?: [string, ComponentChildren][];
  children?: ComponentChildren;
}) => (
  <Section
    id={props.id}
    title={props.title}
    class={`tile ${props.class ?? ''}`}
    aside={<span class="tile-figure">{props.figure}</span>}
    {...(props.rows && { rows: props.rows })}
    {...(props.term && { term: props.term })}
  >
    {props.children}
    {props.more !== undefined && (
      <p class="tile-more">
        <a href={props.more[0]}>{props.more[1]}</a>
      </p>
    )}
  </Section>
);

const Trouble = ({ text }: { text: string }) =>
  text === '' ? null : (
    <p class="tile-trouble">
      <Clip text={text} />
    </p>
  );

/** Ports of banned listeners that are found in another network namespace: in this one nothing need listen there. */
const bannedElsewhere = ({ findings }: Page): ReadonlySet<number> =>
  new Set(
    findings.flatMap(({ check, subject }) =>
      check === 'banned-listener' && subject.kind === 'listener' && subject.namespace !== undefined
        ? [subject.port]
        : [],
    ),
  );

/** A line of the ports: its state, its number, what it is. */
const Port = (props: {
  state: readonly [Tone, string];
  port: number | string;
  /** Of a single port. */
  up?: 'yes' | 'no' | 'unknown';
  name?: string;
  must?: string;
  reason?: string;
}) => (
  <li data-port={props.up && props.port} data-up={props.up}>
    <State tone={props.state[0]}>{props.state[1]}</State>
    <span class="port-number number">{props.port}</span>
    <span>
      {props.name} {props.must && <Soft>{props.must}</Soft>}
    </span>
    {props.reason && (
      <span class="port-reason soft small">
        <Clip text={props.reason} />
      </span>
    )}
  </li>
);

/** A reason on a port that is up: another program listens where a listener of this desk could not bind. */
function portState({ up, known, required, reason }: Page['ports'][number]): readonly [Tone, string] {
  if (!up || !known) return [required ? 'bad' : 'warn', known ? 'down' : 'unknown'];
  return reason === '' ? ['good', 'up'] : ['warn', 'taken'];
}

const BANNED: Readonly<Record<Page['banned']['state'], readonly [Tone, string]>> = {
  inactive: ['good', 'down'],
  active: ['bad', 'up'],
  failed: ['warn', 'unseen'],
};
const MUST = 'must stay down';

export function PortList({ page }: { page: Page }) {
  const { ports, banned } = page;
  const elsewhere = bannedElsewhere(page);
  const also = banned.also.filter(({ port, state }) => state !== 'inactive' || elsewhere.has(port));
  const quiet = banned.also.length - also.length;
  return (
    <ul class="lined ports">
      {ports.map((one) => (
        <Port
          key={one.port}
          state={portState(one)}
          port={one.port}
          up={one.up ? 'yes' : one.known ? 'no' : 'unknown'}
          name={one.name}
          must={one.required ? 'required' : ''}
          reason={one.reason}
        />
      ))}
      {[{ port: banned.port, state: banned.state }, ...also].map(({ port, state }) => {
        const up = state === 'active' || elsewhere.has(port);
        return (
          <Port
            key={`banned ${port}`}
            state={BANNED[up ? 'active' : state]}
            port={port}
            up={up ? 'yes' : 'no'}
            must={MUST}
            reason={up && state !== 'active' ? 'in another network namespace' : ''}
          />
        );
      })}
      {quiet > 0 && <Port state={BANNED.inactive} port={`+${quiet}`} must={MUST} />}
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

function certificate({ certificate_days: days, certificate_ready: ready }: Page['site']): ComponentChildren {
  if (days === null) return <Soft>none</Soft>;
  if (days < 0) return <State tone="bad">ended {plural(-days, 'day')} ago</State>;
  return (
    <>
      <State tone={ready ? 'good' : 'warn'}>{plural(days, 'day')}</State> left
    </>
  );
}

export const SiteState = ({ site }: { site: Page['site'] }) => (
  <State tone={site.ok ? 'good' : 'bad'}>
    {site.status === 0 ? (site.probed === null ? 'not probed yet' : 'no answer') : `answers ${site.status}`}
  </State>
);

/** Pairs about the site; for the embedded page what does not apply is left out. */
function siteRows(site: Page['site']): [string, ComponentChildren][] {
  const { configured, dns_green, dns_total, magazine_ok, probed } = site;
  const address: [string, ComponentChildren] = ['address', <Link key="url" to={site.url} />];
  if (!configured) return [address, ['which', 'the public page of this desk; no site is configured']];
  const names = (
    <State tone={dns_green === dns_total ? 'good' : 'bad'}>{`${dns_green} of ${dns_total} resolve`}</State>
  );
  return [
    address,
    ['certificate', certificate(site)],
    ...(dns_total > 0 ? [['names', names] as [string, ComponentChildren]] : []),
    [
      'magazine',
      magazine_ok ? <State tone="good">answers</State> : <State tone="calm">does not answer</State>,
    ],
    ['probed', probed === null ? <Soft>not yet</Soft> : <Time at={probed} />],
  ];
}

/** What is known of the public site, below its state. */
export const SiteFacts = ({ site }: { site: Page['site'] }) => (
  <>
    <p class="tile-name">{site.name}</p>
    <Trouble text={site.reason} />
    <Pairs rows={siteRows(site)} />
  </>
);

type Avenue = Page['status']['hostess_charge']['antivirus']['avenues'][number];

export const openCount = (avenues: readonly Avenue[]): number => avenues.filter(({ open }) => open).length;

/** One row each: its name, open or closed, and what keeps it open. */
export const Avenues = ({ avenues }: { avenues: readonly Avenue[] }) => (
  <ul class="lined avenue-list">
    {avenues.map(({ id, name, open, detail }) => (
      <li key={id} data-avenue={id} data-open={open ? 'yes' : 'no'}>
        <State tone={open ? 'warn' : 'good'}>{open ? 'open' : 'closed'}</State>
        <span>
          {name} <span class="soft small">{words(id)}</span>
        </span>
        {open && (
          <span class="avenue-detail soft small">
            <Clip text={detail} />
          </span>
        )}
      </li>
    ))}
  </ul>
);

const PART_WORDS = { wrapped: 'confined', free: 'not confined', blind: 'not known' } as const;

/** Share of wrapped processes as a bar of three parts; the figures beside it say the same. */
function Wrapped({ page: { processes } }: { page: Page }) {
  const { all, wrapped } = processes;
  const parts = (['wrapped', 'free', 'blind'] as const).map((name) => [name, processes[name]] as const);
  let from = 0;
  return (
    <Tile
      id="wrap"
      title="Confined processes"
      term="wrapped"
      figure={percent(all === 0 ? 0 : (100 * wrapped) / all)}
    >
      <svg
        class="bar"
        viewBox="0 0 1000 20"
        preserveAspectRatio="none"
        width="100%"
        height="12"
        aria-hidden="true"
      >
        {parts.map(([name, count]) => {
          const [x, width] = [from, all === 0 ? 0 : (1000 * count) / all];
          from += width;
          return (
            <rect key={name} class={`part-${name}`} x={x.toFixed(1)} width={width.toFixed(1)} height="20" />
          );
        })}
      </svg>
      <ul class="row legend">
        {parts.map(([name, count]) => (
          <li key={name} class={`part-${name}`}>
            <span class="number">{count}</span> {PART_WORDS[name]}
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
    </Tile>
  );
}

const Gate = ({ page: { gate, status, excused } }: { page: Page }) => (
  <Tile
    id="gate"
    title="Known-good gate"
    term="gate"
    figure={<State tone={gate.state === 'pass' ? 'good' : 'bad'}>{gate.state}</State>}
    more={['/hostess7.html', 'The steps of the gate']}
    rows={[
      ['scars', status.scar_count],
      ['explained', excused],
      ['baselines in force (must be 1)', gate.god],
      ['last run', gate.last === null ? <Soft>never ran</Soft> : <Time at={gate.last.at} />],
    ]}
  >
    <Meaning>{gateMeaning(gate).join(' ')}</Meaning>
  </Tile>
);

const Mail = ({ page: { mail } }: { page: Page }) => (
  <Tile
    id="mail"
    title="Mail"
    figure={plural(mail.ledger.people, 'person', 'people')}
    more={['/email/', 'The people']}
  >
    <Trouble text={mail.trouble} />
    <Pairs
      rows={[
        ['messages counted', mail.ledger.messages],
        ['mail client', mail.claws_up ? <State tone="good">runs</State> : <Soft>does not run</Soft>],
        ['ledger', mail.ledger.finite ? 'within its cap' : <State tone="warn">at its cap</State>],
        ['sources', mail.sources.length],
      ]}
    />
  </Tile>
);

const Learning = ({ page: { gate, baseline, status } }: { page: Page }) => (
  <Tile
    id="learning"
    title="Learning"
    term="baseline"
    figure={gate.a === 0 ? 'nothing learned' : `version ${gate.a}`}
    more={['/hostess7.html#learn', 'What was learned']}
    rows={[
      ['learned', gate.learned === null ? <Soft>not yet</Soft> : <Time at={gate.learned} />],
      [
        'to review',
        baseline.to_review === 0 ? 'nothing' : <State tone="warn">{plural(baseline.to_review, 'row')}</State>,
      ],
      ['unknown programs', status.hostess_charge.security_learn.new_comm],
      ['window', baseline.window_open ? <State tone="warn">open</State> : 'closed'],
    ]}
  />
);

/** Without a site the page of the desk itself is probed: that it answers is no news. */
const showsSite = ({ configured, ok, probed }: Page['site']): boolean =>
  configured || (probed !== null && !ok);

export function Glance() {
  const { page } = useDesk();
  const { avenues } = page.status.hostess_charge.antivirus;
  const open = openCount(avenues);
  return (
    <div class="tiles">
      <Tile id="ports" title="Ports" figure={portsFigure(page)}>
        <PortList page={page} />
      </Tile>
      {showsSite(page.site) && (
        <Tile id="site" title="Site" figure={<SiteState site={page.site} />}>
          <SiteFacts site={page.site} />
        </Tile>
      )}
      <Tile
        id="avenues"
        title="Areas of checks"
        term="avenue"
        class="wide"
        figure={open === 0 ? `all ${avenues.length} closed` : `${open} of ${avenues.length} open`}
      >
        <Avenues avenues={avenues} />
      </Tile>
      <Wrapped page={page} />
      <Gate page={page} />
      {page.mail.configured && <Mail page={page} />}
      <Learning page={page} />
    </div>
  );
}
