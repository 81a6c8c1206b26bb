/** Writes docs/startup.md: the text is here, the table of places is read off the catalogue. */
import { PLACES } from '../src/features/startup/places/index.ts';

const WORDS = `# What starts by itself

Generated from \`src/features/startup/places/\` by \`npm run docs\` (\`docs/startup.ts\`).

\`desk startup\` lists what this machine starts by itself, and what decides who may log in and with which rights: in ${PLACES.length} kinds of places
(below), from cron and systemd to the shell profiles of every user. Each entry says what would run, when, as whom, when its file changed
last, and who vouches for it. A file of comments starts nothing, and neither do files that editors and package managers leave
(\`.swp\`, \`~\`, \`.bak\`, \`.dpkg-old\`, \`.rpmsave\`, \`#name#\`, names that begin with \`.\`, except where the reader takes them, as D-Bus and polkit do).

\`\`\`console
$ desk startup                       # what no package vouches for: how much of each kind, and what is worth a look
$ desk startup --place crontab       # each entry of one kind of place
$ desk startup --since yesterday     # each entry of files that changed since yesterday
$ desk startup --user root --all     # everything that runs as root, or as each user
\`\`\`

An entry is worth a look if it is more severe than low, has changed since its package was installed, or has an open finding. \`--json\` and \`GET /startup\` have each entry ([operations](operations.md), [records](records.md#startup)). A new entry is a finding (below).
The page [\`/startup.html\`](pages.md) shows it with filters and links to the findings, and [the hostess](hostess.md) answers questions about it. With \`fresh=false\` the answer may be up to a minute old, if nothing has
changed since; \`read\` is the time when all of it was read.

## What is a finding

\`startup-entry\`: an entry that neither a package nor the baseline vouches for. Files are judged line by line: a changed comment or time is not a finding, a new \`ExecStart\` is. The severity
is that of the place (below). It is low for what is usually harmless:

- a link to a file of a package (an enabled unit), a link to nothing, or a copy of a packaged file, except in PAM, sudoers and polkit rules. What the program does is not considered: an enabled \`debug-shell.service\` is low;
- what scripts of Debian's packages write: exactly these lines, in the file that the script writes, and what pam-auth-update and update-binfmts write while a package vouches for the profile or format behind it;
- lines in \`/etc/pam.d/common-*\` as pam-auth-update writes them for Debian's usual modules, \`PATH=\` with folders of the system, and below \`~/.local\` two kinds of \`.pth\` that pip writes, and folders that any \`.pth\` names;
- an account with a uid from 1 to 999, without a password in \`/etc/passwd\`, whose primary group is not a powerful one of another user (of those with fixed numbers); its password in \`/etc/shadow\`, keys and groups are entries of their own;
- the shell profile of a user, unless it has a shell on the network, \`LD_PRELOAD\`, a pipe or download into a shell or interpreter, a program or search path in \`/tmp\`, \`/var/tmp\` or \`/dev/shm\`, or an alias or function for sudo, su, doas, ssh or passwd; and settings of systemd itself that load nothing into programs.

Three kinds of entries describe a file as a whole:

- *auth succeeds for everyone*: the lines of a file in \`/etc/pam.d\` let everyone in, because one is gone, moved or new. They are evaluated as Linux-PAM does, and modules that ask for something count as refusing. Included files are judged by themselves;
- *what is behind its first 256 KiB*, and *more than 1000 programs*: no package vouches for the file, and the rest of it was not read.

dpkg records no digests of the scripts of its packages (\`package-script\`): a script is an entry if it changed more than ten minutes after its package was unpacked.

\`packaged-file\` (high or low): a packaged file, other than a configuration file, with other content than the package's; also one that starts nothing (below).

The first use learns entries up to severity high, and lists them for review (\`desk baseline review\`); a critical entry, such as \`/etc/ld.so.preload\`, is never learned. A baseline of an earlier version gets these entries once, when no other finding closes the gate. The same holds for files that the first use could not read because a disk or a file system did not answer: what starts there is learned, and listed for review, once a scan has read them. In a configuration file that you change, what a package vouched for before stays known: only
the new lines are judged. While packages are being installed (below), judging waits, at most ten minutes; after that, files that are half installed can be findings until the installation ends.

Changes are seen as they happen, by inotify on the folders of all places (at most 16,384), and read 0.2 s later: the places that changed, the places with a link to a file that changed, the home of a new account. That needs no pause until 2 s were spent with reading, which come back at a twentieth of the time; then the desk waits
20 times as long as the reading took, at most a minute. All places are read again when packages or known accounts have changed; a pass over all places is always followed by such a pause, and while it runs (seconds, longer on a busy machine) other changes wait. The scheduled scan, \`[slow] every_sec\`, finds what inotify does not show:
set-user-ID and similar programs, \`/proc\`, file systems of other machines, what is mounted, and what hangs. \`unwatched\` of \`GET /startup\` says when events do not reach the desk. The change time of a link is the later one of the link and the file behind it.

## Processes and what starts them

A finding about a process or a listener names the parents of its process (at most 8) and its unit of systemd (by its control group). It also names what would start it again, at most 16 entries, as they were read last
(\`desk findings ID\`, \`GET /findings/{id}\`, the page): every entry that names its executable or, for an interpreter, its script; and where its unit executes that program, what starts the unit. Places that only give rights, such as sudoers, start nothing.

*No known place names it* is said only where all places that start something were read and its executable is known. An entry that names a program through a link (\`/etc/alternatives\`), without its path, or behind the first 500 characters is not recognised, and neither is a program that another one starts: such a program may still start again.
It is *not known* for a process of a service whose unit does not name it, and for a process in a container, because what starts there is not read.

A finding about an entry or a file names the processes that run it now, or belong to its unit. A running script is recognised only if it was started by its own path, not as \`python script.py\`.

## Programs with set-user-ID, set-group-ID or capabilities

\`privileged-program\` lists every set-user-ID and set-group-ID program, and every one with file capabilities, on all local file systems that are mounted without \`nosuid\`. Others that may have such programs (NFS, FUSE, NTFS, ISO images, shared folders of virtual machines) are *not read*: mount them with \`nosuid\`. Folders
that only root can enter are left out, since root needs no such program. The layers of container images are left out if only root can enter their folder. A set-user-ID program of a user in a folder that only this user, a group with the same number, and root can enter gives no additional rights, and is left out too (rootless containers).

rpm and pacman record modes: a package vouches for a program that has the recorded mode. dpkg records no modes, and file capabilities are not read from any database: for these a package vouches only if the
program was last changed (ctime) at most an hour after the files of the package were unpacked. \`chmod u+s\` on a packaged program later is a finding.

Programs below \`/snap\`, those that give only ids from 100,000 up (by default the range of containers of users; a directory service may use it too), and \`/usr/sbin/unix_chkpwd\` as yp-tools sets it are low. Of one file system, at most 8,000,000 entries are walked, 4,096 programs and 512 that belong to others than root are listed, and
1 GiB is read for digests; what is beyond is *not read*.

It takes a walk over each file system, at low priority: with each scheduled scan, when \`desk startup\`, the page or a question to the hostess asks, and when a program that it found unvouched changes. A new one is found by the next of these, not as it happens.

## Accounts

\`desk accounts\` (\`GET /accounts\`) lists who can log in, how (password, SSH keys, no password at all), with which rights (uid 0, lines of sudoers, groups that give more rights), the last login that
\`/var/log/wtmp\` has, and the open findings about its line in \`/etc/passwd\`, its password, powerful groups and files in \`~/.ssh\`: they show what is new since the baseline. Findings about sudoers name the file only, and \`--local\` has no findings. What could not be read is *not known*.

- An account *cannot log in* where it has expired or its shell ends at once; SSH forwarding and other services may still accept its password or key. Settings of the SSH server and of PAM can forbid what is listed here; they are places of their own.
- Every line of sudoers counts, for any host. Files that sudoers includes from other folders, and the rights of doas, are named and not evaluated.
- SSH keys in other files than \`~/.ssh/authorized_keys\` and \`authorized_keys2\`, key commands and certificate authorities are not counted.
- Accounts of a directory service (LDAP, SSSD) are not listed.
- Of wtmp the last 32 MiB and 10,000 users are read. Rotated files (\`wtmp.1\`) are not: after a rotation, earlier logins are shown as none recorded.

## Files of packages

\`desk packages\` compares all files of packages with the digests that their databases recorded (dpkg, rpm, pacman), at low priority. The service does so by itself: ten minutes after its start,
then with \`[slow] every_sec\`, and half a minute after packages have changed, pausing after each package as long as that package took. \`GET /packages\` has the last result (\`desk packages --last\`), with \`fresh=true\` it compares now. Until the first comparison \`packaged-file\` is blind. It reports what differs: high for what begins as a program or may be executed, for files named as code, libraries, units, \`.rules\` or \`.conf\`, and in \`/boot\`; low for the rest. More than three files of one package are one finding, since tools that update themselves in place change hundreds; a file that starts something is a finding of its own. Files that the package marks as configuration are not compared, and a file that is not there is counted, not reported. A file of dpkg without a recorded digest cannot be compared: its package is *not read*, with the number of such files. A link in place of a file is followed; a folder or anything else there is altered. A link of a dpkg package to a program or library that no package has is altered too.
A comparison that fails, or during which packages are installed, is discarded: the earlier result stays (\`compared\` shows its age). After an installation the service compares again half a minute later, then after twice as long each time, at most after \`[slow] every_sec\`; after a failure at the next period. What differs counts once the lock of the package manager has been held for an hour. Of one package at most 1,000 altered files are listed, and after a restart the 5,000 most severe in all; what is left out is named as not compared. An ordinary user's desk cannot see dpkg's lock.

A package whose files were all as recorded gets a *seal*, a digest of their paths, the recorded digests, and what \`stat(2)\` says of them (device, inode, size, times, owner, group, mode). It is made only when nothing changed in the last two seconds. While the seal holds, its files are not read again: no program can set a change time (ctime).
A user who can write to the disk below the file system, set the clock back, or change the desk's own store can defeat it.

For 99,861 files this takes 1.7 s with seals, and 8.8 s without, when the files are in memory; in the same run \`debsums -s\` took 50 s, \`aide --check\` 32 s and \`rkhunter --check\` 115 s, each of which reads all files every time ([benchmarks](benchmarks.md)).

## Who vouches

| vouched for by | meaning |
|---|---|
| a package | a database names a package that owns the file, and the file has the digest that is recorded there |
| not as in PACKAGE | a package owns the file, and the digest is another one. Of a configuration file that is ordinary: the administrator has changed it |
| PACKAGE earlier | the file has changed since, and this part of it was there while the package vouched for it |
| a copy from PACKAGE | a package has a file of this content at another place: its scripts copy some into \`/etc\` |
| no package | no package owns it, or the one that does recorded no digest, as of files that its scripts made; its content was not read; or it has rights that its package did not give it |

Diversions, \`/bin\` and \`/lib\` as links into \`/usr\`, and removed packages whose configuration files remain are taken into account. For
a link, the file behind it is compared.

A machine may have several databases. They are read from their files; no package manager and no library of one is run.

| database | read from | digests | being installed |
|---|---|---|---|
| dpkg | \`/var/lib/dpkg\`: \`status\`, \`info\`, \`diversions\` | MD5; dpkg records no other | \`lock\` or \`lock-frontend\` is locked |
| rpm | \`rpmdb.sqlite\` and its write-ahead log, in \`/usr/lib/sysimage/rpm\`, else \`/var/lib/rpm\`, else \`/usr/share/rpm\` | SHA-256 or MD5, as the package was built | \`.rpm.lock\` is locked for writing |
| pacman | \`/var/lib/pacman/local\`: \`desc\`, \`files\`, \`mtree\` of each package | SHA-256, else MD5 | \`db.lck\` is there and less than an hour old |

What is **not read**, and reported:

- rpm's other formats: ndb (\`Packages.db\`, as on openSUSE) and Berkeley DB (\`Packages\`, before RHEL 9 and Fedora 33). The answer says that the rpm database could not be read. The same is said of a damaged database, and of one with an
  unfinished rollback journal (\`rpmdb.sqlite-journal\`).
- Digests of other algorithms (SHA-1, SHA-384, SHA-512): such a file is *not read*, neither the same nor altered. An entry of such a file is one that no package vouches for.

A package does not vouch for folders, owners, modes of programs without privileges, or links other than those above. \`rpm -V\` and \`pacman -Qkk\` compare more.

Of rpm, a file that the packager excluded from verification of its content (\`%verify(not filedigest)\`) counts as a configuration file, and a file that another package replaced, or that is made later (\`%ghost\`), has no digest.

**The database can be forged.** It consists of ordinary files: root can change the digests there. Removing digests hides nothing (such files are *not read*). A dpkg package whose list of files gets a new time vouches for every \`chmod u+s\` before that time. Signatures of packages are not checked.
"A package vouches" means that the file agrees with this database, not that the distribution made it. On a machine without a package database, no package vouches for any file, and the answer says so.

## How it is read

\`desk-peek\`, a helper that is killed when it does not answer ([peek](peek.md)), reads the files; the service never opens them. One pattern is asked at a time, so a
file system that hangs costs that pattern alone. After three patterns of one home hang, the rest of it is skipped; after 16 in a row, or 48 in all, every home that has not answered yet is skipped. While a helper hangs in the kernel, its pattern
is not asked for again, and what hangs is not watched. It reads only regular files: a pipe, a device or a socket is named and not opened, and the file that is
checked is the file that is read, even if its path changes meanwhile. In the homes of users it reads only what that user owns or everyone may read, and elsewhere behind a link
only what the owner of the link may read, so that a link does not show the secrets of other users. Times are change times (ctime), which programs cannot set.

Limits: 256 KiB of a text, 64 MiB for a digest, 4,096 files and 8 MiB of text for a pattern, 65,536 entries of folders, 8 folders deep for \`**\`, 1,000 starts in a file, 2,000 homes.
What is beyond a limit, hangs, or cannot be read is listed under *not read*, with the reason (of one pattern, at most 100 paths). The rest of a long text is not listed if the file is as its package has it.

Commands are shown with secrets masked, at most 500 characters of each; in lines of sudoers, PAM, polkit, SSH keys and accounts, whose words often look like secrets, only values such as \`password=…\` are masked. Of passwords only their kind and a digest of the hash are shown, so that a changed one is
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
  ).join(
    '\n',
  )}\n\nThe severity of an entry that neither a package nor the baseline vouches for. *As* is the user unless the file names another; in a home it is the user of the home.\n`;
