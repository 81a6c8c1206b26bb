/** The pictures of the pages and of the terminal view, and docs/gallery.md, which shows them. Pure except `missingPictures`. */
import { existsSync } from 'node:fs';

/** The subject of a picture. */
interface Shown {
  readonly page: string;
  readonly title: string;
  readonly about: string;
  /** Listener and address it is taken from. */
  readonly role: 'office' | 'themed' | 'public' | 'control';
  readonly path: string;
  /** Why it is not there in every scene. */
  readonly once?: string;
  /** Greatest height of its pictures where they are as high as a window, not as the page. */
  readonly most?: number;
  /** With the session that `desk open` gives. */
  readonly signedIn?: true;
  readonly scenes: readonly Scene[];
}

/** Scenes of test/support/scenes.ts with what they are: those in which every page is shown. */
const USUAL = {
  empty: 'a new desk: nothing learned, nothing configured',
  healthy: 'no findings, everything works',
  degraded: 'something is down, old, late or unreadable',
  hostile: 'findings of every severity; deceptive names of processes, files, people and links',
} as const;
const ALL = Object.keys(USUAL) as readonly (keyof typeof USUAL)[];

const SCENES = {
  ...USUAL,
  crowd: '5,000 processes, 300 listeners, 200 findings and 400 people (office and terminal view only)',
} as const;
type Scene = keyof typeof SCENES;

export const PAGES: readonly Shown[] = [
  {
    page: 'office',
    title: 'Office',
    about: 'The state of the desk, and what to do when it is not well.',
    role: 'office',
    path: '/',
    scenes: [...ALL, 'crowd'],
  },
  {
    page: 'talk',
    title: 'Office, with the hostess asked',
    about: 'The flyout: a question, her answer, and the fields it cites.',
    role: 'office',
    path: '/#hostess7',
    most: 800,
    scenes: ALL,
  },
  {
    page: 'consult',
    title: 'Office, with the assistant asked',
    about:
      'Her answer first; then the queries of the assistant with what the desk answers, and its opinion, in which values are marked and its own numbers removed. Healthy: a model with errors; hostile: a malicious one.',
    role: 'office',
    path: '/#hostess7',
    most: 1000,
    scenes: ['healthy', 'hostile'],
  },
  {
    page: 'hostess',
    title: 'Hostess',
    about: 'The charge report for people: score, avenues, baseline, the pipeline of the scar gate.',
    role: 'office',
    path: '/hostess7.html',
    scenes: ALL,
  },
  {
    page: 'startup',
    title: 'Startup',
    about: 'What starts by itself and who vouches for it, accounts, files of packages.',
    role: 'office',
    path: '/startup.html',
    most: 2_600,
    scenes: ALL,
  },
  {
    page: 'changes',
    title: 'Changes',
    about: 'What changed on this machine between two times, in groups.',
    role: 'office',
    path: '/diff.html',
    most: 2_600,
    scenes: ['hostile'],
  },
  {
    page: 'process',
    title: 'Process',
    about: 'Everything known about one process, with its findings.',
    role: 'office',
    path: '/process/6601',
    most: 2_600,
    scenes: ['hostile'],
  },
  {
    page: 'links',
    title: 'Links',
    about: 'Every link of the records with its live state.',
    role: 'office',
    path: '/links.html',
    scenes: ALL,
  },
  {
    page: 'mail',
    title: 'Mail',
    about: 'The people you have mail with and the state of their ledger, with a session.',
    role: 'office',
    path: '/email/',
    signedIn: true,
    scenes: ALL,
  },
  {
    page: 'themed',
    title: 'Themed',
    about: 'The same status on a separate listener, in the theme of the configuration.',
    role: 'themed',
    path: '/',
    scenes: ALL,
  },
  {
    page: 'public',
    title: 'Public',
    about:
      'Shown to everyone: nothing about the machine, so it depends on the configuration and not on findings.',
    role: 'public',
    path: '/',
    scenes: ALL,
  },
  {
    page: 'public-mail',
    title: 'Public mail',
    about:
      'The mail address; names and domains of people where the configuration allows it (healthy, hostile).',
    role: 'public',
    path: '/email/',
    scenes: ALL,
  },
  {
    page: 'problem',
    title: 'Refusal',
    about: 'The page for a refused request: what happened, and what to do.',
    once: 'It is the same in every scene.',
    role: 'office',
    path: '/no-such-page',
    scenes: ['healthy'],
  },
  {
    page: 'docs',
    title: 'Endpoints',
    about: 'The reference of every endpoint, generated from the declared operations.',
    once: 'It is the same in every scene.',
    role: 'control',
    path: '/docs',
    scenes: ['healthy'],
  },
];

/** Width and greatest height of a picture, CSS pixels: a longer page is cut off there. */
export const SIZES = {
  wide: { width: 1280, most: 1600 },
  narrow: { width: 360, most: 2000 },
} as const;
export const SCHEMES = ['light', 'dark'] as const;

