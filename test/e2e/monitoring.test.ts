import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Scrape } from '../support/http/scrape.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { WEBHOOK_SECRET } from '../support/servers/webhook-inbox.ts';

const RULES = join(PROJECT_FOLDER, 'deploy/prometheus/rules.yml');
const RULE_TESTS = join(PROJECT_FOLDER, 'deploy/prometheus/rules.test.yml');
const DASHBOARD = join(PROJECT_FOLDER, 'deploy/grafana/image-catalog.json');

/** Labels that Prometheus adds to each series. */
const TARGET_LABELS = ['job', 'instance'];

/** Not preceded or followed by a colon: such names are of recording rules. */
const METRIC = /(?<![\w:])((?:image_catalog|process|nodejs)_\w+)(?![\w:])(?:\{([^}]*)\})?/g;

interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
  /** Values that must exist; those of regular expressions and variables are left out. */
  readonly values: ReadonlyArray<readonly [label: string, value: string]>;
}

describe('deploy/prometheus/rules.yml', () => {
  it('has a unit test and a section in docs/monitoring.md for each alert', async () => {
    const alerts = [...(await readFile(RULES, 'utf8')).matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    const tests = await readFile(RULE_TESTS, 'utf8');
    const docs = await readFile(join(PROJECT_FOLDER, 'docs/monitoring.md'), 'utf8');
    expect(alerts).to.have.length.above(8);
    for (const alert of alerts) {
      expect(tests).to.match(new RegExp(`alertname: ${alert}\n +exp_alerts:\n`));
      expect(docs).to.include(`\`${alert}\``);
    }
  });
});

/** No process listens there. */
const WEBHOOK = { WEBHOOK_URLS: 'http://127.0.0.1:9/', WEBHOOK_SECRETS: WEBHOOK_SECRET };

describe('Metrics from the start of a process', () => {
  let folder: ServiceFolder;
  let scrape: Scrape;

  before(async () => {
    folder = await ServiceFolder.open();
    const { process } = await folder.start({ MANAGEMENT_PORT: '0', ...WEBHOOK });
    const port = await process.line((line) => /"port":(\d+),"msg":"management listening"/.exec(line)?.[1]);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const file = join(folder.path, 'verify.prom');
    await folder.run(['verify', '--metrics', file]);
    scrape = new Scrape(`${text}\n${await readFile(file, 'utf8')}`);
  });

  after(async () => await folder.close());

  for (const [name, expressions] of [
    ['the alerting rules', expressionsOfRules],
    ['the dashboard', expressionsOfDashboard],
  ] as const) {
    it(`have every metric and label of ${name}`, async () => {
      const found = await expressions();
      expect(found).to.have.length.above(10);
      for (const expression of found) expectMetrics(expression);
    });
  }

  it('have every label of the legends of the dashboard', async () => {
    for (const { expr, legendFormat } of targetsOf(JSON.parse(await readFile(DASHBOARD, 'utf8')))) {
      const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
      for (const label of labels) expectLabel(expr, label);
    }
  });

  function expectMetrics(expression: string): void {
    for (const { metric, labels, values } of selectorsIn(expression)) {
      expect(scrape.all(metric), metric).to.not.have.length(0);
      for (const label of labels) expect(labelsOf(metric), `${metric} ${label}`).to.include(label);
      for (const [label, value] of values) {
        expect(scrape.labelValues(metric, label), `${metric} ${label}`).to.include(value);
      }
    }
    for (const [, list = ''] of expression.matchAll(/\b(?:by|on) ?\(([^)]*)\)/g)) {
      for (const label of list.split(/, */)) expectLabel(expression, label);
    }
  }

  function expectLabel(expression: string, label: string): void {
    const metrics = selectorsIn(expression).map(({ metric }) => metric);
    expect(metrics.flatMap(labelsOf), `${label} in ${expression}`).to.include(label);
  }

  function labelsOf(metric: string): readonly string[] {
    return [...scrape.all(metric).flatMap(({ labels }) => Object.keys(labels)), ...TARGET_LABELS];
  }
});

function selectorsIn(expression: string): readonly Selector[] {
  return [...expression.matchAll(METRIC)].map(([, metric = '', matchers = '']) => {
    const pairs = [...matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)];
    return {
      metric,
      labels: pairs.map(([, label = '']) => label),
      values: pairs.filter(([, , how]) => how === '=').map(([, label = '', , value = '']) => [label, value]),
    };
  });
}

async function expressionsOfRules(): Promise<readonly string[]> {
  const lines = (await readFile(RULES, 'utf8')).split('\n').filter((line) => !/^ *#/.test(line));
  // An expression ends at the next key of its rule.
  const rules = lines
    .join('\n')
    .matchAll(/^ +expr: (?:\|\n)?([^]*?)(?=\n +(?:- |labels:|annotations:|for:)|$)/gm);
  return [...rules].map(([, expression = '']) => expression).filter((text) => selectorsIn(text).length > 0);
}

async function expressionsOfDashboard(): Promise<readonly string[]> {
  const dashboard: unknown = JSON.parse(await readFile(DASHBOARD, 'utf8'));
  const variables = [...JSON.stringify(dashboard).matchAll(/"definition":"label_values\(([^"]*)\)"/g)];
  return [...targetsOf(dashboard).map(({ expr }) => expr), ...variables.map(([, query = '']) => query)];
}

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}

function targetsOf(node: unknown): readonly Target[] {
  if (typeof node !== 'object' || node === null) return [];
  const { expr, legendFormat = '' } = node as Partial<Target>;
  const own = typeof expr === 'string' ? [{ expr, legendFormat }] : [];
  return [...own, ...Object.values(node).flatMap(targetsOf)];
}
