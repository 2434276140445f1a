import { FILE_KIND_NAMES } from '../../domain/image/file-kind.ts';
import { SWEPT_KINDS } from './swept-kinds.ts';

export interface Row {
  readonly help: string;
  readonly label?: string;
  /**
   * Of the label; of a reading, unless those that read it know the values. The series of a counter are there from the start, so that
   * the first increase is a step from 0, which `rate` sees.
   */
  readonly values?: readonly string[];
}

interface HistogramRow {
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Series of the only label that are there from the start. */
  readonly values?: readonly string[];
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
}

const RESULTS = ['ok', 'failed'] as const;
const QUEUES = ['inspection', 'rendition'] as const;

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const CALL_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const counters = {
  uploads_total: {
    help: 'Uploads that passed the checks of token and scope, by outcome: created, replayed, or the code of the error',
    label: 'outcome',
    values: ['created', 'replayed', 'client_left', 'overloaded', 'storage_unavailable'],
  },
  uploads_refused_kind_total: {
    help: 'Uploads refused for the first bytes of the file (415), by what they tell it to be',
    label: 'kind',
    values: [...Object.keys(FILE_KIND_NAMES), 'other'],
  },
  uploads_timed_out_total: {
    help: 'Uploads ended while their bodies arrived (408): they stopped, were too slow, or gave their slot to another client',
    label: 'reason',
    values: ['stalled', 'slow', 'slot_taken'],
  },
  auth_failures_total: {
    help: 'Requests refused for their token, by reason',
    label: 'reason',
    values: [
      'missing',
      'malformed',
      'signature',
      'no_keys',
      'expired',
      'not_active',
      'audience',
      'issuer',
      'scope',
      'space',
    ],
  },
  renditions_total: {
    help: 'Renditions by result: where requested ones come from; prerendered ones are made before a request',
    label: 'result',
    values: ['memory', 'cache', 'made', 'shared', 'prerendered', 'overloaded', 'failed'],
  },
  lost_blobs_total: { help: 'Requests for images whose bytes are missing or of another size' },
  database_call_errors_total: { help: 'Failed database calls', label: 'operation' },
  blob_call_errors_total: { help: 'Failed blob calls', label: 'operation' },
  jwks_fetches_total: {
    help: 'Fetches of the signing keys by result',
    label: 'result',
    values: RESULTS,
  },
  sweeps_total: {
    help: 'Sweeps of this process by result, without blobs',
    label: 'result',
    values: RESULTS,
  },
  sweep_slices_total: {
    help: 'Slices of the blob store that this process has swept, by result',
    label: 'result',
    values: RESULTS,
  },
  swept_total: {
    help: 'What sweeps have removed',
    label: 'kind',
    values: Object.values(SWEPT_KINDS),
  },
  webhook_failures_total: {
    help: 'Tries of this process to deliver a message that failed',
    label: 'endpoint',
  },
} as const satisfies Readonly<Record<string, Row>>;

const histograms = {
  http_request_duration_seconds: {
    help: 'Time from the arrival of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
  },
  upload_stage_duration_seconds: {
    help: 'Duration of the stages of uploads, failed ones included; inspect includes the wait for the decode queue',
    labelNames: ['stage'],
    values: ['receive', 'inspect', 'store', 'record'],
    buckets: REQUEST_BUCKETS,
  },
  database_call_duration_seconds: {
    help: 'Duration of database calls, failed ones included',
    labelNames: ['operation'],
    buckets: CALL_BUCKETS,
  },
  blob_call_duration_seconds: {
    help: 'Duration of blob calls, failed ones included',
    labelNames: ['operation'],
    buckets: CALL_BUCKETS,
  },
} as const satisfies Readonly<Record<string, HistogramRow>>;

const gauges = {
  sweep_last_success_timestamp_seconds: {
    help: 'End of the last complete sweep of this process, without blobs; 0 if there was none',
  },
  sweep_interval_seconds: { help: 'SWEEP_INTERVAL_SECONDS; 0 if READ_ONLY turns the sweeper off' },
} as const satisfies Readonly<Record<string, Row>>;

/** Read for each scrape. Counters end with `_total`, all others are gauges. */
const readings = {
  http_requests_in_flight: { help: 'Requests whose response has not ended' },
  change_readers: { help: 'Open streams of changes, and requests that wait for a change' },
  similar_searches_bounded_total: {
    help: 'Searches for similar images that ended at their bound: some that differ may not have been found',
  },
  jwks_age_seconds: { help: 'Age of the signing keys in use; infinite if there are none' },
  decode_jobs_running: { help: 'Decodes and encodes under way', label: 'queue', values: QUEUES },
  decode_jobs_waiting: { help: 'Decodes and encodes that wait', label: 'queue', values: QUEUES },
  decode_jobs_waiting_limit: {
    help: 'Jobs that may wait; beyond it requests are refused',
    label: 'queue',
    values: QUEUES,
  },
  decoders_running: { help: 'Decoder processes that run' },
  decode_memory_reserved_bytes: { help: 'Memory reserved by decodes' },
  decode_memory_limit_bytes: { help: 'DECODE_MEMORY_BYTES' },
  decode_memory_waiting: { help: 'Waiting jobs whose memory is not free' },
  decoder_cpu_seconds_total: { help: 'CPU time of the decoder processes' },
  decoders_ended_total: {
    help: 'Decoder processes that ended during a job: at a bound, by a crash or signal, or because the client left',
    label: 'reason',
    values: ['not_started', 'cpu', 'memory', 'time', 'no_memory', 'signal', 'crash', 'cancelled'],
  },
  rendition_cache_bytes: {
    help: 'Disk space of cached renditions as last measured; NaN before, and in a bucket',
  },
  rendition_cache_limit_bytes: { help: 'RENDITION_CACHE_MAX_BYTES; infinite in a bucket' },
  sweep_slices_age_seconds: {
    help: 'Time since the slice that was swept longest ago was swept, by any process; NaN if one never was',
  },
  webhook_lag_seconds: {
    help: 'Age of the oldest change that is not delivered; NaN if the database does not respond',
    label: 'endpoint',
  },
  disk_free_bytes: {
    help: 'Space that the service can still use on the file system of a data folder; NaN if it does not respond',
    label: 'folder',
  },
  disk_size_bytes: {
    help: 'Size on the file system of a data folder; NaN if it does not respond',
    label: 'folder',
  },
} as const satisfies Readonly<Record<string, Row>>;

/** All metrics of the service, by their names without the prefix. A new one is a row here, and its use. */
export const METRICS = { counters, histograms, gauges, readings };
