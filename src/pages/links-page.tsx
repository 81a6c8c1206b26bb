/** The links page: every link of the desk with the state of its target, and the commands. */
import { plural } from '../base/plural.ts';
import type { Page } from '../records/page.ts';
import { Command } from './command.tsx';
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';
import { Unset } from './not-set-up.tsx';
import { Link, Section, Soft, State, type Tone, words } from './parts.tsx';

type LinkState = Page['links'][number];

const STATES: Readonly<Record<LinkState['state'], readonly [Tone, string]>> = {
  answers: ['good', 'answers'],
  silent: ['bad', 'does not answer'],
  unset: ['calm', 'not configured'],
  'not-looked-at': ['calm', 'not checked'],
  'no-link': ['calm', 'a text'],
};

const GROUPS = [
  ['nav', 'Navigation', 'What people use: pages, mail, sources.', undefined],
  ['whole_stick', 'All parts', 'Every part of the desk.', 'links'],
] as const;

const COMMANDS: Readonly<Record<keyof Page['status']['cli'], string>> = {
  boot: 'starts the service',
  scar: 'runs the scar gate',
  web: 'checks the desk ports',
  stats: 'counts, times and sizes',
  mail: 'mail identity and its checks',
  public: 'site probe and links',
};

/** `9 answer, 1 does not answer, 8 not configured`. */
export function countsOf(links: readonly LinkState[]): string {
  const parts = [
    ['answers', 'answers', 'answer'],
    ['silent', 'does not answer', 'do not answer'],
    ['not-looked-at', 'elsewhere, not checked'],
    ['unset', 'not configured'],
  ] as const;
  return parts
    .map(
      ([state, one, many = one]) => [links.filter((link) => link.state === state).length, one, many] as const,
    )
    .flatMap(([count, one, many]) => (count > 0 ? [plural(count, one, many)] : []))
    .join(', ');
}

function LinkRow({ group, name, target, state, detail }: LinkState) {
  const [tone, word] = STATES[state];
  return (
    <li class="link-row" data-link={`${group}.${name}`} data-state={state}>
      <State tone={tone}>{word}</State>
      <span class="link-name">{words(name)}</span>
      <span class="link-target">
        {state === 'unset' ? <Soft>{detail}</Soft> : <Link to={target} />}
        {state !== 'unset' && detail !== '' && <span class="soft small link-detail">{detail}</span>}
      </span>
    </li>
  );
}

const LinkRows = ({ links }: { links: readonly LinkState[] }) => (
  <ul class="lined">
    {links.map((link) => (
      <LinkRow key={link.name} {...link} />
    ))}
  </ul>
);

export function LinksPage() {
  const { page } = useDesk();
  const { cli } = page.status;
  return (
    <DeskFrame path="/links.html">
      <div class="page-head">
        <h1>Links</h1>
        <p class="soft">
          {plural(page.links.length, 'link')}: {countsOf(page.links)}. The desk checks its own listeners and
          the site; it sends nothing to other servers.
        </p>
      </div>
      {GROUPS.map(([group, title, meaning, term]) => {
        const links = page.links.filter((link) => link.group === group);
        const unset = links.filter(({ state }) => state === 'unset');
        return (
          <Section
            key={group}
            id={group}
            title={title}
            {...(term && { term })}
            aside={<Soft>{meaning}</Soft>}
          >
            <LinkRows links={links.filter(({ state }) => state !== 'unset')} />
            <Unset count={unset.length}>
              <LinkRows links={unset} />
            </Unset>
          </Section>
        );
      })}
      <Section id="commands" title="Commands" aside={<Soft>They run as printed.</Soft>}>
        <ul class="command-list">
          {Object.entries(cli).map(([name, command]) => (
            <li key={name}>
              <Command command={command} />
              <span class="soft">{COMMANDS[name as keyof typeof COMMANDS]}</span>
            </li>
          ))}
        </ul>
      </Section>
    </DeskFrame>
  );
}
