/**
 * The hostile client as a program, for another network namespace: `remote-attack.ts HOST PORT`, the tokens as JSON in `TOKENS`. Prints
 * the outcomes and everything it was sent.
 */
import { attack, hostileVectors } from './remote-vectors.ts';

const [host = '', port = ''] = process.argv.slice(2);
const vectors = hostileVectors(`${host}:${port}`, JSON.parse(process.env.TOKENS ?? '{}'));
console.log(JSON.stringify(await attack({ host, port: Number(port), secure: true }, vectors)));
