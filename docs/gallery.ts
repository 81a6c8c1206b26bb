/** The pictures of the pages: which there are, and docs/gallery.md, which shows them. Pure but for `missingPictures`. */
import { existsSync } from 'node:fs';

/** What a picture shows of a page. */
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
  empty: 'a desk that has just begun: nothing learned, nothing configured',
  healthy: 'everything is there and well',
  degraded: 'something is down, old, late or cannot be seen',
  hostile: 'findings of every severity; names of processes, files, people and links are made to deceive',
} as const;
const ALL = Object.keys(USUAL) as readonly (keyof typeof USUAL)[];

const SCENES = {
  ...USUAL,
  crowd: '5,000 processes, 300 listeners, 200 findings and 400 people, shown of the office alone',
} as const;
type Scene = keyof typeof SCENES;

export const PAGES: readonly Shown[] = [
  {
    page: 'office',
    title: 'Office',
    about: 'The desk at one glance: whether it is well, and if not what to do.',
    role: 'office',
    path: '/',
    scenes: [...ALL, 'crowd'],
  },
  {
    page: 'talk',
    title: 'Office, with the hostess asked',
    about: 'The flyout: a question, her answer, and the fields it rests on.',
    role: 'office',
    path: '/#hostess7',
    most: 800,
    scenes: ALL,
  },
  {
    page: 'consult',
    title: 'Office, with the assistant asked',
    about:
      'Her answer first; then the words of the assistant, labelled, with what contradicts the measured values marked. Healthy: a model that errs; hostile: one that means harm.',
    role: 'office',
    path: '/#hostess7',
    most: 1000,
    scenes: ['healthy', 'hostile'],
  },
  {
    page: 'hostess',
    title: 'Hostess',
    about:
      'The charge report for people: the war machine, avenues, what is learned, the scar gate as its pipeline.',
    role: 'office',
    path: '/hostess7.html',
    scenes: ALL,
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
    about:
      'The people you have mail with and how their ledger is kept, with the session that they are shown for.',
    role: 'office',
    path: '/email/',
    signedIn: true,
    scenes: ALL,
  },
  {
    page: 'themed',
    title: 'Themed',
    about: 'The same status on a listener of its own, in the theme of the configuration.',
    role: 'themed',
    path: '/',
    scenes: ALL,
  },
  {
    page: 'public',
    title: 'Public',
    about:
      'What everybody may see: nothing about the machine, so it differs by what is configured and not by what is found.',
    role: 'public',
    path: '/',
    scenes: ALL,
  },
  {
    page: 'public-mail',
    title: 'Public mail',
    about:
      'Where to write to; names and domains of the people where the configuration opens the list (healthy, hostile).',
    role: 'public',
    path: '/email/',
    scenes: ALL,
  },
  {
    page: 'problem',
    title: 'Refusal',
    about: 'What a person sees whose request is refused: what happened, and what to do.',
    once: 'It is about the request alone, so it is the same in every scene and shown once.',
    role: 'office',
    path: '/no-such-page',
    scenes: ['healthy'],
  },
  {
    page: 'docs',
    title: 'Endpoints',
    about: 'The reference of every endpoint, made from the declared operations.',
    once: 'It is made from the code alone, so it is the same in every scene and shown once.',
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

/** A picture in the scheme of who looks at it. */
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

export const galleryPage = (): string =>
  [
    '# What the pages look like',
    '',
    "Generated by `npm run docs`; the pictures are taken by `npm run docs -- --screenshots` in Debian's Chromium, from the scenes of",
    '`test/support/scenes.ts` behind the real HTTP layer. Where each figure comes from: [pages](pages.md).',
    '',
    `Wide is ${SIZES.wide.width} pixels, narrow ${SIZES.narrow.width}; longer pages are cut off at ${SIZES.wide.most} and ${SIZES.narrow.most}. Light or dark is that of who reads this.`,
    '',
    ...(Object.keys(SCENES) as Scene[]).map((scene) => `- *${scene}*: ${SCENES[scene]}`),
    '',
    PAGES.map(({ title, page }) => `[${title}](#${page}-page)`).join(' · '),
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
  ].join('\n');

/** Pictures that docs/gallery.md names and that are not there. */
export const missingPictures = (docs: URL): string[] =>
  PICTURES.map(({ path }) => path).filter((path) => !existsSync(new URL(path, docs)));
