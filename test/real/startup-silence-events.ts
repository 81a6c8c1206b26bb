/** Events of startup-silence-inside.ts: names that editors and package managers leave, work in a home, images of containers. */
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plant } from '../features/startup/plants.ts';

type Named = (name: string) => string;

export const LEFTOVERS: readonly (readonly [string, Named])[] = [
  ['swap files of Vim', (name) => `.${name}.swp`],
  ['more of them', (name) => `.${name}.swo`],
  ['backups of editors', (name) => `${name}~`],
  ['numbered backups', (name) => `${name}.~1~`],
  ['saves of Emacs', (name) => `#${name}#`],
  ['files of nano', (name) => `.${name}.save`],
  ['new files of gedit', () => '.goutputstream-AB12CD'],
  ['new files of rsync', (name) => `.${name}.Ab12Cd`],
  ['files that dpkg left aside', (name) => `${name}.dpkg-old`],
  ['files that dpkg offers', (name) => `${name}.dpkg-dist`],
  ['files that dpkg unpacks', (name) => `${name}.dpkg-new`],
  ['files that dpkg replaces', (name) => `${name}.dpkg-tmp`],
  ['files that ucf left aside', (name) => `${name}.ucf-old`],
  ['files that ucf offers', (name) => `${name}.ucf-dist`],
  ['files that rpm offers', (name) => `${name}.rpmnew`],
  ['files that rpm left aside', (name) => `${name}.rpmsave`],
];

/** The planted file under that name; not where its reader takes such a name. */
export function leftoverOf({ path, place, text, mode = 0o644 }: Plant, named: Named) {
  const name = named(basename(path));
  const isRead = place === 'sudoers' && path.includes('/sudoers.d/') && /^[^.~]*$/.test(name);
  return isRead ? [] : [{ path: join(dirname(path), name), text, mode }];
}

/** What happens, the file in the home, its text and mode. */
export const HOME_EVENTS: readonly (readonly [string, string, string, number?])[] = [
  [
    'a repository is cloned',
    'work/.git/config',
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.org/x\n',
  ],
  ['with samples of hooks', 'work/.git/hooks/pre-commit.sample', '#!/bin/sh\nexit 1\n', 0o755],
  ['and a hook of its tools', 'work/.git/hooks/pre-commit', '#!/bin/sh\nnpx lint\n', 0o755],
  [
    'git has a name and aliases',
    '.gitconfig',
    '[user]\n\tname = Ada\n[alias]\n\tst = status\n[credential]\n\thelper = store\n',
  ],
  ['npm installs programs', '.local/lib/node_modules/x/bin/x.js', '#!/usr/bin/env node\n', 0o755],
  ['in the path of the user', '.local/bin/x', '#!/usr/bin/env node\n', 0o755],
  ['pip installs a module', '.local/lib/python3.11/site-packages/x/__init__.py', 'import os\n'],
  [
    'pip installs setuptools',
    '.local/lib/python3.11/site-packages/distutils-precedence.pth',
    "import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os.environ.get(var, 'local') == 'local'; enabled and __import__('_distutils_hack').add_shim(); \n",
  ],
  [
    'pip installs a work folder',
    '.local/lib/python3.11/site-packages/__editable__.made-1.0.pth',
    'import __editable___made_1_0_finder; __editable___made_1_0_finder.install()\n',
  ],
  ['and by its path', '.local/lib/python3.11/site-packages/made.pth', '/home/planted/made\n'],
  ['a virtual environment', 'venv/lib/python3.11/site-packages/_virtualenv.pth', 'import _virtualenv\n'],
  ['a text is written', 'notes.txt', '* * * * * root /tmp/evil\n'],
  ['a program is built', 'work/build/sudo', '\u007fELF', 0o755],
  ['a host becomes known', '.ssh/known_hosts', 'example.org ssh-ed25519 AAAA\n'],
  ['a host gets a short name', '.ssh/config', 'Host x\n  HostName example.org\n  ProxyJump y\n'],
  ['commands are remembered', '.bash_history', 'rm -rf /\n'],
  ['caches', '.cache/pip/http/1', 'x'],
  ['an alias of the shell', '.bashrc', 'alias ll="ls -l"\n'],
  ['a plugin of the editor', '.vim/plugin/x.vim', 'set number\n'],
  [
    'an application of the user',
    '.local/share/applications/x.desktop',
    '[Desktop Entry]\nExec=/home/planted/x\n',
  ],
  ['trash', '.local/share/Trash/files/x.service', '[Service]\nExecStart=/tmp/evil\n'],
  ['a download', 'Downloads/install.sh', '#!/bin/sh\n', 0o755],
];

