export type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly metricName: string;
  readonly labels: Labels;
  readonly value: number;
}

/** The durations of one set of labels. */
export class DurationSeries {
  private readonly counts: number[];
  private sum = 0;

  constructor(
    private readonly labels: Labels,
    private readonly bounds: readonly number[],
  ) {
    this.counts = [...bounds, Number.POSITIVE_INFINITY].map(() => 0);
  }

  observe(seconds: number): void {
    let at = 0;
    while (at < this.bounds.length && seconds > (this.bounds[at] ?? 0)) at += 1;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += seconds;
  }

  samples(name: string): readonly Sample[] {
    let total = 0;
    const buckets = this.counts.map((count, at) => {
      total += count;
      const le = String(this.bounds[at] ?? '+Inf');
      return { metricName: `${name}_bucket`, labels: { ...this.labels, le }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.labels, value: this.sum },
      { metricName: `${name}_count`, labels: this.labels, value: total },
    ];
  }
}
