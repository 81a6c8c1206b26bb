/** The rule for trusted files, against every way in which another user could change a file; and every reader of such files. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  lchownSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import { readPrivateLine } from '../../src/base/private-line.ts';
import { distrust, distrustWay, faultText, openTrusted } from '../../src/base/trusted-file.ts';
import { startProblems } from '../../src/cli/start-options.ts';
import { defaultConfig, describeProblems, loadConfig } from '../../src/config/load.ts';
import { configSchema } from '../../src/config/schema.ts';
import { readKey } from '../../src/features/baseline/seal.ts';
import { loadAccepted, loadLaw } from '../../src/features/law/files.ts';
import { ledgerTrust } from '../../src/features/mail/ledger/form.ts';
import { readPassword } from '../../src/features/mail/password.ts';
import { openStore } from '../../src/service/tables.ts';
import { openStateDir } from '../../src/state-folder/state-folder.ts';
import { needs } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Kind {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly secret: boolean;
  readonly link: boolean;
  /** Why the file is refused, "" when it is accepted. */
  refusal(path: string): string;
}

const OTHER = 65534;
const thrown = (work: () => void): string => {
  try {
    work();
    return '';
  } catch (error) {
    if (error instanceof DeskError) return `${error.message} ${error.why} ${error.remedy}`;
    throw error;
  }
};
const fault = (result: { readonly ok: boolean }): string =>
  result.ok ? '' : describeProblems(result as unknown as Parameters<typeof describeProblems>[0]).join('\n');

const open = { secret: false, link: true } as const;
const secret = { secret: true, link: false } as const;
const opened = (path: string, secretly: boolean): string => {
  const result = openTrusted(path, { secret: secretly });
  if (result.ok) closeSync(result.file);
  return result.ok ? '' : `${path} ${faultText(result.fault)}`;
};
/** `openTrusted` itself. */
const rules: readonly Kind[] = [
  { ...open, name: 'open', content: '', refusal: (path) => opened(path, false) },
  { ...secret, name: 'secret', content: '', refusal: (path) => opened(path, true) },
];

const readers: readonly Kind[] = [
  { ...open, name: 'desk.toml', content: '', refusal: (path) => fault(loadConfig({ DESK_CONFIG: path })) },
  { ...open, name: 'law.toml', content: '', refusal: (path) => fault(loadLaw([path], defaultConfig())) },
  {
    ...open,
    name: 'accepted.toml',
    content: '',
    refusal: (path) => fault(loadAccepted(path, configSchema.parse({}))),
  },
  {
    ...open,
    name: 'ca.pem',
    content: '',
    refusal: (path) =>
      startProblems({ options: [], env: { NODE_EXTRA_CA_CERTS: path }, fromSources: false })
        .map(({ text }) => text)
        .join('\n'),
  },
  {
    ...secret,
    name: 'mail.password',
    content: 'secret\n',
    refusal: (path) => {
      const read = readPassword(path, undefined);
      return read.ok ? '' : read.reason;
    },
  },
  {
    ...secret,
    name: 'assistant.key',
    content: 'secret\n',
    refusal: (path) => {
      const read = readPrivateLine(path, { ours: true, what: 'API key' });
      return read?.ok ? '' : (read?.reason ?? 'absent');
    },
  },
  {
    ...secret,
    name: 'baseline.key',
    content: new Uint8Array(32),
    // The key is created again: there is no reason to report.
    refusal: (path) => (readKey(dirname(path)) === null ? `${path} is refused` : ''),
  },
  {
    name: 'desk.db',
    content: '',
    secret: false,
    link: false,
    refusal: (path) => thrown(() => openStore(dirname(path), { recover: false }).close()),
  },
];

interface Scene {
  /** Above `dir`. */
  readonly base: string;
  readonly dir: string;
  readonly file: string;
}

interface Case {
  readonly name: string;
  readonly says: RegExp;
  readonly root?: boolean;
  make(scene: Scene): void;
}

/** Moves the file to `folder` and leaves a link to it. */
function linked({ file }: Scene, folder: string): string {
  const target = join(folder, basename(file));
  renameSync(file, target);
  symlinkSync(target, file);
  return target;
}