export interface Picture {
  /** Below docs/. */
  readonly path: string;
  readonly of: Shown;
  readonly scene: Scene;
  readonly size: keyof typeof SIZES;
  readonly scheme: (typeof SCHEMES)[number];
}

const pathOf = (
  page: string,
  scene: Scene,
  size: keyof typeof SIZES,
  scheme: (typeof SCHEMES)[number],
): string => `pages/${page}-${scene}-${size}-${scheme}.webp`;

export const PICTURES: readonly Picture[] = PAGES.flatMap((of) =>
  of.scenes.flatMap((scene) =>
    (['wide', 'narrow'] as const).flatMap((size) =>
      SCHEMES.map((scheme) => ({ path: pathOf(of.page, scene, size, scheme), of, scene, size, scheme })),
    ),
  ),
);

/** A view of `desk watch` in a terminal of this size. */
export interface TerminalPicture {
  /** Below docs/. */
  readonly path: string;
  readonly scene: Scene;
  /** The key that shows the view. */
  readonly key: string;
  readonly about: string;
  readonly columns: number;
  readonly rows: number;
}

const terminal = (
  columns: number,
  rows: number,
  scene: Scene,
  key: string,
  about: string,
): TerminalPicture => ({
  path: `pages/terminal-${columns}x${rows}.webp`,
  scene,
  key,
  about,
  columns,
  rows,
});

export const TERMINALS: readonly TerminalPicture[] = [
  terminal(60, 20, 'degraded', '1', 'overview'),
  terminal(80, 24, 'hostile', '2', 'findings'),
  terminal(120, 40, 'hostile', '1', 'overview'),
  terminal(200, 60, 'crowd', '3', 'processes'),
];

/** A picture in the colour scheme of the reader. */
function shown({ page, title }: Shown, scene: Scene, size: keyof typeof SIZES, width: number): string {
  const path = (scheme: (typeof SCHEMES)[number]) => pathOf(page, scene, size, scheme);
  const alt = `${title}, ${scene}, ${SIZES[size].width} pixels wide`;
  return (
    `<picture><source media="(prefers-color-scheme: dark)" srcset="${path('dark')}">` +
    `<img src="${path('light')}" width="${width}" alt="${alt}"></picture>`
  );
}

function sceneOf(of: Shown, scene: Scene): string[] {
  const files = (['wide', 'narrow'] as const).flatMap((size) =>
    SCHEMES.map((scheme) => `[${size} ${scheme}](${pathOf(of.page, scene, size, scheme)})`),
  );
  return [
    ...(of.scenes.length > 1 ? [`### ${of.title}: ${scene}`, ''] : []),
    `<p>${shown(of, scene, 'wide', 600)} ${shown(of, scene, 'narrow', 200)}</p>`,
    '',
    files.join(' · '),
    '',
  ];
}

/** Pages with another height. */
const OTHERS = PAGES.flatMap(({ title, most }) => (most === undefined ? [] : `${title}: ${most}`)).join('; ');

export const galleryPage = (): string =>
  [
    '# Gallery of the pages',
    '',
    "Generated by `npm run docs`; the pictures are taken by `npm run docs -- --screenshots` in Debian's Chromium, from the scenes of",
    '`test/support/scenes.ts` behind the real HTTP layer. Where each figure comes from: [pages](pages.md).',
    '',
    `Wide is ${SIZES.wide.width} pixels, narrow ${SIZES.narrow.width}; longer pages are cut off at ${SIZES.wide.most} and ${SIZES.narrow.most} (${OTHERS}). Light or dark follows your system.`,
    '',
    ...(Object.keys(SCENES) as Scene[]).map((scene) => `- *${scene}*: ${SCENES[scene]}`),
    '',
    [...PAGES.map(({ title, page }) => `[${title}](#${page}-page)`), '[Terminal view](#terminal-view)'].join(
      ' · ',
    ),
    '',
    ...PAGES.flatMap((of) => [
      `<a id="${of.page}-page"></a>`,
      '',
      `## ${of.title}`,
      '',
      of.once === undefined ? of.about : `${of.about} ${of.once}`,
      '',
      ...of.scenes.flatMap((scene) => sceneOf(of, scene)),
    ]),
    '## Terminal view',
    '',
    '`desk watch` in terminals of several sizes ([live](live.md#the-terminal-view)).',
    '',
    ...TERMINALS.flatMap(({ path, scene, about, columns, rows }) => [
      `### ${columns} columns, ${rows} rows: ${about}, ${scene}`,
      '',
      `<img src="${path}" width="${Math.min(columns * 7, 820)}" alt="Terminal view, ${about}, ${scene}, ${columns} columns">`,
      '',
    ]),
  ].join('\n');

/** Pictures that docs/gallery.md names and that do not exist. */
export const missingPictures = (docs: URL): string[] =>
  [...PICTURES, ...TERMINALS].map(({ path }) => path).filter((path) => !existsSync(new URL(path, docs)));
