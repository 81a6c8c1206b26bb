import { MAIL_TOKEN, startService, TOKEN } from './http/service.ts';
import { FakeDesk, loopbackConfig } from './support/fake-desk.ts';
import { attack, hostileVectors } from './support/remote-vectors.ts';

const desk = new FakeDesk(loopbackConfig({ listen: { remote: { enabled: true } } }));
const { token } = desk.remote.tokens.make('test', 3600000);
const service = await startService(desk);
const v = hostileVectors(`127.0.0.1:${service.port('remote')}`, {
  remote: token,
  control: TOKEN,
  mail: MAIL_TOKEN,
  made: `desk_${'A'.repeat(43)}`,
});
console.log(v.length);
const t = Date.now();
const { outcomes } = await attack({ host: '127.0.0.1', port: service.port('remote'), secure: true }, v);
console.log(
  Date.now() - t,
  outcomes.filter((o) => !o.right),
);
await service.stop();
