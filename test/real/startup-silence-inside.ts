/** Run in an overlay (startup-silence.test.ts): what happens on a machine every day, and what the desk reports above low after each. */
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check, FailParts } from '../../src/checks/check.ts';
import { packagedFile } from '../../src/checks/packaged-file.ts';
import { startupEntry } from '../../src/checks/startup-entry.ts';
import { PLACES } from '../../src/features/startup/places/index.ts';
import { StartupScanner } from '../../src/features/startup/scan.ts';
import { VouchedStarts } from '../../src/features/startup/vouched.ts';
import { openStore } from '../../src/service/tables.ts';
import { openStateDir } from '../../src/state-folder/state-folder.ts';
import { PLANTS } from '../features/startup/plants.ts';
import { buildSilent, dpkg, rebuild, write } from '../support/silent-package.ts';
import { HOME_EVENTS, IMAGES, imageFiles, LEFTOVERS, layerOf, leftoverOf } from './startup-silence-events.ts';

export interface Heard {
  readonly group: string;
  readonly event: string;
  /** What was planted to be found; "" where silence is expected. */
  readonly planted: string;
  /** Findings above low that the machine did not have before. */
  readonly loud: readonly string[];
}

const USER = { name: 'planted', uid: 4321, home: '/home/planted' };
const store = openStore(openStateDir('/tmp/desk-state').path);
const vouched = new VouchedStarts(store);
const scanner = new StartupScanner({ places: PLACES });
const known = new Set<string>();
const heard: Heard[] = [];

async function findings(walks: boolean): Promise<string[]> {
  const scan = await scanner.all({ walks });
  const facts = { ...scan, entries: vouched.take(scan.entries) };
  const found: string[] = [];
  const ask = async (check: Check): Promise<void> => {
    const report = {
      pass: () => undefined,
      blind: () => undefined,
      fail: ({ severity = check.severity, subject, summary }: FailParts) => {
        if (severity !== 'low')
          found.push(`${severity} ${summary} ${'content' in subject ? subject.content : ''}`);
      },
    };
    const scans = { startup: async () => facts, packages: () => null };
    await (check as { scan(...parts: unknown[]): Promise<void> }).scan({ scans }, report);
  };
  for (const check of [startupEntry, packagedFile]) await ask(check as Check);
  return found;
}

let group = '';
/** Programs with rights of others are looked for where `walks`. */
async function listen(event: string, act: () => void, { planted = '', walks = false } = {}): Promise<void> {
  act();
  const loud = (await findings(walks)).filter((one) => !known.has(one));
  heard.push({ group, event, planted, loud });
}
const calm = (event: string, act: () => void, walks = false) => listen(event, act, { walks });
/** Read together, told apart by how their paths begin. */
async function calmAll(
  events: readonly { readonly event: string; readonly paths: readonly string[]; readonly act: () => void }[],
  walks = false,
): Promise<void> {
  for (const { act } of events) act();
  const loud = (await findings(walks)).filter((one) => !known.has(one));
  const of = (paths: readonly string[]) =>
    loud.filter((one) => paths.some((path) => one.includes(` ${path}`)));
  for (const { event, paths } of events) heard.push({ group, event, planted: '', loud: of(paths) });
  const rest = loud.filter((one) => !of(events.flatMap(({ paths }) => paths)).includes(one));
  heard.push({ group, event: 'and nothing else', planted: '', loud: rest });
}

/** The same kind of thing, planted: what was not reported above is reported here. */
async function control(path: string, text: string, mode = 0o644, owner = 0): Promise<void> {
  const plant = () => {
    write(path, text, mode);
    if (owner !== 0) {
      chownSync(path, owner, owner);
      // Changing the owner clears rights.
      write(path, text, mode);
    }
  };
  await listen(`planted: ${path}`, plant, { planted: path, walks: (mode & 0o6000) !== 0 });
  rmSync(path);
}
const own = (path: string, text: string, mode?: number): void => {
  const full = join(USER.home, path);
  write(full, text, mode);
  for (let at = full; at.startsWith(USER.home); at = dirname(at)) chownSync(at, USER.uid, USER.uid);
};
const link = (to: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  symlinkSync(to, path);
};
/** As editors and tools replace a file: another one under its name. */
const replace = (path: string, change: (text: string) => string): void => {
  writeFileSync(`${path}.desk-new`, change(readFileSync(path, 'utf8')));
  renameSync(`${path}.desk-new`, path);
};

