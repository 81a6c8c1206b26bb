/** The file `copyright` of the Debian package: our licence, and those of everything that is inside. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './tools.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly homepage?: string;
}

interface Part {
  /** Name and version, and what it is for where that is not evident. */
  readonly title: string;
  readonly license: string;
  /** Text of the licence as its package has it; "" where it has none. */
  readonly text: string;
}

const LICENCE = /^(?:licen[cs]e|copying)/i;
const README = /^readme/i;

/** The licence texts in a folder; of a package without one, the end of its readme, where npm packages have it. */
function licenceText(folder: string): string {
  const names = readdirSync(folder).sort();
  const own = names.filter((name) => LICENCE.test(name));
  if (own.length > 0) return own.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
  const readme = names.find((name) => README.test(name));
  const [, text = ''] = readme
    ? readFileSync(join(folder, readme), 'utf8').split(/^#+ *licen[cs]e.*$/im)
    : [];
  return text.trim();
}

function partOf(folder: string, use = ''): Part {
  const {
    name,
    version,
    license = 'see below',
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  return { title: `${name} ${version}${use === '' ? '' : `, ${use}`}`, license, text: licenceText(folder) };
}

/** Packages in the node_modules folders below `folder`, of others than us. */
function bundled(folder: string): readonly Part[] {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => join(name, own)) : [name],
  );
  return names
    .filter((name) => existsSync(join(modules, name, 'package.json')))
    .flatMap((name) => [
      ...(name.startsWith('hostess-desk-') ? [] : [partOf(join(modules, name))]),
      ...bundled(join(modules, name)),
    ]);
}

/** Of development dependencies, what is inside files of ours. */
const INSIDE: readonly (readonly [string, string])[] = [
  ['uplot', 'inside the script of the pages'],
  ['node-addon-api', 'inside the compiled addon'],
];

const STANDARD_LIBRARY = `The C++ standard library is linked into the compiled files: libc++ and libc++abi of the LLVM project (Apache-2.0 with LLVM
exceptions) where they were compiled for packages; compiled by the Makefile of a checkout, they use libstdc++ of the system.`;

const indented = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => (line.trim() === '' ? '' : `    ${line.trimEnd()}`))
    .join('\n');

/** `home`: the unpacked package with all it brings. `node`: the folder of the npm package of Node. */
export function copyrightText(home: string, node: string): string {
  const parts = [
    ...bundled(home),
    ...INSIDE.map(([name, use]) => partOf(join(PROJECT, 'node_modules', name), use)),
  ].sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const mute = parts.filter(({ text, license }) => text === '' && license === 'see below');
  if (mute.length > 0) throw new Error(`no licence: ${mute.map(({ title }) => title).join(', ')}`);
  // Parts with the same text share it.
  const byText = new Map<string, Part[]>();
  for (const part of parts) byText.set(part.text, [...(byText.get(part.text) ?? []), part]);
  const groups = [...byText].map(
    ([text, of]) =>
      `${of.map(({ title, license }) => `${title} (${license})`).join('\n')}\n\n${indented(text)}`,
  );
  const { version } = JSON.parse(readFileSync(join(node, 'package.json'), 'utf8')) as Manifest;
  return `Hostess Desk, packaged by its maintainers.

${readFileSync(join(PROJECT, 'LICENSE'), 'utf8').trim()}

The package brings what follows, each under its own licence. ${STANDARD_LIBRARY}

${groups.join('\n\n')}

Node.js ${version} (bin/node), as the npm package node-linux-* has it, with the licences of what is inside:

${indented(readFileSync(join(node, 'LICENSE'), 'utf8').trim())}
`;
}
