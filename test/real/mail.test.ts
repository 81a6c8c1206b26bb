/** A complete `desk` with a mail identity and real servers in a separate network namespace; its password is searched for everywhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChargeReport } from '../../src/records/charge-report.ts';
import type { MailCheck, MailState } from '../../src/records/mail.ts';
import type { People, Who } from '../../src/records/people.ts';
import { findIn, findInFolder, findInMemory, formsOf } from '../support/canary.ts';
import { expect } from '../support/expect.ts';
import { corpus, writeMaildir } from '../support/mail-corpus.ts';
import { MAIL_NEEDS, MailWorld, PASSWORD, USER } from '../support/mail-world.ts';
import { connectedTo } from '../support/namespace.ts';
import { deskIn } from '../support/namespaced-desk.ts';
import { needs } from '../support/require.ts';
import { until } from './running.ts';

const test = suite('mail');
const forms = formsOf(PASSWORD);
const MESSAGES = 300;

const SECTIONS = (passwordFile: string) => `
[egress]
allow = ["imap.example.org:993", "smtp.example.org:465"]
private = ["imap.example.org:993", "smtp.example.org:465"]
[identity]
from_name = "Desk Keeper"
address = "${USER}"
imap_host = "imap.example.org"
smtp_host = "smtp.example.org"
[mail]
password_file = "${passwordFile}"
sources = ["imap"]
own_addresses = ["i.myself@work.example"]
`;

const PATHS = '/metrics /readyz /openapi.json /email/ / /assets/pages.js /version /mail /site'.split(' ');
/** Prints the answer of the control listener to each path; fails when there is none. */
const READ_ALL = `(async () => {
  for (const path of process.argv.slice(1)) {
    const answer = await fetch('http://127.0.0.1:18772' + path);
    if (answer.status !== 200) throw new Error(path + ': ' + answer.status);
    console.log(await answer.text());
  }
})();`;

needs(...MAIL_NEEDS)(
  test,
  'a complete desk has identity, ledger and look-up, and its password is found nowhere',
  async () => {
    const world = await MailWorld.start();
    const dovecot = world.dovecot();
    const said: string[] = [];
    try {
      writeMaildir(dovecot.maildir, corpus({ messages: MESSAGES, people: 40 }));
      execFileSync('chown', ['-R', '65534:65534', dovecot.maildir]);
      await dovecot.start();
      const smtp = await world.peer({ kind: 'smtp', user: USER, password: PASSWORD }, 'smtp.example.org');
      const desk = deskIn(world.namespace, world.folder, SECTIONS(world.passwordFile), {
        NODE_EXTRA_CA_CERTS: world.ca.certificate,
        DESK_LOG_LEVEL: 'trace',
      });
      const json = async <T>(...words: string[]): Promise<T> => {
        const { stdout, stderr, code } = await desk.run([...words, '--json']);
        said.push(stdout, stderr);
        assert.ok(stdout !== '', `${words.join(' ')} ends with ${code}: ${stderr}`);
        return JSON.parse(stdout) as T;
      };
      const capture = await world.namespace.capture();
      const service = await desk.boot();
      try {
        await until(
          async () =>
            (await json<{ state: MailState }>('mail', 'show')).state.sources[0]?.state === 'watching',
          'the first import',
        );
        const { state, check } = await json<{ state: MailState; check: MailCheck }>('mail');
        assert.equal([state.trouble, state.ledger.messages, state.pass_set], ['', MESSAGES, true]);
        assert.equal([check.ok, check.servers.map(({ steps }) => steps.length)], [true, [5, 5]]);
        assert.is((await json<{ ok: boolean }>('mail', 'test')).ok, true);
        assert.ok(JSON.stringify(smtp.heard).includes(USER), 'the test message has arrived');
        const { people, total } = await json<People>('people', '--limit', '5');
        assert.equal([people.length, total], [5, state.ledger.people]);
        const [first] = people;
        const who = await json<Who>('who', (first?.email ?? '').toUpperCase());
        assert.equal(who.person, first);
        const found = await json<People>('people', '--query', first?.email ?? '');
        assert.equal(found.people[0], first);
        await json('people', 'export', 'json');
        expect(
          await json<{ forgotten: boolean }>('people', 'forget', first?.email ?? '').then(
            (one) => one.forgotten,
          ),
        ).equals(true);
        assert.is((await json<Who>('who', first?.email ?? '')).found, false);
        const charge = await json<{ hostess_charge: ChargeReport }>('status');
        const { in_charge, mail, system_run } = charge.hostess_charge;
        assert.equal(
          [in_charge.mail_people, in_charge.trickle_train, system_run.trickle],
          [true, true, true],
        );
        assert.equal(
          [mail.pass_set, mail.finite, mail.claws_up, mail.depth_json],
          [true, true, false, '~/state/people/people.json'],
        );
        for (const words of [
          ['stats'],
          ['findings'],
          ['doctor'],
          ['public'],
          ['config', 'check'],
          ['law', 'show'],
        ])
          said.push(...Object.values(await desk.run(words)).map(String));
        const bodies = await world.namespace.run([process.execPath, '-e', READ_ALL, ...PATHS]);
        assert.equal([bodies.code, bodies.stderr], [0, '']);
        said.push(bodies.stdout);
        assert.equal(findInMemory(service.pid, forms), [], 'the service never has it');

        await dovecot.stop();
        const mailDuty = async () =>
          (await json<{ hostess_charge: ChargeReport }>('status')).hostess_charge.in_charge.mail_people;
        await until(async () => !(await mailDuty()), 'the duty fails without its server');
        await dovecot.start();
        await until(mailDuty, 'the duty runs again', 60_000);

        world.writePassword(`${PASSWORD}-and-more`);
        const refused = await json<{ check: MailCheck }>('mail');
        assert.is(refused.check.ok, false);
        for (const { steps } of refused.check.servers)
          assert.match(steps.at(-1)?.detail ?? '', /refused the login/);
      } finally {
        assert.is(await service.stop(), 0);
      }
      const places = connectedTo(await capture.stop()).filter((place) => !/:(?:18772|18770|80)$/.test(place));
      assert.equal([...new Set(places)].sort(), ['127.0.0.1:465', '127.0.0.1:993']);
      said.push(service.stdout(), service.stderr());
      assert.ok(service.stderr().length > 1000, 'it logs everything');
      expect(said.flatMap((text) => findIn(Buffer.from(text), forms))).equals([]);
      for (const name of ['desk.db', 'people/people.db', 'people/people.json'])
        assert.ok(existsSync(join(desk.state, name)), name);
      assert.equal(findInFolder(desk.state, forms), []);
      assert.ok(
        findIn(readFileSync(world.passwordFile), forms).length > 0,
        'the search finds it in its file',
      );
      smtp.end();
    } finally {
      await dovecot.stop();
      await world.end();
    }
  },
);

test.run();
