/** Writes docs/startup.md: the text is here, the table of places is read off the catalogue. */
import { PLACES } from '../src/features/startup/places/index.ts';

const WORDS = `# What starts by itself

Generated from \`src/features/startup/places/\` by \`npm run docs\` (\`docs/startup.ts\`).

\`desk startup\` lists what this machine starts by itself, and what decides who may log in and with which rights: in ${PLACES.length} kinds of places
(below), from cron and systemd to the shell profiles of every user. Each line says what would run, when, as whom, when the file changed
last, and who vouches for it. A file of comments starts nothing, and neither does what editors and package managers leave (\`.swp\`, \`~\`, \`.dpkg-old\`).

\`\`\`console
$ desk startup                       # what no package vouches for
$ desk startup --since yesterday     # the same of files that changed since yesterday
$ desk startup --user root --all     # everything that runs as root
\`\`\`

\`GET /startup\` answers the same ([operations](operations.md), [records](records.md#startup)). What of it is new is a finding (below).

## What is a finding

\`startup-entry\`: something that neither a package nor the baseline vouches for, line by line, so that a comment or a touched file is nothing and a new \`ExecStart\` is something. Its severity
is that of the place (below). It is low where it is known to be harmless: a link to a file of a package (an enabled unit), a copy of a packaged file, a link to nothing, a line that
scripts of Debian's packages are known to write, to the letter and in its own file, and what pam-auth-update and update-binfmts write, while a package vouches for the profile or format that it is made from. \`packaged-file\` (high or low): a packaged file, other than a configuration file, with other content than the package's; also one that starts nothing (below).

The first use learns what it finds up to severity high, and lists it for review (\`desk baseline review\`); a critical entry, such as \`/etc/ld.so.preload\`, is never learned. A baseline of an earlier version gets these entries once, when no other finding closes the gate. In a configuration file that you change, what a package vouched for before stays known: only
the new lines are judged. While a package manager holds dpkg's lock, judging waits, at most ten minutes.

Changes are seen as they happen, by inotify on the folders of all places (at most 16,384), and read 0.2 s later; after reading, the desk rests twenty times as long as that took, at most a minute. What inotify does not show (\`/proc\`, file systems of other machines,
what is mounted) is found by the scheduled scan, \`[slow] every_sec\`. \`unwatched\` of \`GET /startup\` says when events do not reach the desk.

## Programs that run with rights of others

\`privileged-program\` lists every set-user-ID and set-group-ID program, and every one with file capabilities, on all file systems of this machine: local ones, mounted without \`nosuid\`. Folders
that only root can enter are left out, since root needs no such program. This leaves out the layers of container images if their folder is so.
Where one user and root alone can enter, as with images of a user's own containers, a program that runs as this user gives nobody anything, and is left out too. dpkg records no modes, so a package vouches for a program only where its
rights are as old as its installation: changed (ctime) at most an hour after its files were unpacked. \`chmod u+s\` on a packaged program later is a finding.

Low are those below \`/snap\`, and those whose rights are of ids from 100,000 up alone, the ranges of containers of users. Of one file system, 512 programs that belong to others than root are listed, and
1 GiB is read for digests; what is beyond is *not read*.

It takes a walk over each file system, at low priority: with each scheduled scan, when \`desk startup\` asks, and when a program that it found unvouched changes. A new one is found by the next of these, not as it happens.

## Accounts

\`desk accounts\` (\`GET /accounts\`) lists who can log in, how (password, SSH keys, no password at all), with which rights (uid 0, lines of sudoers, groups that give more rights), the last login that
\`/var/log/wtmp\` has, and the open findings about its password, groups and SSH keys, which is what is new since it was learned. Findings about sudoers name the file only, and \`--local\` has no findings. What could not be read is *not known*. Settings of the SSH server and of PAM can forbid what is listed here; they are
places of their own. What sudoers includes from other folders, and doas, are named and not read.
SSH keys in other files than \`~/.ssh/authorized_keys\` and \`authorized_keys2\`, key commands and certificate authorities are not counted. Accounts of a directory service (LDAP, SSSD) are not listed. Of wtmp the last 32 MiB and
10,000 users are read; if it was emptied, earlier logins are not known.

## Files of packages

\`desk packages\` compares all files of packages with the digests that dpkg recorded, at low priority. Once you have asked a service for the first time, it also compares by itself: two minutes after its start,
then with \`[slow] every_sec\`, and half a minute after packages have changed, resting as long as it works. \`GET /packages\` has the last result. \`packaged-file\` reports what differs: high for programs, libraries, code, configuration and files in \`/boot\`, low for the rest, and more than three files of one package as one finding, since tools that update themselves in place change hundreds. Configuration files are not compared, and a file that is not there is counted, not reported. A link in place of a file is followed; a folder or anything else there is altered.
A comparison during an installation is discarded: the earlier result stays, and the service compares again half a minute later. At most 1,000 files of a package and 5,000 in all are kept. An ordinary user's desk cannot see that lock.

A package whose files were all as recorded gets a *seal*, a digest of what \`stat(2)\` says of them (inode, size, times, owner, mode). While the seal holds, its files are not read again: no program can set a change time (ctime).
Whoever can write to the disk itself, set the clock back, or change the desk's own store can get around it.

## Who vouches

| vouched for by | meaning |
|---|---|
| a package | dpkg's database names a package that owns the file, and the file has the digest that is recorded there (MD5, all that dpkg keeps) |
| not as in PACKAGE | a package owns the file, and the digest is another one. Of a configuration file that is ordinary: the administrator has changed it |
| PACKAGE earlier | the file has changed since, and this part of it was there while the package vouched for it |
| a copy from PACKAGE | a package has a file of this content at another place: its scripts copy some into \`/etc\` |
| no package | no package owns it, or the one that does recorded no digest, as of files that its scripts made |

Diversions, \`/bin\` and \`/lib\` as links into \`/usr\`, and packages that were removed with their configuration files kept are taken into account. The
file behind a link is what is compared.

**The database can be forged.** It consists of ordinary files in \`/var/lib/dpkg\`: root can change the digests there.
"A package vouches" means that the file agrees with this database, not that Debian made it. Machines without dpkg have no voucher, and the answer says so.

## How it is read

\`desk-peek\`, a helper that is killed when it does not answer ([peek](peek.md)), reads the files; the service never opens them. One pattern is asked at a time, so a
file system that hangs costs that pattern alone. A home is left after three that hang, and all homes that have not answered after sixteen in a row. While a helper hangs in the kernel, its pattern
is not asked for again, and what hangs is not watched. It reads only regular files: a pipe, a device or a socket is named and not opened, and nothing is followed between looking and
reading. In the homes of users it reads only what that user owns or everyone may read, and behind a link only what the owner of the link may
read, so that a link shows no one else's secrets. Times are change times (ctime), which programs cannot set.

Limits: 256 KiB of a text, 64 MiB for a digest, 4,096 files and 8 MiB of text for a pattern, 65,536 entries of folders, 8 folders deep for \`**\`, 1,000 starts in a file, 2,000 homes.
What is beyond a limit, hangs, or cannot be read is listed under *not read*, with the reason.

Commands are shown with secrets masked, at most 500 characters of each. Of passwords only their kind and a digest of the hash are shown, so that a changed one is
seen; of SSH keys the fingerprint.

## Places

| place | what it is | files | runs | as | severity | ATT&CK |
|---|---|---|---|---|---|---|
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

export const startupPage = (): string =>
  `${WORDS}${PLACES.map(
    ({ id, title, files, when, user, severity, techniques }) =>
      `| \`${id}\` | ${cell(title)} | ${files.map((file) => `\`${cell(file)}\``).join(' ')} | ${cell(when)} | ${user} | ${severity} | ${techniques.join(' ')} |`,
  ).join('\n')}\n\nThe severity is that of something there which nothing vouches for.\n`;
