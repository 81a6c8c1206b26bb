/** The file `copyright` of the Debian package: our licence, and those of everything that is inside. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { licenceText, NOTICES } from './notices.ts';
import { PROJECT } from './tools.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

interface Part {
  /** Name and version. */
  readonly title: string;
  readonly license: string;
  /** Text of the licence as its package has it; "" where it has none. */
  readonly text: string;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

function partOf(folder: string): Part {
  const { name, version, license = 'see below' } = manifestOf(folder);
  return { title: `${name} ${version}`, license, text: licenceText(folder) };
}

/** Folders of the packages in the node_modules folders below `folder`. */
function bundled(folder: string): readonly string[] {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => join(name, own)) : [name],
  );
  return names
    .map((name) => join(modules, name))
    .filter((one) => existsSync(join(one, 'package.json')))
    .flatMap((one) => [one, ...bundled(one)]);
}

const STANDARD_LIBRARY = `The C++ standard library is linked into the compiled files: libc++ and libc++abi of the LLVM project (Apache-2.0 with LLVM
exceptions) where they were compiled for packages; compiled by the Makefile of a checkout, they use libstdc++ of the system.`;

const indented = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => (line.trim() === '' ? '' : `    ${line.trimEnd()}`))
    .join('\n');

/** `home`: the unpacked package with all it brings. `node`: the folder of the npm package of Node. */
export function copyrightText(home: string, node: string): string {
  const folders = [home, ...bundled(home)];
  const isOurs = (folder: string): boolean => folder === home || basename(folder).startsWith('hostess-desk-');
  const parts = folders
    .filter((folder) => !isOurs(folder))
    .map(partOf)
    .sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const inside = folders
    .filter(isOurs)
    .map((folder) => indented(readFileSync(join(folder, NOTICES), 'utf8').trim()));
  const mute = parts.filter(({ text, license }) => text === '' && license === 'see below');
  if (mute.length > 0) throw new Error(`no licence: ${mute.map(({ title }) => title).join(', ')}`);
  // Parts with the same text share it.
  const byText = new Map<string, Part[]>();
  for (const part of parts) byText.set(part.text, [...(byText.get(part.text) ?? []), part]);
  const groups = [...byText].map(
    ([text, of]) =>
      `${of.map(({ title, license }) => `${title} (${license})`).join('\n')}\n\n${indented(text)}`,
  );
  const { version } = manifestOf(node);
  return `Hostess Desk, packaged by its maintainers.

${readFileSync(join(PROJECT, 'LICENSE'), 'utf8').trim()}

The package brings what follows, each under its own licence. ${STANDARD_LIBRARY}

${groups.join('\n\n')}

Code of others inside our own files:

${inside.join('\n\n')}

Node.js ${version} (bin/node), as the npm package node-linux-* has it, with the licences of what is inside:

${indented(readFileSync(join(node, 'LICENSE'), 'utf8').trim())}
`;
}
