import { Counter, type Registry } from 'prom-client';
import { readGauge, readGauges } from './read-gauge.ts';

const RENDITION_RESULTS = [
  'memory',
  'cache',
  'made',
  'shared',
  'prerendered',
  'overloaded',
  'failed',
] as const;

export type RenditionResult = (typeof RENDITION_RESULTS)[number];

const JOBS = ['inspection', 'rendition'] as const;

type JobKind = (typeof JOBS)[number];

const DECODER_ENDS = [
  'not_started',
  'cpu',
  'memory',
  'time',
  'no_memory',
  'signal',
  'crash',
  'cancelled',
] as const;

export interface ObservedDecoders {
  /** Renditions `ahead` of requests run as renditions, and wait by themselves. */
  readonly queue: {
    running(kind: JobKind): number;
    waiting(kind: JobKind | 'ahead'): number;
  };
  /** Renditions. */
  readonly maxWaiting: number;
  readonly memory: ObservedMemory;
  /** CPU time of all decoders since the start. */
  readonly cpuSeconds: number;
  /** Decoders that ended during a job since the start. */
  ended(why: (typeof DECODER_ENDS)[number]): number;
}

interface ObservedMemory {
  readonly held: number;
  readonly capacity: number;
  readonly waiting: number;
}

export interface ObservedProcessing {
  readonly decoders: ObservedDecoders;
  readonly cache: {
    /** `undefined` if it is not known. */
    readonly bytes: () => number | undefined;
    /** `undefined` if the cache does not bound itself. */
    readonly maxBytes: number | undefined;
  };
}

/** Renditions, originals that are lost, the decoders, the cache. */
export class ImageMetrics {
  private readonly renditions: Counter<'result'>;
  private readonly lost: Counter;

  constructor(private readonly registry: Registry) {
    this.renditions = new Counter({
      name: 'image_catalog_renditions_total',
      help: 'Renditions by result: where requested ones come from; prerendered ones are made before a request',
      labelNames: ['result'],
      registers: [registry],
    });
    this.lost = new Counter({
      name: 'image_catalog_lost_blobs_total',
      help: 'Requests for images whose bytes are missing or of another size',
      registers: [registry],
    });
    for (const result of RENDITION_RESULTS) this.renditions.inc({ result }, 0);
  }

  rendition(result: RenditionResult): void {
    this.renditions.inc({ result });
  }

  lostBlob(): void {
    this.lost.inc();
  }

  observe({ decoders, cache }: ObservedProcessing): void {
    this.observeDecoders(decoders);
    this.gauge(
      'rendition_cache_bytes',
      'Disk space of cached renditions as last measured; NaN before, and in a bucket',
      () => cache.bytes() ?? Number.NaN,
    );
    this.gauge(
      'rendition_cache_limit_bytes',
      'RENDITION_CACHE_MAX_BYTES; infinite in a bucket',
      () => cache.maxBytes ?? Number.POSITIVE_INFINITY,
    );
  }

  private observeDecoders(decoders: ObservedDecoders): void {
    const { queue, memory, maxWaiting } = decoders;
    this.gaugeOfJobs('running', 'Decodes and encodes under way', (kind) => queue.running(kind));
    this.gaugeOfJobs('waiting', 'Decodes and encodes that wait', (kind) =>
      kind === 'rendition' ? queue.waiting(kind) + queue.waiting('ahead') : queue.waiting(kind),
    );
    // Uploads are bounded by their own slots.
    this.gaugeOfJobs('waiting_limit', 'Jobs that may wait; beyond it requests are refused', (kind) =>
      kind === 'rendition' ? maxWaiting : Number.POSITIVE_INFINITY,
    );
    this.gauge('decode_memory_reserved_bytes', 'Memory reserved by decodes', () => memory.held);
    this.gauge('decode_memory_limit_bytes', 'DECODE_MEMORY_BYTES', () => memory.capacity);
    this.gauge('decode_memory_waiting', 'Running jobs that wait for memory', () => memory.waiting);
    const cpuSeconds = new Counter({
      name: 'image_catalog_decoder_cpu_seconds_total',
      help: 'CPU time of the decoder processes',
      registers: [],
      collect(): void {
        this.reset();
        this.inc(decoders.cpuSeconds);
      },
    });
    const ended = new Counter({
      name: 'image_catalog_decoders_ended_total',
      help: 'Decoder processes that ended during a job: at a bound, by a crash or signal, or because the client left',
      labelNames: ['reason'],
      registers: [],
      collect(): void {
        this.reset();
        for (const reason of DECODER_ENDS) this.inc({ reason }, decoders.ended(reason));
      },
    });
    for (const counter of [cpuSeconds, ended]) this.registry.registerMetric(counter);
  }

  private gauge(name: string, help: string, read: () => number): void {
    readGauge({ name: `image_catalog_${name}`, help, registry: this.registry, read });
  }

  private gaugeOfJobs(name: string, help: string, read: (kind: JobKind) => number): void {
    readGauges({
      name: `image_catalog_decode_jobs_${name}`,
      help,
      registry: this.registry,
      label: 'queue',
      reads: JOBS.map((kind) => [kind, () => read(kind)]),
    });
  }
}
