// Lists what listens beyond this machine, with the programs that do: `node listeners.mjs`.
import { Probe } from 'hostess-desk';

const probe = new Probe();
const { processes, listeners, gaps } = await probe.sweep();
const names = new Map(processes.map(({ pid, name }) => [pid, name]));
for (const { protocol, address, port, scope, owner, owners } of listeners) {
  if (scope !== 'public') continue;
  const held = owners.map(({ pid }) => `${names.get(pid) ?? '?'} (${pid})`).join(', ');
  console.log(`${protocol} ${address} ${port}: ${owner === 'known' ? held : `owner ${owner}`}`);
}
for (const { id, reason } of gaps) console.error(`not seen, ${id}: ${reason}`);
await probe.close();
