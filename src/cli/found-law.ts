/** The files of the law, as the commands that only read them find them. */
import type { RefusedFile } from '../config/document.ts';
import type { LawFiles } from '../features/law/index.ts';
import type { CliContext } from './command.ts';

export interface FoundLaw {
  readonly files: LawFiles;
  /** Null where there is none. */
  readonly lawPath: string | null;
  readonly acceptedPath: string | null;
  readonly refused: readonly RefusedFile[];
}

/** The files as the service would read them. What is refused counts as empty. */
export async function findLaw({ config, stateDir, env }: CliContext): Promise<FoundLaw> {
  const [files, loaded] = await Promise.all([import('../features/law/index.ts'), config()]);
  const { NO_FILES } = files;
  const user = files.loadLaw(files.lawPlaces(loaded, env), loaded.config);
  const accepted = files.loadAccepted(files.acceptedPath(await stateDir()), loaded.config);
  return {
    files: {
      user: user.ok ? user.document : NO_FILES.user,
      accepted: accepted.ok ? accepted.document : NO_FILES.accepted,
    },
    lawPath: user.path,
    acceptedPath: accepted.path,
    refused: [user, accepted].filter((one) => !one.ok),
  };
}
