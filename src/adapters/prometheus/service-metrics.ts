import { setTimeout as delay } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';
import { METRICS, type Row } from './metrics.ts';

type CounterName = keyof typeof METRICS.counters;
type HistogramName = keyof typeof METRICS.histograms;
type GaugeName = keyof typeof METRICS.gauges;
type ReadingName = keyof typeof METRICS.readings;

/** A value of the label of a metric. */
type LabelValue<Name extends ReadingName> = (typeof METRICS.readings)[Name] extends {
  readonly values: ReadonlyArray<infer Value>;
}
  ? Value
  : string;

type Labels = Readonly<Record<string, string>>;

/** Databases and network file systems may not respond. */
const READ_TIMEOUT_MS = 1_000;

/** All metrics of a process, as the table lists them. */
export class ServiceMetrics {
  private readonly registry = new Registry();
  private readonly counters = new Map<CounterName, Counter>();
  private readonly histograms = new Map<HistogramName, DurationHistogram>();
  private readonly gauges = new Map<GaugeName, Gauge>();

  constructor(build: { readonly version: string; readonly node: string }) {
    const { registry } = this;
    collectDefaultMetrics({ register: registry });
    const info = { help: 'Always 1; the labels tell the version', labelNames: ['version', 'node'] };
    new Gauge({ name: fullName('build_info'), ...info, registers: [registry] }).set({ ...build }, 1);
    for (const [name, row] of rowsOf(METRICS.counters)) {
      this.counters.set(name, new Counter(this.optionsOf(name, row)));
      for (const value of row.values ?? []) this.count(name, value, 0);
    }
    for (const [name, row] of rowsOf(METRICS.gauges)) {
      this.gauges.set(name, new Gauge(this.optionsOf(name, row)));
    }
    for (const [name, row] of Object.entries(METRICS.histograms)) {
      const histogram = new DurationHistogram({ name: fullName(name), ...row, registry });
      this.histograms.set(name as HistogramName, histogram);
      if ('values' in row) row.values.forEach((value) => histogram.of(value));
    }
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(): Promise<string> {
    return await this.registry.metrics();
  }

  /** @param value of the label of the counter, if it has one */
  count(name: CounterName, value = '', by = 1): void {
    this.counters.get(name)?.inc(labelsOf(METRICS.counters[name], value), by);
  }

  /**
   * Counts `ok` or `failed`.
   *
   * @param counts whether work with this result counts at all
   */
  async countResult<T>(
    name: CounterName,
    work: () => Promise<T>,
    counts: (result: T) => boolean = () => true,
  ): Promise<T> {
    try {
      const result = await work();
      if (counts(result)) this.count(name, 'ok');
      return result;
    } catch (error) {
      this.count(name, 'failed');
      throw error;
    }
  }

  set(name: GaugeName, value: number): void {
    this.gauges.get(name)?.set(value);
  }

  durations(name: HistogramName): DurationHistogram {
    const found = this.histograms.get(name);
    if (found === undefined) throw new TypeError(`There is no histogram ${name}`);
    return found;
  }

  /**
   * Shows a value that is read for each scrape; NaN if the read fails, or takes more than a second.
   *
   * @param read gets the value of the label, if the metric has one
   * @param among the values of the label, unless the table has them
   */
  read<Name extends ReadingName>(
    name: Name,
    read: (value: LabelValue<Name>) => number | Promise<number>,
    among?: readonly string[],
  ): void {
    const row: Row = METRICS.readings[name];
    const values = among ?? row.values ?? [''];
    const readOne = async (value: string): Promise<readonly [Labels, number]> => [
      labelsOf(row, value),
      await withinSecond(read(value as LabelValue<Name>)),
    ];
    const Kind = name.endsWith('_total') ? Counter : Gauge;
    const metric = new Kind({
      ...this.optionsOf(name, row),
      registers: [],
      async collect() {
        const found = await Promise.all(values.map(readOne));
        this.reset();
        for (const [labels, value] of found) this.inc(labels, value);
      },
    });
    this.registry.registerMetric(metric);
  }

  private optionsOf(name: string, { help, label }: Row): MetricOptions {
    const labelNames = label === undefined ? [] : [label];
    return { name: fullName(name), help, labelNames, registers: [this.registry] };
  }
}

interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
}

function fullName(name: string): string {
  return `image_catalog_${name}`;
}

function rowsOf<Name extends string>(rows: Readonly<Record<Name, Row>>): ReadonlyArray<[Name, Row]> {
  return Object.entries(rows) as Array<[Name, Row]>;
}

function labelsOf({ label }: Row, value: string): Labels {
  return label === undefined ? {} : { [label]: value };
}

async function withinSecond(value: number | Promise<number>): Promise<number> {
  if (typeof value === 'number') return value;
  const late = delay(READ_TIMEOUT_MS, Number.NaN, { ref: false });
  return await Promise.race([value.catch(() => Number.NaN), late]);
}
