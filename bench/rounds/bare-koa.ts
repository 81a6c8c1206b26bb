/** `PORT PATH=BYTES…`: the peer of P7, a Koa application that answers each path with a constant body of that size. */
import Koa from 'koa';

const [port = '', ...routes] = process.argv.slice(2);
const bodies = new Map(
  routes.map((route) => {
    const [path = '', bytes = ''] = route.split('=');
    return [path, `"${'x'.repeat(Number(bytes) - 2)}"`];
  }),
);
const app = new Koa();
app.use((ctx) => {
  const body = bodies.get(ctx.path);
  if (body === undefined) return;
  ctx.type = 'application/json';
  ctx.body = body;
});
app.listen(Number(port), '127.0.0.1');
// Ends with the process that started it.
process.stdin.on('end', () => process.exit()).resume();
