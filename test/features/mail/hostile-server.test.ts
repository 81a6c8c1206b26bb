/** Hostile mail servers: wrong certificates, endless answers, echoed credentials. Each is reported, and memory stays bounded. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerCheck } from '../../../src/records/mail-facts.ts';
import type { MailRemote } from '../../support/mail-remote.ts';
import { MAIL_NEEDS, MailWorld, PASSWORD, USER } from '../../support/mail-world.ts';
import { missing, needs } from '../../support/require.ts';
import { makeTestCa } from '../../support/test-ca.ts';
import { together } from '../../support/together.ts';

/** How much the process may grow with a server that announces a gigabyte. */
const MOST_RISE_KB = 20 << 10;

interface Context {
  world: MailWorld;
  services: MailRemote[];
}

const test = suite<Context>('hostile mail servers', {} as Context);
const here = missing(...MAIL_NEEDS) === null;
const beside = together<Context>();
/** Each test has its own servers and waits for time-outs and pauses of the mail process. */
const hostile = (name: string, scene: (context: Context) => Promise<void>) =>
  needs(...MAIL_NEEDS)(test, name, beside(scene));

test.before(async (context) => {
  context.services = [];
  if (here) context.world = await MailWorld.start();
});
test.after(async ({ world, services }) => {
  await Promise.all(services.map((service) => service.close()));
  await world?.end();
});

async function checked(
  { world, services }: Context,
  options: Parameters<MailWorld['service']>[0],
): Promise<readonly ServerCheck[]> {
  const service = await world.service({ sources: [], ...options });
  services.push(service);
  return (await service.check()).servers;
}

const failing = (server: ServerCheck | undefined): string => {
  const last = server?.steps.at(-1);
  assert.is(server?.ok, false);
  assert.is(last?.ok, false);
  assert.ok(server?.steps.slice(0, -1).every(({ ok }) => ok));
  return `${last?.step}: ${last?.detail}`;
};

hostile(
  'an untrusted certificate is reported with the reason and what to do, without a login',
  async (context) => {
    const { world } = context;
    const others = makeTestCa(world.folder, 'Somebody Else');
    const scenes = [
      [
        'expired.example.org',
        world.leaf(['expired.example.org'], { days: -3 }),
        /^tls: the certificate of expired\.example\.org has expired \(it was valid until 20\d\d-\d\d-\d\d\): /,
      ],
      [
        'other-name.example.org',
        world.leaf(['some.example.net']),
        /^tls: the certificate that other-name\.example\.org shows is for some\.example\.net, not for other-name\.example\.org: /,
      ],
      [
        'untrusted.example.org',
        others.issue(['untrusted.example.org']),
        /^tls: the certificate of untrusted\.example\.org is issued by Somebody Else, which this machine does not trust: .*NODE_EXTRA_CA_CERTS/,
      ],
    ] as const;
    for (const [host, leaf, words] of scenes) {
      const imap = await world.peer({ kind: 'echo' }, host, leaf);
      const smtp = await world.peer({ kind: 'smtp', user: USER, password: PASSWORD }, host, leaf);
      const [one, other] = await checked(context, { imap: host, smtp: host });
      assert.match(failing(one), words);
      assert.match(failing(other), words);
      assert.is(one?.certificateDays, host === 'expired.example.org' ? -4 : 89);
      // Neither received anything.
      assert.equal([...imap.heard, ...smtp.heard], ['ready', 'ready']);
      imap.end();
      smtp.end();
    }
  },
);

hostile(
  'a closed port, a name that does not resolve and an unlisted server each have their own reason',
  async (context) => {
    const [closed] = await checked(context, { imap: 'refused.example.org', smtp: '' });
    assert.match(failing(closed), /^connect: refused\.example\.org port 993: nothing listens there/);
    const [nowhere] = await checked(context, { imap: 'nowhere.example.org', smtp: '' });
    assert.match(failing(nowhere), /^dns: nowhere\.example\.org port 993: /);
    const [unlisted, none] = await checked(context, {
      imap: 'imap.example.org',
      smtp: '',
      sections: { egress: { allow: [], private: [] } },
    });
    assert.match(failing(unlisted), /^dns: .*"imap\.example\.org:993" to \[egress\] allow/);
    assert.equal(none, {
      protocol: 'smtp',
      host: '',
      port: 465,
      ok: false,
      configured: false,
      steps: [],
      certificateDays: null,
    });
  },
);

hostile('a server that repeats the credentials is quoted without them', async (context) => {
  const peer = await context.world.peer({ kind: 'echo' }, 'hostile.example.org');
  const [imap] = await checked(context, { imap: 'hostile.example.org', smtp: '' });
  peer.end();
  assert.match(
    failing(imap),
    /^login: the server hostile\.example\.org refused the login of me@desk\.example \("\[AUTHENTICATIONFAILED\] me@desk\.example has not \[removed\], nor [A-Za-z0-9]*\[removed\]/,
  );
});

hostile('a server that is silent after the greeting does not block a check', async (context) => {
  const peer = await context.world.peer({ kind: 'silent' }, 'silent.example.org');
  const [imap] = await checked(context, { imap: 'silent.example.org', smtp: '' });
  peer.end();
  assert.match(failing(imap), /^login: the server silent\.example\.org does not answer/);
});

/** A value in kilobytes, see proc_pid_status(5). */
const status = (pid: number, field: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);

for (const [kind, what] of [
  ['literal', 'announces a literal of 1 GB'],
  ['line', 'sends an endless line'],
  ['untagged', 'lists endless folders'],
] as const)
  hostile(`a server that ${what} is disconnected, and the process does not grow`, async (context) => {
    const { world } = context;
    const host = `${kind}.example.org` as const;
    const service = await world.service({ imap: host });
    context.services.push(service);
    // Memory that any connection needs is allocated: it has logged in twice and was disconnected.
    const warm = await world.peer({ kind: 'bye' }, host);
    await service.wish('start');
    while (warm.heard.filter((line) => line === 'bye').length < 2) await setTimeout(50);
    const { pid } = await service.until(({ sources }) => sources[0]?.state === 'failed');
    warm.end();
    const before = status(pid as number, 'VmRSS');
    // Reset the peak memory (proc_pid_clear_refs(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const peer = await world.peer({ kind }, host);
    const { state, pid: after } = await service.until(({ sources }) =>
      /sends more than a mail server has to say/.test(sources[0]?.reason ?? ''),
    );
    // Retries in this time show whether memory adds up.
    await setTimeout(3000);
    peer.end();
    assert.is(after, pid);
    assert.ok(state.trouble.includes(host));
    const rise = status(pid as number, 'VmHWM') - before;
    console.log(`${kind}: the process grew by ${rise} kB from ${before} kB`);
    assert.ok(rise <= MOST_RISE_KB, `it grew by ${rise} kB from ${before} kB`);
  });

test.run();
