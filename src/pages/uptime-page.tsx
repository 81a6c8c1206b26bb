/** The status page: whether sites are up, for everyone. No script, and nothing of the desk but what its record has. */
import { plural } from '../base/plural.ts';
import type { PublicSite, UptimePage } from '../records/sites.ts';
import { renderDocument } from './document.tsx';
import { Clip } from './long.tsx';
import { Empty, State, type Tone } from './parts.tsx';
import './visible.ts';

const WORDS: Readonly<Record<PublicSite['state'], readonly [Tone, string]>> = {
  up: ['good', 'up'],
  down: ['bad', 'down'],
  unknown: ['calm', 'not known'],
};

/** `2026-01-02 03:04` of an RFC 3339 time in UTC. */
const Minute = ({ at }: { at: string }) => (
  <time dateTime={at}>{`${at.slice(0, 16).replace('T', ' ')} UTC`}</time>
);

/** A share for people, rounded down: `99.98 %`; less than all is never 100 %. */
const shareText = (share: number): string => `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;

function longText(seconds: number): string {
  if (seconds < 60) return plural(seconds, 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return plural(minutes, 'minute');
  const [hours, left] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 48) return left === 0 ? plural(hours, 'hour') : `${plural(hours, 'hour')} ${left} min`;
  return plural(Math.round(hours / 24), 'day');
}

function dayText({ day, up, known }: PublicSite['days'][number]): string {
  if (up === null) return `${day}: not known`;
  const rest = known < 0.995 ? `, ${shareText(known)} of the day known` : '';
  return `${day}: ${up === 1 ? 'up' : `${shareText(up)} up`}${rest}`;
}

const BAR = { step: 10, width: 7, height: 40 };
/** A short time down is still seen. */
const LEAST = 8;

/** One bar a day: its colour and its height say how long the site was up; the part that was down is below, in another colour and shorter. */
function Bar({ at, day }: { at: number; day: PublicSite['days'][number] }) {
  const box = { x: at * BAR.step, width: BAR.width, rx: 1.5 };
  const down = day.up === null || day.up === 1 ? 0 : Math.max(LEAST, Math.round((1 - day.up) * BAR.height));
  return (
    <g>
      <title>{dayText(day)}</title>
      {day.up === null ? (
        <rect {...box} class="none" y={BAR.height - 4} height={4} />
      ) : (
        <>
          {down < BAR.height && (
            <rect {...box} class="up" y={0} height={BAR.height - down - (down > 0 ? 1 : 0)} />
          )}
          {down > 0 && <rect {...box} class="down" y={BAR.height - down} height={down} />}
        </>
      )}
    </g>
  );
}

function Bars({ days, name }: Pick<PublicSite, 'days' | 'name'>) {
  const known = days.filter(({ up }) => up !== null);
  const bad = known.filter(({ up }) => up !== 1).length;
  const label = `${name}: the last ${days.length} days; ${known.length} are known, with time down on ${bad}`;
  return (
    <figure class="uptime-bars">
      <svg
        viewBox={`0 0 ${days.length * BAR.step - (BAR.step - BAR.width)} ${BAR.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {days.map((day, at) => (
          <Bar key={day.day} at={at} day={day} />
        ))}
      </svg>
      <figcaption class="row apart soft small">
        <span>{`${days.length} days ago`}</span>
        <span>today</span>
      </figcaption>
    </figure>
  );
}

const SPANS = [
  ['day', '24 hours'],
  ['week', '7 days'],
  ['month', '30 days'],
  ['quarter', '90 days'],
] as const;

const Shares = ({ uptime }: Pick<PublicSite, 'uptime'>) => (
  <dl class="uptime-shares">
    {SPANS.map(([key, words]) => {
      const { up, known } = uptime[key];
      return (
        <div key={key}>
          <dt>{words}</dt>
          <dd>
            {up === null ? 'not known' : shareText(up)}
            {up !== null && known < 0.995 && <span class="soft small">{` (${shareText(known)} known)`}</span>}
          </dd>
        </div>
      );
    })}
  </dl>
);

const Downs = ({ downs }: Pick<PublicSite, 'downs'>) =>
  downs.length === 0 ? null : (
    <details>
      <summary>{`Down ${plural(downs.length, 'time')} in 90 days`}</summary>
      <ul class="uptime-downs">
        {downs.map(({ from, to, seconds }) => (
          <li key={from}>
            <Minute at={from} />
            {to === null ? ': down since then' : `: down for ${longText(seconds)}`}
          </li>
        ))}
      </ul>
    </details>
  );

function Site({ site, at }: { site: PublicSite; at: number }) {
  const { name, state, since, probed, uptime, days, downs } = site;
  const [tone, word] = WORDS[state];
  return (
    <section class="card" aria-labelledby={`site-${at}`}>
      <div class="row apart card-head">
        <h2 id={`site-${at}`}>
          <Clip text={name} />
        </h2>
        <State tone={tone}>{word}</State>
      </div>
      <p class="soft small">
        {since !== null && (
          <>
            {`${word} since `}
            <Minute at={since} />
            {'; '}
          </>
        )}
        {probed === null ? (
          'not checked yet'
        ) : (
          <>
            {'last checked '}
            <Minute at={probed} />
          </>
        )}
      </p>
      <Bars days={days} name={name} />
      <Shares uptime={uptime} />
      <Downs downs={downs} />
    </section>
  );
}

/** All in one sentence, the worst first. */
function summary(sites: readonly PublicSite[]): readonly [Tone, string] {
  const count = (state: PublicSite['state']): number => sites.filter((site) => site.state === state).length;
  const [down, unknown] = [count('down'), count('unknown')];
  if (down > 0) return ['bad', `${down} of ${sites.length} down`];
  if (unknown > 0) return ['calm', `${unknown} of ${sites.length} not known`];
  return ['good', 'all up'];
}

export function uptimePage({ title, sites }: UptimePage): string {
  const [tone, text] = summary(sites);
  return renderDocument({
    title,
    body: (
      <>
        <main id="content" class="reading uptime">
          <div class="row apart">
            <h1>
              <Clip text={title} />
            </h1>
            {sites.length > 0 && <State tone={tone}>{text}</State>}
          </div>
          {sites.length === 0 && <Empty>Nothing is shown here.</Empty>}
          {sites.map((site, at) => (
            <Site key={site.name} site={site} at={at} />
          ))}
          <p class="soft small">
            Of each bar, the upper part is the time up and the lower part the time down; a low bar is a day of
            which nothing is known. Shares are of the time that is known.
          </p>
        </main>
      </>
    ),
  });
}
