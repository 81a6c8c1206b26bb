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
The page [\`/startup.html\`](pages.md) shows it with filters and links to the findings, and [the hostess](hostess.md) answers questions about it. \`fresh=false\` takes what was read within the last minute, if nothing has
changed since; \`read\` says when all of it was read.

## What is a finding

\`startup-entry\`: something that neither a package nor the baseline vouches for, line by line, so that a comment or a touched file is nothing and a new \`ExecStart\` is something. Its severity
is that of the place (below). It is low where it is known to be harmless: a link to a file of a package (an enabled unit), a copy of a packaged file, a link to nothing, a line that
scripts of Debian's packages are known to write, to the letter and in its own file, and what pam-auth-update and update-binfmts write, while a package vouches for the profile or format that it is made from. \`packaged-file\` (high or low): a packaged file, other than a configuration file, with other content than the package's; also one that starts nothing (below).

The first use learns what it finds up to severity high, and lists it for review (\`desk baseline review\`); a critical entry, such as \`/etc/ld.so.preload\`, is never learned. A baseline of an earlier version gets these entries once, when no other finding closes the gate. In a configuration file that you change, what a package vouched for before stays known: only
the new lines are judged. While packages are being installed (below), judging waits, at most ten minutes.

Changes are seen as they happen, by inotify on the folders of all places (at most 16,384), and read 0.2 s later; after reading, the desk rests twenty times as long as that took, at most a minute. What inotify does not show (\`/proc\`, file systems of other machines,
what is mounted) is found by the scheduled scan, \`[slow] every_sec\`. \`unwatched\` of \`GET /startup\` says when events do not reach the desk.

## Processes and what starts them

A finding about a process or a listener names the parents of its process, its unit of systemd (by its control group), and what would start it again (\`desk findings ID\`, \`GET /findings/{id}\`, the page): every entry that names its
executable or, for an interpreter, its script; and for what systemd has started itself, the entries of its unit. Places that only give rights, such as sudoers, start nothing. *No place that is known starts it* is said only where all places were read;
a process in a container is *not known*, because what starts there is not read. A finding about an entry or a file names the processes that run it now, or belong to its unit; a script that was given to an interpreter
is recognised where it was executed by its own name.

## Programs that run with rights of others

\`privileged-program\` lists every set-user-ID and set-group-ID program, and every one with file capabilities, on all file systems of this machine: local ones, mounted without \`nosuid\`. Others that may have such programs (NFS, FUSE, shared folders of virtual machines) are *not read*: mount them with \`nosuid\`. Folders
that only root can enter are left out, since root needs no such program. This leaves out the layers of container images if their folder is so.
Where one user and root alone can enter, as with images of a user's own containers, a program that runs as this user gives nobody anything, and is left out too. rpm and pacman record modes: a package vouches for a program whose mode is the
recorded one. dpkg records none, and file capabilities are in no mode: there a package vouches only where the
rights are as old as its installation, changed (ctime) at most an hour after its files were unpacked. \`chmod u+s\` on a packaged program later is a finding.

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

\`desk packages\` compares all files of packages with the digests that their databases recorded (dpkg, rpm, pacman), at low priority. The service does so by itself: two minutes after its start,
then with \`[slow] every_sec\`, and half a minute after packages have changed, resting as long as it works. \`GET /packages\` has the last result. \`packaged-file\` reports what differs: high for programs, libraries, code, configuration and files in \`/boot\`, low for the rest, and more than three files of one package as one finding, since tools that update themselves in place change hundreds. Configuration files are not compared, and a file that is not there is counted, not reported. A link in place of a file is followed; a folder or anything else there is altered.
A comparison during an installation is discarded: the earlier result stays, and the service compares again half a minute later. At most 1,000 files of a package and 5,000 in all are kept. An ordinary user's desk cannot see dpkg's lock.

A package whose files were all as recorded gets a *seal*, a digest of what \`stat(2)\` says of them (inode, size, times, owner, mode). While the seal holds, its files are not read again: no program can set a change time (ctime).
Whoever can write to the disk itself, set the clock back, or change the desk's own store can get around it.

## Who vouches

| vouched for by | meaning |
|---|---|
| a package | a database names a package that owns the file, and the file has the digest that is recorded there |
| not as in PACKAGE | a package owns the file, and the digest is another one. Of a configuration file that is ordinary: the administrator has changed it |
| PACKAGE earlier | the file has changed since, and this part of it was there while the package vouched for it |
| a copy from PACKAGE | a package has a file of this content at another place: its scripts copy some into \`/etc\` |
| no package | no package owns it, or the one that does recorded no digest, as of files that its scripts made |

Diversions, \`/bin\` and \`/lib\` as links into \`/usr\`, and packages that were removed with their configuration files kept are taken into account. The
file behind a link is what is compared.

A machine may have several databases. They are read from their files; no package manager and no library of one is run.

| database | read from | digests | being installed |
|---|---|---|---|
| dpkg | \`/var/lib/dpkg\`: \`status\`, \`info\`, \`diversions\` | MD5, all that dpkg keeps | \`lock\` or \`lock-frontend\` is locked |
| rpm | \`rpmdb.sqlite\` and its write-ahead log, in \`/usr/lib/sysimage/rpm\`, else \`/var/lib/rpm\`, else \`/usr/share/rpm\` | SHA-256 or MD5, as the package was built | \`.rpm.lock\` is locked for writing |
| pacman | \`/var/lib/pacman/local\`: \`desc\`, \`files\`, \`mtree\` of each package | SHA-256, else MD5 | \`db.lck\` is there and less than an hour old |

What is **not read**, and reported:

- rpm's other formats: ndb (\`Packages.db\`, as on openSUSE) and Berkeley DB (\`Packages\`, before RHEL 9 and Fedora 33). The answer says that the rpm database could not be read. So it does for a damaged database, and for one with an
  unfinished rollback journal (\`rpmdb.sqlite-journal\`).
- Digests of other algorithms (SHA-1, SHA-384, SHA-512): such a file is *not read*, neither the same nor altered.
- What is no regular file: a package vouches for no link, folder or owner, and for modes of privileged programs alone. \`rpm -V\` and \`pacman -Qkk\` compare more.

Of rpm, a file that the packager excluded from verification of its content (\`%verify(not filedigest)\`) counts as a configuration file, and a file that another package replaced, or that is made later (\`%ghost\`), has no digest.

**The database can be forged.** It consists of ordinary files: root can change the digests there. Signatures of packages are not checked.
"A package vouches" means that the file agrees with this database, not that the distribution made it. Machines without a database have no voucher, and the answer says so.

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
