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

/** Reads are as cheap as those of properties. */
export interface ObservedQueue {
  readonly running: number;
  readonly waiting: number;
  /** Infinite if others bound it. */
  readonly maxWaiting: number;
}

export interface ObservedMemory {
  readonly held: number;
  readonly capacity: number;
  readonly waiting: number;
}

export interface ObservedPictures {
  readonly queues: Readonly<Record<string, ObservedQueue>>;
  readonly decodeMemory: ObservedMemory;
  readonly cache: {
    /** `undefined` if it is not known. */
    readonly bytes: () => number | undefined;
    /** `undefined` if the cache does not bound itself. */
    readonly maxBytes: number | undefined;
  };
}

/** Renditions, originals that are lost, the decode queue, the cache. */
export class PictureMetrics {
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

  observe({ queues, decodeMemory, cache }: ObservedPictures): void {
    this.gaugeOfQueues('jobs_running', 'Decodes and encodes under way', queues, (queue) => queue.running);
    this.gaugeOfQueues('jobs_waiting', 'Decodes and encodes that wait', queues, (queue) => queue.waiting);
    this.gaugeOfQueues(
      'jobs_waiting_limit',
      'Jobs that may wait; beyond it requests are refused',
      queues,
      (queue) => queue.maxWaiting,
    );
    this.gauge('decode_memory_reserved_bytes', 'Memory reserved by decodes', () => decodeMemory.held);
    this.gauge('decode_memory_limit_bytes', 'DECODE_MEMORY_BYTES', () => decodeMemory.capacity);
    this.gauge('decode_memory_waiting', 'Running jobs that wait for memory', () => decodeMemory.waiting);
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

  private gauge(name: string, help: string, read: () => number): void {
    readGauge({ name: `image_catalog_${name}`, help, registry: this.registry, read });
  }

  private gaugeOfQueues(
    name: string,
    help: string,
    queues: ObservedPictures['queues'],
    read: (queue: ObservedQueue) => number,
  ): void {
    readGauges({
      name: `image_catalog_decode_${name}`,
      help,
      registry: this.registry,
      label: 'queue',
      reads: Object.entries(queues).map(([label, queue]) => [label, () => read(queue)]),
    });
  }
}