write('/usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755);
// Services have no homes here: each home is some hundred questions.
const services = readFileSync('/etc/passwd', 'utf8').replace(
  /^((?:[^:\n]*:){2}[1-9]\d{0,2}:.*?:.*?:)[^:\n]*/gm,
  '$1/nonexistent',
);
write('/etc/passwd', `${services}planted:x:4321:4321::${USER.home}:/bin/sh\n`);
own('.profile', 'umask 022\n');
for (const one of await findings(true)) known.add(one);

group = 'packages';
const [first, second] = [buildSilent('1.0'), buildSilent('2.0')];
await calm('unpacked', () => dpkg('--unpack', first));
await calm('configured', () => dpkg('--configure', 'desk-silent'));
await calm('reinstalled', () => dpkg('-i', first), true);
await calm('upgraded', () => dpkg('-i', second), true);
await calm('downgraded', () => dpkg('-i', '--force-downgrade', first));
await calm('upgraded again', () => dpkg('-i', second));
await calm('a configuration file deleted and put back', () => {
  rmSync('/etc/cron.d/desk-silent');
  dpkg('-i', '--force-confmiss', second);
});
await calm('a comment added to its configuration', () =>
  appendFileSync('/etc/cron.d/desk-silent', '# mine\n'),
);
await control('/etc/cron.d/desk-evil', '17 3 * * * root /tmp/evil\n');
await control('/etc/udev/rules.d/61-desk-evil.rules', 'ACTION=="remove", RUN+="/tmp/evil"\n');
const common = readFileSync('/etc/pam.d/common-auth', 'utf8');
for (const line of ['auth sufficient pam_desk.so 2.0', 'auth [success=2 default=ignore] pam_desk.so evil']) {
  const text = `${common}${line}\n`;
  await listen(`planted: ${line}`, () => writeFileSync('/etc/pam.d/common-auth', text), { planted: line });
}
writeFileSync('/etc/pam.d/common-auth', common);
// A profile that no package has vouches for nothing.
await listen(
  'planted: a profile of PAM',
  () => {
    write('/usr/share/pam-configs/desk-evil', 'Name: evil\nAuth:\n\toptional\tpam_evil.so\n');
    appendFileSync('/etc/pam.d/common-auth', 'auth optional pam_evil.so\n');
  },
  { planted: '/etc/pam.d/common-auth (module that decides about logins): "auth optional pam_evil.so"' },
);
rmSync('/usr/share/pam-configs/desk-evil');
writeFileSync('/etc/pam.d/common-auth', common);
await calm('removed', () => dpkg('-r', 'desk-silent'));
await calm('installed again', () => dpkg('-i', second));
await control('/usr/bin/desk-evil', '#!/bin/sh\n', 0o4755);
await calm('purged', () => dpkg('-P', 'desk-silent'), true);
for (const name of ['cron', 'dbus-daemon', 'login', 'libpam-modules-bin']) {
  const again = rebuild(name, '');
  const later = rebuild(name, '+desk1');
  await calm(`${name} reinstalled`, () => dpkg('-i', '--force-depends', again));
  await calm(`${name} upgraded`, () => dpkg('-i', '--force-depends', later), name === 'login');
}
await calm('dpkg keeps copies of its database', () => {
  for (const name of ['status', 'diversions', 'statoverride'])
    copyFileSync(`/var/lib/dpkg/${name}`, `/var/backups/dpkg.${name}.0`);
});
await calm('an alternative is set', () => {
  link('/usr/bin/vim.basic', '/etc/alternatives/desk-editor');
  link('/etc/alternatives/desk-editor', '/usr/local/bin/desk-editor');
});

group = 'units';
dpkg('-i', second);
const SYSTEM = '/etc/systemd/system';
const SILENT = '/lib/systemd/system/desk-silent.service';
await calm('enabled with another target', () =>
  link(SILENT, `${SYSTEM}/graphical.target.wants/desk-silent.service`),
);
await calm('disabled', () => rmSync(`${SYSTEM}/multi-user.target.wants/desk-silent.service`));
await calm('an alias', () => link(SILENT, `${SYSTEM}/desk-other.service`));
await calm('masked', () => link('/dev/null', `${SYSTEM}/desk-silent.service`));
await calm('masked until the next boot', () => link('/dev/null', '/run/systemd/system/desk-silent.timer'));
await calm('unmasked', () => rmSync(`${SYSTEM}/desk-silent.service`));
await calm('enabled for all users', () =>
  link(
    '/usr/lib/systemd/user/desk-silent.service',
    '/etc/systemd/user/default.target.wants/desk-silent.service',
  ),
);
await calm('enabled by a user', () => {
  own('.config/systemd/user/default.target.wants/none', '');
  link(
    '/usr/lib/systemd/user/desk-silent.service',
    `${USER.home}/.config/systemd/user/default.target.wants/desk-silent.service`,
  );
});
await calm('a session and a slice of a user', () => {
  write(
    '/run/systemd/transient/session-3.scope',
    '[Scope]\nSlice=user-1000.slice\n[Unit]\nDescription=Session 3 of User ada\nWants=user-runtime-dir@1000.service\nRequiresMountsFor=/home/ada\n[Scope]\nSendSIGHUP=yes\nTasksMax=infinity\n',
  );
  write('/run/systemd/system/user-1000.slice.d/50-TasksMax.conf', '[Slice]\nTasksMax=33%\n');
});
await calm('the manager reloads', () => {
  link(
    '/usr/lib/systemd/system/getty@.service',
    '/run/systemd/generator/getty.target.wants/getty@tty9.service',
  );
  write('/run/systemd/generator/late-mark', '');
});
await control(`${SYSTEM}/desk-evil.service`, '[Service]\nExecStart=/tmp/evil\n');
await control('/run/systemd/system/desk-silent.service.d/x.conf', '[Service]\nExecStartPre=/tmp/evil\n');
dpkg('-P', 'desk-silent');

group = 'editors';
const places = PLANTS.filter(({ path, place }) => path.startsWith('/etc/') && place !== 'privileged-program');
await calmAll(
  LEFTOVERS.map(([what, name]) => {
    const made = places.flatMap((plant) => leftoverOf(plant, name));
    return {
      event: `${what} in ${made.length} folders`,
      paths: made.map(({ path }) => path),
      act: () => {
        for (const { path, text, mode } of made) write(path, text, mode);
      },
    };
  }),
);
for (const [, name] of LEFTOVERS)
  for (const plant of places) for (const { path } of leftoverOf(plant, name)) rmSync(path, { force: true });
await calm('locks of Emacs', () => {
  for (const { path } of places) link('root@host.4242:1', join(dirname(path), '.#planted'));
});
await control('/etc/cron.d/planted', '* * * * * root /tmp/evil\n');
// sudo reads it: it skips names with a dot or a tilde alone.
await control('/etc/sudoers.d/#planted#', 'ada ALL=(ALL) NOPASSWD: ALL\n', 0o440);

group = 'upkeep';
await calmAll([
  {
    event: 'logs are rotated',
    paths: [],
    act: () => {
      for (const name of ['syslog', 'auth.log', 'dpkg.log']) {
        write(`/var/log/${name}`, 'line\n');
        renameSync(`/var/log/${name}`, `/var/log/${name}.1`);
        write(`/var/log/${name}`, '');
      }
      write('/var/lib/logrotate/status', 'logrotate state -- version 2\n');
    },
  },
  {
    event: 'package lists are updated',
    paths: [],
    act: () => {
      write('/var/lib/apt/lists/example_dists_stable_InRelease', 'Origin: Debian\n');
      write('/var/cache/apt/pkgcache.bin', 'cache');
      write('/var/lib/apt/periodic/update-success-stamp', '');
    },
  },
  {
    event: 'caches of manuals and libraries are made',
    paths: [],
    act: () => {
      write('/var/cache/man/index.db', 'db');
      write('/etc/ld.so.cache~', 'cache');
      renameSync('/etc/ld.so.cache~', '/etc/ld.so.cache');
    },
  },
  {
    event: 'temporary files, some of them programs',
    paths: [],
    act: () => {
      for (const folder of ['/tmp', '/var/tmp', '/dev/shm', '/run'])
        if (folder !== '/dev/shm')
          write(`${folder}/desk-work/etc/cron.d/job`, '* * * * * root /tmp/evil\n', 0o755);
    },
  },
  {
    event: 'files are touched',
    paths: [],
    act: () => {
      for (const path of [
        '/etc/passwd',
        '/etc/pam.d/common-auth',
        '/etc/crontab',
        '/etc/profile',
        '/usr/bin/env',
      ])
        utimesSync(path, new Date(), new Date());
    },
  },
  {
    event: 'files are replaced by the same',
    paths: [],
    act: () => {
      for (const path of ['/etc/passwd', '/etc/crontab', '/etc/profile']) replace(path, (text) => text);
    },
  },
  {
    event: 'a comment in each',
    paths: [],
    act: () => {
      for (const path of ['/etc/crontab', '/etc/profile', '/etc/pam.d/common-auth'])
        replace(path, (text) => `${text}# mine\n`);
    },
  },
  {
    event: 'names and addresses',
    paths: [],
    act: () => {
      appendFileSync('/etc/hosts~', '192.0.2.1 printer\n');
      write('/etc/hostname.new', 'host\n');
    },
  },
  {
    event: 'a user changes their full name',
    paths: [],
    act: () =>
      replace('/etc/passwd', (text) => text.replace(`4321::${USER.home}`, `4321:Ada,,,:${USER.home}`)),
  },
  {
    event: 'a service gets a user',
    paths: [],
    act: () => appendFileSync('/etc/passwd', '_desk:x:986:986::/nonexistent:/usr/sbin/nologin\n'),
  },
]);
await control('/etc/profile.d/desk-evil.sh', '/tmp/evil\n');
await control('/etc/logrotate.d/desk-evil', '/var/log/x {\n postrotate\n /tmp/evil\n endscript\n}\n');

group = 'homes';
await calmAll(
  HOME_EVENTS.map(([event, path, text, mode]) => ({
    event,
    paths: [join(USER.home, path)],
    act: () => own(path, text, mode),
  })),
);
await control(
  `${USER.home}/.config/systemd/user/evil.service`,
  '[Service]\nExecStart=/tmp/evil\n',
  0o644,
  USER.uid,
);
await control(`${USER.home}/.ssh/authorized_keys`, `ssh-ed25519 ${'A'.repeat(67)}B evil\n`, 0o600, USER.uid);
const SITE = `${USER.home}/.local/lib/python3.11/site-packages`;
await control(`${SITE}/distutils-precedence.pth`, "import os; os.system('/tmp/evil')\n", 0o644, USER.uid);
await control(
  `${SITE}/__editable__.evil.pth`,
  'import __editable___evil_finder; import os\n',
  0o644,
  USER.uid,
);

group = 'certificates';
const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
await calmAll([
  {
    event: 'a certificate is renewed',
    paths: [],
    act: () => {
      for (const turn of [1, 2]) {
        for (const name of ['cert', 'chain', 'fullchain', 'privkey']) {
          write(`/etc/letsencrypt/archive/example.org/${name}${turn}.pem`, pem(String(turn)), 0o600);
          link(
            `../../archive/example.org/${name}${turn}.pem`,
            `/etc/letsencrypt/live/example.org/${name}.pem`,
          );
        }
      }
      write(
        '/etc/letsencrypt/renewal/example.org.conf',
        'version = 2.1.0\n[renewalparams]\nauthenticator = nginx\n',
      );
    },
  },
  {
    event: 'the certificate of a service is replaced',
    paths: [],
    act: () => {
      write('/etc/ssl/private/service.key', pem('key'), 0o600);
      write('/etc/ssl/certs/service.pem', pem('service'));
    },
  },
  {
    event: 'the bundle of authorities is made again',
    paths: [],
    act: () => {
      write('/etc/ssl/certs/ca-certificates.crt.new', pem('bundle'));
      renameSync('/etc/ssl/certs/ca-certificates.crt.new', '/etc/ssl/certs/ca-certificates.crt');
      link('service.pem', '/etc/ssl/certs/0123abcd.0');
    },
  },
]);
await control('/usr/local/share/ca-certificates/evil.crt', pem('evil'));
await control('/etc/letsencrypt/renewal-hooks/deploy/evil', '#!/bin/sh\n', 0o755);

group = 'containers';
await calmAll(
  IMAGES.map((image) => ({
    event: image.event,
    paths: [layerOf(image, USER)],
    act: () => imageFiles(image, USER, write),
  })),
  true,
);
await control('/srv/image/usr/bin/su', '#!/bin/sh\n', 0o4755);
await control(
  `${USER.home}/.local/share/containers/storage/overlay/layer/diff/usr/bin/evil`,
  '#!/bin/sh\n',
  0o4755,
);
await control('/etc/containers/systemd/evil.container', '[Container]\nImage=example.org/evil\n');

process.stdout.write(JSON.stringify(heard));
await scanner.close();
store.close();
