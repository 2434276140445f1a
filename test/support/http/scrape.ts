export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A response in the text format of Prometheus. */
export class Scrape {
  readonly series: readonly Series[];

  constructor(readonly text: string) {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.series = lines.map(seriesOf);
  }

  /** The only series with this name and these labels. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const found = this.all(name, labels);
    if (found.length !== 1) throw new Error(`${found.length} series of ${name} ${JSON.stringify(labels)}`);
    return found[0]?.value ?? Number.NaN;
  }

  all(name: string, labels: Readonly<Record<string, string>> = {}): readonly Series[] {
    return this.series.filter(
      (series) =>
        series.name === name &&
        Object.entries(labels).every(([label, value]) => series.labels[label] === value),
    );
  }

  /** Values of a label in all series of a metric. */
  labelValues(name: string, label: string): readonly (string | undefined)[] {
    return [...new Set(this.all(name).map(({ labels }) => labels[label]))];
  }
}

function seriesOf(line: string): Series {
  const [, name = '', labels = '', value = ''] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
  if (name === '') throw new Error(`no series: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text] as const);
  return { name, labels: Object.fromEntries(pairs), value: numberOf(value) };
}

function numberOf(text: string): number {
  return text.endsWith('Inf') ? Number(`${text}inity`) : Number(text === 'Nan' ? 'NaN' : text);
}
