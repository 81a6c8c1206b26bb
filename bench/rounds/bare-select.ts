/** `PORT DATABASE`: the peer of the look-up, a Koa application that answers with the row of one prepared SELECT, and nothing else. */
import Router from '@koa/router';
import Koa from 'koa';
import Libsql from 'libsql';

const [port = '', database = ''] = process.argv.slice(2);
const select = new Libsql(database).prepare<[string]>('SELECT * FROM people WHERE address = ?');
const router = new Router();
router.get('/email/api/who', (ctx) => {
  ctx.body = select.get(String(ctx.query.email));
});
const app = new Koa();
app.use(router.routes());
app.listen(Number(port), '127.0.0.1');
// Ends with the process that started it.
process.stdin.on('end', () => process.exit()).resume();
