/** A service that is refused access: what it cannot read never has its good value, in any record, page or command. */
import { chmodSync, chownSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiled } from '../support/compile.ts';
import { NAMESPACE_NEEDS, startNamespace } from '../support/namespace.ts';
import { deskIn } from '../support/namespaced-desk.ts';
import { needs, ordinaryUser } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('blind');

const LISTENER =
  'import socket, sys; s = socket.create_server(("127.0.0.1", 8766)); print("up", flush=True); sys.stdin.read()';

needs(...NAMESPACE_NEEDS, 'compiler')(
  test,
  'when the kernel refuses every dump of sockets, port 8766 is unknown and never clean, although it is up',
  async () => {
    await using namespace = await startNamespace();
    const folder = tempFolder('desk-blind-');
    const refuse = compiled('refuse_sock_diag.cc');
    // The service is refused access; the commands of its user are not, unless they scan on their own.
    const desk = deskIn(
      {
        ...namespace,
        spawn: (words, options) => namespace.spawn([refuse, ...words], options),
        run: (words, options) =>
          namespace.run(words.includes('--local') ? [refuse, ...words] : words, options),
      },
      folder,
      '[loop]\nmode = "poll"\nperiod_ms = 500\n',
    );
    const virus = namespace.spawn(['python3', '-c', LISTENER]);
    try {
      await new Promise((resolve) => virus.stdout.once('data', resolve));
      const { stop, stdout } = await desk.boot();
      assert.match(stdout(), /blind .*listening sockets/);
      assert.not.match(stdout(), /findings {2}none$/m);
      const record = async (...words: readonly string[]) => {
        const { stdout: text, stderr } = await desk.run([...words, '--json']);
        assert.is.not(text, '', stderr);
        return JSON.parse(text);
      };
      const status = await record('status');
      const hygiene = await desk.hygiene();
      assert.is(hygiene.word, 'DESK_AV');
      const charge = status.hostess_charge;
      const issues = status.issues.join('\n');
      assert.equal(
        [
          status.ok,
          charge.ok,
          charge.in_charge.antivirus,
          charge.in_charge.av_close,
          charge.antivirus.ok,
          charge.security_learn.ok,
        ],
        [false, false, false, false, false, false],
      );
      assert.match(issues, /listening sockets .* could not be read.*EPERM.*AF_NETLINK/);
      assert.not.match(issues, /[Rr]equired port|is down|nothing listens/);
      assert.not.match(charge.improvements, /start what serves port/);
      assert.is(status.ports_up, 0);
      assert.match(charge.antivirus.detail, /desk_https=blind outside_h=blind .*unseen=sockets,connections/);
      assert.match(status.iron.line, /bgl=blind/);
      const { live, datacenter_port_8766: virusPort } = hygiene;
      assert.equal(
        [virusPort.up, virusPort.status, live.datacenter, live.tx_wrap, live.no_other_internal, live.av],
        [false, 'failed', 'failed', false, false, 'failed'],
      );
      // A service under a filter is itself wrapped.
      assert.is(live.always_wrap, true);
      const open = charge.antivirus.avenues.filter((avenue: { open: boolean }) => avenue.open);
      const ids = open.map(({ id }: { id: string }) => id);
      assert.ok(ids.includes('public_listen') && ids.includes('unknown_local'), ids.join());
      const web = await desk.run(['web', 'check']);
      assert.is(web.code, 1, web.stdout);
      assert.match(web.stdout, /could not be read/);
      const local = await desk.run(['web', 'check', '--local']);
      assert.match(local.stdout, /office +80 +unknown/);
      const answer = await desk.run(['think', 'is port 80 up?']);
      assert.not.match(answer.stdout, /is down|Nobody listens/);
      assert.is(await stop(), 0);
    } finally {
      virus.stdin.end();
    }
  },
);

needs(...NAMESPACE_NEEDS, 'setpriv', 'tree readable by others')(
  test,
  'with hidepid on proc the processes of others are hidden, and no state of processes is good',
  async () => {
    const { uid } = ordinaryUser;
    await using namespace = await startNamespace({ alone: true });
    const folder = tempFolder('desk-hidepid-');
    chownSync(folder, uid, uid);
    chmodSync(folder, 0o755);
    assert.is((await namespace.run(['mount', '-o', 'remount,hidepid=2', '/proc'])).code, 0);
    const desk = deskIn(namespace, folder, '[loop]\nmode = "poll"\nperiod_ms = 500\n', {}, 'never', uid);
    const service = await desk.boot();
    const { live } = await desk.hygiene();
    assert.equal([live.spv, live.av], ['failed', 'failed']);
    const status = JSON.parse((await desk.run(['status', '--json'])).stdout);
    const { ok, grade, hostess_charge: charge } = status;
    assert.equal(
      [ok, grade, charge.ok, charge.check.full_learned, charge.in_charge.antivirus],
      [false, 'silver', false, false, false],
    );
    assert.match(status.issues.join(), /hides processes of other users/);
    assert.is(await service.stop(), 0);
  },
);

test.run();
