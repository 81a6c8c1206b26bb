/** What `desk --version` prints: what a report of a fault needs. */
import { release } from 'node:os';
import { VERSION } from '../base/version.ts';

/** The build of the engine and how it reads processes, or why it does not load. */
async function engineText(): Promise<string> {
  try {
    const [{ loadNative }, { chooseBackend }] = await Promise.all([
      import('../engine/native/load.ts'),
      import('../engine/native/backend.ts'),
    ]);
    const { addon } = loadNative();
    return `${addon.mark}, ${chooseBackend(addon).backend}`;
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '');
  }
}

/** One line: the version first, for programs. */
export const versionText = async (): Promise<string> =>
  `${VERSION} (${await engineText()}, Linux ${release()}, Node ${process.versions.node})`;