function folder(base: string, mode = 0o755): string {
  const path = join(base, 'elsewhere');
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

const isLink = /is a symbolic link/;
const either = (...parts: readonly RegExp[]): RegExp =>
  new RegExp(parts.map(({ source }) => source).join('|'));

const faults: readonly Case[] = [
  {
    name: 'mode 0666',
    says: /(?:may be written by every user|is open to others) \(mode 0666\)[\s\S]*"?chmod 6/,
    make: ({ file }) => chmodSync(file, 0o666),
  },
  {
    name: 'mode 0664',
    says: /(?:may be written by its group|is open to others) \(mode 0664\)[\s\S]*"?chmod 6/,
    make: ({ file }) => chmodSync(file, 0o664),
  },
  {
    name: 'another owner',
    says: /belongs to uid 65534; the owner must be root[\s\S]*chown root:root/i,
    root: true,
    make: ({ file }) => chownSync(file, OTHER, OTHER),
  },
  {
    name: 'folder 0777',
    says: /in a folder that every user may write \(mode 0777\)[\s\S]*chmod go-w/i,
    make: ({ dir }) => chmodSync(dir, 0o777),
  },
  {
    name: 'folder 0775',
    says: /in a folder that its group may write \(mode 0775\)[\s\S]*chmod go-w/i,
    make: ({ dir }) => chmodSync(dir, 0o775),
  },
  {
    name: 'folder above it 0777',
    says: /in a folder that every user may write \(mode 0777\)/,
    make: ({ base }) => chmodSync(base, 0o777),
  },
  {
    name: "another's folder",
    says: /in a folder of uid 65534[\s\S]*chown root/i,
    root: true,
    make: ({ dir }) => chownSync(dir, OTHER, OTHER),
  },
  {
    name: "another's sticky folder above it",
    says: /in a folder of uid 65534/,
    root: true,
    make: ({ base }) => {
      chmodSync(base, 0o1777);
      chownSync(base, OTHER, OTHER);
    },
  },
  {
    name: "link to another's file",
    says: either(isLink, /belongs to uid 65534/),
    root: true,
    make: (scene) => chownSync(linked(scene, folder(scene.base)), OTHER, OTHER),
  },
  {
    name: "another's link",
    says: either(isLink, /symbolic link of uid 65534[\s\S]*remove the link/i),
    root: true,
    make: (scene) => {
      linked(scene, folder(scene.base));
      lchownSync(scene.file, OTHER, OTHER);
    },
  },
  {
    name: 'link into a folder that every user may write',
    says: either(isLink, /in a folder that every user may write \(mode 0777\)/),
    make: (scene) => linked(scene, folder(scene.base, 0o777)),
  },
  {
    name: 'link to nothing',
    says: either(isLink, /symbolic link whose target does not exist[\s\S]*remove the link/),
    make: (scene) => rmSync(linked(scene, folder(scene.base))),
  },
  {
    name: 'folder that is a link to nothing',
    says: /symbolic link whose target does not exist[\s\S]*remove the link \S+\/dir$/,
    make: ({ base, dir }) => {
      rmSync(dir, { recursive: true });
      symlinkSync(join(base, 'not', 'mounted'), dir);
    },
  },
  {
    name: 'folder that is a link into another link to nothing',
    says: /symbolic link whose target does not exist[\s\S]*remove the link \S+\/dir$/,
    make: ({ base, dir }) => {
      const inner = folder(base);
      rmSync(dir, { recursive: true });
      symlinkSync(inner, join(base, 'alias'));
      symlinkSync('alias/not', dir);
    },
  },
  {
    name: 'link to itself',
    says: either(isLink, /too many symbolic links/),
    make: ({ file }) => {
      rmSync(file);
      symlinkSync(file, file);
    },
  },
  {
    name: 'hard link',
    says: /has 2 names \(hard links\)[\s\S]*cp -p/i,
    make: (scene) => linkSync(scene.file, join(folder(scene.base), 'second')),
  },
  {
    name: 'FIFO',
    says: /is a FIFO, not a regular file/,
    make: ({ file }) => {
      rmSync(file);
      execFileSync('mkfifo', ['-m', '600', file]);
    },
  },
  {
    name: 'directory',
    says: /is a directory, not a regular file/,
    make: ({ file }) => {
      rmSync(file);
      mkdirSync(file);
    },
  },
];

const benign: readonly (Case & { readonly linked?: true; readonly readable?: true })[] = [
  { name: 'mode 0644', says: /^$/, readable: true, make: ({ file }) => chmodSync(file, 0o644) },
  { name: 'mode 0600', says: /^$/, make: ({ file }) => chmodSync(file, 0o600) },
  { name: 'sticky folder above it', says: /^$/, make: ({ base }) => chmodSync(base, 0o1777) },
  {
    name: 'link of ours to a file of ours',
    says: /^$/,
    linked: true,
    make: (scene) => linked(scene, folder(scene.base)),
  },
  {
    name: 'relative link through another link',
    says: /^$/,
    linked: true,
    make: (scene) => {
      linked(scene, folder(scene.base));
      symlinkSync('elsewhere', join(scene.base, 'alias'));
      rmSync(scene.file);
      symlinkSync(`../alias/./${basename(scene.file)}`, scene.file);
    },
  },
];

const test = suite<{ base: string }>('trusted file', { base: '' });
test.before.each((context) => {
  context.base = tempFolder('desk-trust-');
});

function sceneOf(base: string, { name, content }: Pick<Kind, 'name' | 'content'>): Scene {
  const dir = join(base, 'dir');
  mkdirSync(dir, { mode: 0o755 });
  const file = join(dir, name);
  writeFileSync(file, content, { mode: 0o600 });
  return { base, dir, file };
}

function check(kind: Kind, faulty: readonly Case[], harmless: typeof benign): void {
  for (const fault of faulty)
    (fault.root ? needs('root') : needs())(test, `${kind.name}, ${fault.name}: refused`, ({ base }) => {
      const scene = sceneOf(base, kind);
      fault.make(scene);
      const said = kind.refusal(scene.file);
      assert.match(said, scene.file);
      if (kind.name !== 'baseline.key') assert.match(said, fault.says);
    });
  for (const { name, make, linked: byLink = false, readable = false } of harmless) {
    const taken = (kind.link || !byLink) && (!kind.secret || !readable);
    test(`${kind.name}, ${name}: ${taken ? 'taken' : 'refused'}`, ({ base }) => {
      const scene = sceneOf(base, kind);
      make(scene);
      assert.is(kind.refusal(scene.file) === '', taken);
    });
  }
}

for (const kind of rules) check(kind, faults, benign);
// Each reader applies the rule, with the options of its kind.
for (const kind of readers)
  check(
    kind,
    faults.filter(({ name }) => name === 'mode 0666'),
    benign.filter(({ name }) => ['mode 0644', 'mode 0600', 'link of ours to a file of ours'].includes(name)),
  );

test('a file of the system is trusted by every user, a file of another user only by that user', ({
  base,
}) => {
  for (const uid of [0, 1000, OTHER]) assert.is(distrust('/etc/passwd', { uid }), null);
  const { file } = sceneOf(base, { name: 'own', content: '' });
  const own = process.geteuid?.() ?? 0;
  assert.is(distrust(file, { uid: own }), null);
  if (own !== 0) assert.match(distrust(file, { uid: 4242 })?.what ?? '', `in a folder of uid ${own}`);
});

test('a device or a socket is not opened, and a missing file is reported as missing', ({ base }) => {
  assert.match(distrust('/dev/tty')?.what ?? '', /is a device/);
  assert.is(distrust(join(base, 'none'))?.kind, 'absent');
  assert.is(distrust(join(base, 'none', 'below'))?.kind, 'absent');
  const { file } = sceneOf(base, { name: 'file', content: '' });
  assert.is(distrust(join(file, 'below'))?.kind, 'absent');
  assert.not.ok(openTrusted(join(base, 'none')).ok);
});

test('a refusal has its path in the remedy, not in the message', ({ base }) => {
  const scene = sceneOf(base, { name: "it's", content: '' });
  chmodSync(scene.dir, 0o777);
  const fault = distrust(scene.file);
  assert.not.match(fault?.what ?? '/', '/');
  assert.match(fault?.remedy ?? '', `chmod go-w ${scene.dir}`);
  chmodSync(scene.dir, 0o755);
  chmodSync(scene.file, 0o666);
  assert.match(distrust(scene.file)?.remedy ?? '', `'${scene.dir}/it'\\''s'`);
});

test('a file that is missing behind a valid link is reported as missing', ({ base }) => {
  const { file } = sceneOf(base, { name: 'file', content: '' });
  symlinkSync('dir', join(base, 'alias'));
  symlinkSync('alias/.', join(base, 'again'));
  symlinkSync('/', join(base, 'root'));
  for (const path of ['alias/none', 'again/none', 'again/none/below', 'root/no such folder/file'])
    assert.is(distrust(join(base, path))?.kind, 'absent', path);
  assert.is(distrust(join(base, 'again', basename(file))), null);
});

test('a desk whose configuration folder is a dangling link does not start with the defaults', ({ base }) => {
  symlinkSync(join(base, 'not mounted'), join(base, 'desk'));
  assert.match(
    fault(loadConfig({ XDG_CONFIG_HOME: base, HOME: base })),
    /whose target does not exist; create or mount/,
  );
});

const GROUP = 4711;
needs('root')(test, 'a ledger must belong to the owner of its folder', ({ base }) => {
  const path = join(base, 'people', 'people.db');
  assert.equal(ledgerTrust(path), {});
  mkdirSync(dirname(path));
  assert.equal(ledgerTrust(path), { uid: 0 });
  chownSync(dirname(path), GROUP, GROUP);
  assert.equal(ledgerTrust(path), { uid: GROUP });
  writeFileSync(path, '', { mode: 0o600 });
  chownSync(path, GROUP, GROUP);
  assert.is(distrust(path, ledgerTrust(path)), null);
  assert.match(distrust(path)?.what ?? '', `is in a folder of uid ${GROUP}`);
  chmodSync(path, 0o660);
  assert.match(distrust(path, ledgerTrust(path))?.what ?? '', /may be written by its group/);
});

test('a missing file is reported as missing in any folder, trusted or not', ({ base }) => {
  chmodSync(base, 0o777);
  assert.is(distrust(join(base, 'desk.toml'))?.kind, 'absent');
  assert.is(loadLaw([join(base, 'law.toml')], defaultConfig()).ok, true);
});

test('a state folder below a folder that others may write is refused', ({ base }) => {
  chmodSync(base, 0o777);
  assert.match(
    thrown(() => openStateDir(join(base, 'state'))),
    /is in a folder that every user may write[\s\S]*chmod go-w/i,
  );
  assert.is(distrustWay(join(base, 'state'))?.kind, 'untrusted');
  chmodSync(base, 0o755);
  assert.is(distrustWay(join(base, 'state')), null);
});

test.run();
