import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const { serveScene } = await import(process.env.TREE + '/test/support/served-scene.ts');
const axe = readFileSync(process.env.TREE + '/node_modules/axe-core/axe.min.js', 'utf8');
const [scenes, paths, widths, modes] = process.argv.slice(2).map((one) => one.split(','));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] });
for (const scene of scenes!) {
  const served = await serveScene(scene as never);
  const stop = served.keepSweeping(1000);
  for (const path of paths!) for (const width of widths!) for (const mode of modes!) {
    const [p, role = 'control'] = path.split('@');
    const nojs = mode.includes('nojs');
    const context = await browser.newContext({ viewport: { width: Number(width), height: 900 }, colorScheme: mode.startsWith('dark') ? 'dark' : 'light', javaScriptEnabled: !nojs, bypassCSP: true });
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (m) => m.type() !== 'log' && said.push(`${m.type()}: ${m.text()} ${m.location().url}`));
    page.on('pageerror', (e) => said.push(`error ${e.message}`));
    await page.goto(served.url(p, role as never));
    await page.waitForTimeout(nojs ? 200 : 900);
    if (process.env.ASK) { await page.fill('#talk-message', 'How is the desk?'); await page.keyboard.press('Enter'); await page.waitForTimeout(500); await page.click('.grounds summary'); await page.waitForTimeout(200);}
    const name = `/tmp/office-look/${scene}-${(p!.replace(/[^a-z0-9]/gi,'') || 'office')}-${role}-${width}-${mode}.png`;
    await page.screenshot({ path: name, fullPage: !process.env.ASK && !process.env.VIEW });
    let over = '';
    if (!nojs) {
      over = await page.evaluate(() => `${document.documentElement.scrollWidth}/${innerWidth}`);
      await page.addScriptTag({ content: axe });
      const found = await page.evaluate(async () => (await (globalThis as any).axe.run(document, { runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice'] })).violations.map((v: any) => `${v.id}: ${v.nodes.length} ${v.nodes[0].html.slice(0,160)} ${v.nodes[0].failureSummary?.slice(0,260)}`));
      for (const f of found) console.log('  AXE', f);
    }
    console.log(name, over, said.join(' | '));
    await context.close();
  }
  stop();
  await served[Symbol.asyncDispose]();
}
await browser.close();
process.exit(0);
