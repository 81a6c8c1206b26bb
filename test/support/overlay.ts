/** A private copy of the whole root as root: what is written there is gone with the process, and the machine does not see it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { programWords } from './entry.ts';
import { projectRoot } from './require.ts';
import { tempFolder } from './temp-folder.ts';
import { fileTimeoutMs } from './time-limit.ts';

/** What `needs` of a test that runs one. */
export const OVERLAY_NEEDS = ['root', 'overlay'] as const;

/** Overlays do not stack on others' upper folders: these are in memory. The tests and the project may be on file systems of their own. */
export const OVERLAY_SETUP = `set -e
mount -t tmpfs -o mode=0755 tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for place in proc sys dev; do mount --rbind "/$place" "$1/root/$place"; done
for place in /tmp "$2"; do
  mounted=$(findmnt --noheadings --first-only --output TARGET --target "$place")
  if [ "$mounted" != / ] && ! mountpoint -q "$1/root$mounted"; then
    layers=$(mktemp -d -p "$1")
    mkdir "$layers/upper" "$layers/work"
    mount -t overlay overlay -o "lowerdir=$mounted,upperdir=$layers/upper,workdir=$layers/work" "$1/root$mounted"
  fi
done
# Walks over them would take most of the time.
for place in /root/.[!.]*/; do
  case "$place:$2:$3" in /root/.ssh/:* | /root/.config/:* | /root/.local/:* | *:"$place"*) continue ;; esac
  if [ -d "$1/root$place" ]; then mount -t tmpfs tmpfs "$1/root$place"; fi
done
# dpkg would read all manual pages again.
rm -f "$1/root/var/lib/man-db/auto-update"
`;

/** Runs a module of the project in such a root, to its end; returns what it printed. @throws when it fails or takes too long. */
export async function inOverlay(
  path: string,
  from: string,
  {
    timeoutMs = fileTimeoutMs,
    words = [],
  }: { readonly timeoutMs?: number; readonly words?: readonly string[] } = {},
): Promise<string> {
  const folder = tempFolder('desk-overlay-');
  const setup = `${OVERLAY_SETUP}cd "$1/root"\nshift\nexec chroot . /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$@"`;
  const command = [projectRoot, process.execPath, ...programWords(path, from), ...words];
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      '--kill-child',
      '--fork',
      '/bin/sh',
      '-c',
      setup,
      'sh',
      folder,
      ...command,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' },
  );
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0)
    throw new Error(`${path} in an overlay ended with ${signal ?? code}: ${errors.slice(-4_000)}`);
  return out;
}
