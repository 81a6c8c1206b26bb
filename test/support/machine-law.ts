/** The law of tests that check the whole machine: other programs of the machine and of this checkout are not findings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './require.ts';

const text = `[[except]]
check = ["memfd-executable", "writable-code"]
executable = "/memfd:sealed-*"
why = "a machine that runs tests may start its tools from memory"

[[except]]
check = "odd-executable-path"
executable = "${projectRoot}/*"
why = "this checkout"

[[except]]
check = "packaged-file"
path = "/usr/lib/node_modules/*"
why = "npm of a machine that runs tests may have updated itself"
`;

/** Writes it into the folder; its path. */
export function putMachineLaw(folder: string): string {
  const path = join(folder, 'law.toml');
  writeFileSync(path, text);
  return path;
}