interface Image {
  readonly event: string;
  /** Folders with the modes that the tool gives them, the last one with the files of a layer. */
  readonly folders: readonly (readonly [string, number])[];
  /** Of a user, whose ids the files have; default: root. */
  readonly rootless?: boolean;
  /** What the ids of the layer begin at. */
  readonly shifted?: number;
}

const LOCAL = '.local/share/containers';

export const IMAGES: readonly Image[] = [
  {
    event: 'an image is pulled by Docker',
    folders: [
      ['/var/lib/docker', 0o710],
      ['/var/lib/docker/overlay2', 0o710],
      ['/var/lib/docker/overlay2/layer', 0o710],
      ['/var/lib/docker/overlay2/layer/diff', 0o755],
    ],
  },
  {
    event: 'an image is pulled by containerd',
    folders: [
      ['/var/lib/containerd', 0o711],
      ['/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs', 0o700],
      ['/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/1/fs', 0o755],
    ],
  },
  {
    event: 'an image is pulled by Podman as root',
    folders: [
      ['/var/lib/containers', 0o755],
      ['/var/lib/containers/storage', 0o700],
      ['/var/lib/containers/storage/overlay', 0o700],
      ['/var/lib/containers/storage/overlay/layer/diff', 0o755],
    ],
  },
  {
    event: 'an image is pulled by Podman as a user',
    rootless: true,
    folders: [
      [LOCAL, 0o700],
      [`${LOCAL}/storage`, 0o700],
      [`${LOCAL}/storage/overlay`, 0o700],
      [`${LOCAL}/storage/overlay/layer/diff`, 0o755],
    ],
  },
  {
    event: 'an image is unpacked by systemd-nspawn',
    folders: [
      ['/var/lib/machines', 0o700],
      ['/var/lib/machines/debian', 0o755],
    ],
  },
  {
    event: 'a container of LXD with ids of its own',
    shifted: 1_000_000,
    folders: [
      ['/var/lib/lxd', 0o711],
      ['/var/lib/lxd/storage-pools/default/containers/c/rootfs', 0o755],
    ],
  },
];

const LAYER: readonly (readonly [string, string, number, number?])[] = [
  ['etc/cron.d/job', '* * * * * root /usr/bin/job\n', 0o644],
  ['etc/passwd', 'root::0:0::/root:/bin/sh\n', 0o644],
  ['etc/sudoers.d/all', 'ALL ALL=(ALL) NOPASSWD: ALL\n', 0o440],
  ['etc/ld.so.preload', '/lib/x.so\n', 0o644],
  ['usr/lib/systemd/system/job.service', '[Service]\nExecStart=/usr/bin/job\n', 0o644],
  ['usr/bin/su', '#!/bin/sh\n', 0o4755],
  ['usr/bin/chage', '#!/bin/sh\n', 0o2755, 42],
];

type User = { readonly uid: number; readonly home: string };

/** The folder of its layer. */
export const layerOf = ({ folders, rootless = false }: Image, { home }: User): string =>
  join(rootless ? home : '/', folders.at(-1)?.[0] ?? '');

/** A layer as it is unpacked; within an image of a user root is that user, and other ids are of the range of the user. */
export function imageFiles(
  image: Image,
  user: User,
  write: (path: string, text: string, mode?: number) => void,
): void {
  const { folders, rootless = false, shifted = 0 } = image;
  const at = (path: string) => (rootless ? join(user.home, path) : path);
  const idOf = (id: number) => (!rootless ? shifted + id : id === 0 ? user.uid : 99_999 + id);
  for (const [path, mode] of folders) {
    mkdirSync(at(path), { recursive: true });
    if (rootless) chownSync(at(path), user.uid, user.uid);
    chmodSync(at(path), mode);
  }
  const top = layerOf(image, user);
  for (const [path, text, mode, group = 0] of LAYER) {
    const full = join(top, path);
    write(full, text, mode);
    chownSync(full, idOf(0), idOf(group));
    chmodSync(full, mode);
  }
}
