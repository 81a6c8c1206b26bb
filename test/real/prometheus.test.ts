/** A real Prometheus scrapes a real desk: names by the book, every query of the dashboard has data, every alert can fire. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FAMILIES } from '../../src/service/metrics.ts';
import { freePorts } from '../support/free-ports.ts';
import { needs, projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ask, makeHome, startService, until } from './running.ts';

const test = suite('prometheus');

const RULES = join(projectRoot, 'docs/prometheus/hostess-desk.rules.yml');
const RULE_TESTS = join(projectRoot, 'docs/prometheus/hostess-desk.rules.test.yml');
const DASHBOARD = join(projectRoot, 'docs/grafana/hostess-desk.json');

function promtool(args: readonly string[], input?: string): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
  // Lints of "check metrics" are on standard output or error, by version.
  assert.equal([status, input === undefined ? '' : stdout + stderr], [0, ''], `${stdout}${stderr}`);
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets: readonly { readonly expr: string }[];
}

/** The expressions of a rule file as it is written here, one quoted line each. */
const ruleExpressions = (): readonly string[] =>
  [...readFileSync(RULES, 'utf8').matchAll(/^ +expr: '(.*)'$/gm)].map(([, expr = '']) =>
    expr.replaceAll("''", "'"),
  );
const alertsIn = (path: string, key: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(new RegExp(`^ +(?:- )?${key}: (\\w+)$`, 'gm'))].map(
    ([, name = '']) => name,
  );

/** Names of metrics in a query. */
const namesIn = (expr: string): readonly string[] => [
  ...new Set(expr.match(/\b(?:desk|process|nodejs)_\w+/g) ?? []),
];

needs('prometheus')(test, 'the rules are valid, and each alert fires on an invented series', () => {
  promtool(['check', 'rules', RULES]);
  promtool(['test', 'rules', RULE_TESTS]);
  const alerts = alertsIn(RULES, 'alert');
  assert.ok(alerts.length > 10);
  assert.is(ruleExpressions().length, alerts.length);
  // Once where it fires, once where nothing does.
  const tested = alertsIn(RULE_TESTS, 'alertname');
  for (const alert of alerts) assert.is(tested.filter((one) => one === alert).length, 2, alert);
});

test('the dashboard is one that Grafana reads', () => {
  const dashboard = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  assert.ok(dashboard.schemaVersion >= 36);
  assert.ok(dashboard.title !== '' && dashboard.uid !== '');
  const ids = dashboard.panels.map(({ id }: { id: number }) => id);
  assert.is(new Set(ids).size, ids.length);
  for (const { title, targets } of dashboard.panels as Panel[]) assert.ok(targets.length > 0, title);
});

needs('prometheus')(
  test,
  'a real Prometheus has data for every query of the dashboard and of every alert',
  async () => {
    const [remote = 0, own = 0] = await freePorts(2);
    const home = await makeHome(
      `[listen.remote]\nenabled = true\nhost = "127.0.0.1"\nport = ${remote}\n[loop]\nperiod_ms = 200\n`,
    );
    await using service = await startService(home);
    const { text } = await service.get('/metrics');
    promtool(['check', 'metrics'], text);
    // Of what has a value on any machine nothing is missing.
    for (const { name } of FAMILIES) assert.match(text, new RegExp(`^# TYPE ${name} `, 'm'));
    assert.not.match(text, /\bpid="|_us\b/);
    assert.match(text, /^desk_build_info\{version="[^"]+",build="[^"]+",backend="[^"]+"\} 1$/m);
    assert.match(text, /^desk_certificate_expiry_timestamp_seconds\{certificate="remote"\} \d{10}/m);

    const folder = tempFolder('desk-prometheus-');
    const config = join(folder, 'prometheus.yml');
    writeFileSync(
      config,
      `global: {scrape_interval: 1s}\nrule_files: ['${RULES}']\nscrape_configs: [{job_name: hostess-desk, static_configs: [{targets: ['127.0.0.1:${home.ports.control}']}]}]\n`,
    );
    const child = spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${own}`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      log += part;
    });
    const ended = once(child, 'close');
    try {
      const result = async (expr: string): Promise<readonly unknown[]> => {
        const answer = await ask(own, `/api/v1/query?query=${encodeURIComponent(expr)}`);
        assert.is(answer.json?.status, 'success', `${expr}: ${answer.text}`);
        return answer.json.data.result;
      };
      const scraped = async () =>
        (await ask(own, '/-/ready').catch(() => null))?.status === 200 &&
        (await result('count_over_time(desk_ok[1m]) > 4')).length > 0;
      await until(scraped, () => `five scrapes: ${log.slice(-2000)}`);
      assert.is((await result('up{job="hostess-desk"} == 1')).length, 1);

      // Only a run of the gate makes these.
      const absent = new Set(['desk_gate_last_run_timestamp_seconds']);
      const has = async (expr: string): Promise<boolean> =>
        namesIn(expr).some((name) => absent.has(name)) || (await result(expr)).length > 0;
      const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: Panel[] };
      for (const { title, targets } of panels)
        for (const { expr } of targets) {
          const query = expr
            .replaceAll('$__rate_interval', '30s')
            .replaceAll('$instance', '.*')
            .replaceAll('$job', 'hostess-desk');
          assert.not.match(query, '$', `${title}: an unknown variable`);
          assert.ok(await has(query), `${title} has no data: ${query}`);
        }
      for (const expr of ruleExpressions()) {
        await result(expr);
        for (const name of namesIn(expr)) assert.ok(await has(name), `${expr}: no ${name}`);
      }
      const { json } = await ask(own, '/api/v1/rules');
      const rules = json.data.groups.flatMap((group: { rules: unknown[] }) => group.rules);
      assert.equal(
        rules.map(({ name }: { name: string }) => name),
        alertsIn(RULES, 'alert'),
      );
      for (const { health, lastError } of rules) assert.is.not(health, 'err', lastError);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    assert.is(await service.stop(), 0);
  },
);

test.run();
