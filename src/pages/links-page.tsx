/** The links page: every link of the desk with what is known of its target, and the commands. */
import type { Page } from '../records/page.ts';
import { Command } from './command.tsx';
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';
import { Link, plural, Section, Soft, State, type Tone, words } from './parts.tsx';

type LinkState = Page['links'][number];

const STATES: Readonly<Record<LinkState['state'], readonly [Tone, string]>> = {
  answers: ['good', 'answers'],
  silent: ['bad', 'does not answer'],
  unset: ['calm', 'not configured'],
  'not-looked-at': ['calm', 'not looked at'],
  'no-link': ['calm', 'a text'],
};

const GROUPS = [
  ['nav', 'Ways to go', 'What people use: pages, mail, sources.'],
  ['whole_stick', 'The whole stick', 'Everything the desk is made of.'],
] as const;

/** What each command is for, after the meanings of `cli` in the desk status. */
const COMMANDS: Readonly<Record<keyof Page['status']['cli'], string>> = {
  boot: 'starts the service',
  scar: 'runs the scar gate',
  web: 'looks at the desk ports',
  stats: 'counts, times and sizes',
  mail: 'mail identity and its checks',
  public: 'site probe and links',
};

/** `9 answer, 1 does not answer, 8 not configured`. */
export function countsOf(links: readonly LinkState[]): string {
  const count = (state: LinkState['state']): number => links.filter((link) => link.state === state).length;
  const parts: [number, string][] = [
    [count('answers'), count('answers') === 1 ? 'answers' : 'answer'],
    [count('silent'), count('silent') === 1 ? 'does not answer' : 'do not answer'],
    [count('not-looked-at'), 'elsewhere, not looked at'],
    [count('unset'), 'not configured'],
  ];
  return parts
    .filter(([n]) => n > 0)
    .map(([n, what]) => `${n} ${what}`)
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

export function LinksPage() {
  const { page } = useDesk();
  const { cli } = page.status;
  return (
    <DeskFrame path="/links.html">
      <div class="page-head">
        <h1>Links</h1>
        <p class="soft">
          {plural(page.links.length, 'link')}: {countsOf(page.links)}. The desk knows its own listeners and
          the site; it does not ask other servers.
        </p>
      </div>
      {GROUPS.map(([group, title, meaning]) => (
        <Section key={group} id={group} title={title} aside={<Soft>{meaning}</Soft>}>
          <ul class="link-list">
            {page.links
              .filter((link) => link.group === group)
              .map((link) => (
                <LinkRow key={link.name} {...link} />
              ))}
          </ul>
        </Section>
      ))}
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
