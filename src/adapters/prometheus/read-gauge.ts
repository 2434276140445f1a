import { Gauge, type Registry } from 'prom-client';

export interface ReadGaugeOptions {
  readonly name: string;
  readonly help: string;
  readonly registry: Registry;
  /** Called for each scrape. */
  readonly read: () => number | Promise<number>;
}

/** A gauge whose value is read when it is asked for. */
export function readGauge({ name, help, registry, read }: ReadGaugeOptions): Gauge {
  return new Gauge({
    name,
    help,
    registers: [registry],
    async collect(): Promise<void> {
      this.set(await read());
    },
  });
}

export interface ReadGaugesOptions {
  readonly name: string;
  readonly help: string;
  readonly registry: Registry;
  readonly label: string;
  /** By the value of the label. Called for each scrape. */
  readonly reads: ReadonlyArray<readonly [string, () => number | Promise<number>]>;
}

export function readGauges({ name, help, registry, label, reads }: ReadGaugesOptions): Gauge {
  return new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect(): Promise<void> {
      await Promise.all(reads.map(async ([value, read]) => this.set({ [label]: value }, await read())));
    },
  });
}
