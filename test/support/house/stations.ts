/** The requests whose stations are judged: the files of `src` that run for them. */
export const JUDGED_REQUESTS = ['upload', 'cached rendition'];

/**
 * The stations that refuse the request, end it, or choose between ways to continue, and what each decides. Judged by hand: a new
 * station is added here or to the list below.
 */
export const DECISIONS: Readonly<Record<string, string>> = {
  'adapters/decoder/decode-job.ts': 'whether a failed decoder is asked again, and what its reply means',
  'adapters/decoder/decode-policy.ts': 'whose job is next, and how many may run',
  'adapters/decoder/decoder-image-inspector.ts': 'what a refusal of the decoder means for the upload',
  'adapters/decoder/decoder-pool.ts': 'whether a picture that ended decoders is tried again',
  'adapters/decoder/decoder-process.ts': 'when a decoder is ended at its bounds',
  'adapters/decoder/decoders.ts': 'which decoder takes the job',
  'adapters/decoder/weighted-semaphore.ts': 'whether the memory of a job is free',
  'adapters/http/auth/authenticate.ts': 'whether the token is accepted',
  'adapters/http/auth/signing-keys.ts': 'whether the known keys still count',
  'adapters/http/auth/token-cache.ts': 'whether the token has been verified before',
  'adapters/http/bytes/file-query.ts': 'which rendition is meant, or none',
  'adapters/http/bytes/serve-image-file.ts': 'original or rendition, whole or part',
  'adapters/http/create-app.ts': 'scope, space and the read-only state',
  'adapters/http/request/body-timeout.ts': 'whether the client stalls',
  'adapters/http/request/validators.ts': '304 and 412',
  'adapters/http/request/leaving-of.ts': 'whether the work goes on without the client',
  'adapters/http/request/read-query.ts': 'whether the query is valid',
  'adapters/http/request/receive-json.ts': 'whether the body has an encoding',
  'adapters/http/route/path-parameters.ts': 'whether the id is one',
  'adapters/http/server/create-server.ts': 'hosts, and the form of the address',
  'adapters/http/upload/receive-file.ts': 'whether the form has one file within its limit',
  'adapters/http/upload/receive-upload.ts': 'admission, headers and digest',
  'adapters/http/upload/upload-form.ts': 'which part is the file',
  'adapters/http/upload/upload-image.ts': 'whether the idempotency key and the ticket fit',
  'adapters/memory/recent-renditions.ts': 'whether the rendition is in memory',
  'adapters/sql/database/require-schema.ts': 'whether a later version has migrated the catalog',
  'adapters/sql/records/image-recorder.ts': 'names, limits and claims',
  'application/concurrency/bounded-wait.ts': 'how long a request waits',
  'application/concurrency/fair-queue.ts': 'who waits, and who holds too much',
  'application/files/open-rendition.ts': 'cached or encoded',
  'application/upload/prerender-uploads.ts': 'whether first views are made',
  'application/upload/upload-image.ts': 'what is stored, and removed after a failure',
  'domain/image/accepted-type-of.ts': 'whether the kind is accepted',
  'domain/image/check-decode-limits.ts': 'whether the picture is too large',
  'domain/image/found-image.ts': '404',
  'domain/image/image-metadata.ts': 'whether the metadata is valid',
  'domain/image/parse-original-name.ts': 'whether the name is valid',
  'domain/image/rendition.ts': 'which rendition an image can have',
};

/** Those that compute, convert, forward, store or count. */
const OTHERS: readonly string[] = [
  'adapters/decoder/decode-bounds.ts',
  'adapters/decoder/decoder-time.ts',
  'adapters/decoder/frame-reader.ts',
  'adapters/decoder/idle-bounds.ts',
  'adapters/decoder/job-input.ts',
  'adapters/decoder/open-picture.ts',
  'adapters/decoder/process-usage.ts',
  'adapters/filesystem/directory-syncs.ts',
  'adapters/filesystem/translating-file-system-errors.ts',
  'adapters/filesystem/filesystem-blob-store.ts',
  'adapters/filesystem/filesystem-staging-area.ts',
  'adapters/filesystem/walk-shards.ts',
  'adapters/filesystem/sync-descriptor.ts',
  'adapters/filesystem/sync-path.ts',
  'adapters/http/bytes/get-image-file.ts',
  'adapters/http/bytes/serve-file.ts',
  'adapters/http/record/image-view.ts',
  'adapters/http/middleware/identify-request.ts',
  'adapters/http/middleware/report-requests.ts',
  'adapters/http/middleware/respond-to-errors.ts',
  'adapters/http/middleware/route-table.ts',
  'adapters/http/response/send-json.ts',
  'adapters/http/response/send-reply.ts',
  'adapters/http/telemetry/requests-under-way.ts',
  'adapters/http/upload/freeing-chunks.ts',
  'adapters/prometheus/call-metrics.ts',
  'adapters/prometheus/duration-histogram.ts',
  'adapters/prometheus/duration-series.ts',
  'adapters/prometheus/request-metrics.ts',
  'adapters/prometheus/service-metrics.ts',
  'adapters/sql/changes/record-changes.ts',
  'adapters/sql/database/catalog-database.ts',
  'adapters/sql/database/dialect-of.ts',
  'adapters/sql/database/group-commit.ts',
  'adapters/sql/database/reads-of-one-turn.ts',
  'adapters/sql/database/sql-fragment.ts',
  'adapters/sql/rows/image-columns.ts',
  'adapters/sql/records/objection-image-repository.ts',
  'adapters/sql/rows/space-row.ts',
  'adapters/sql/search/indexed-terms.ts',
  'adapters/sql/rows/metadata-row.ts',
  'adapters/sql/search/search-index.ts',
  'adapters/sql/rows/hash-row.ts',
  'adapters/sql/sqlite/all-rows.ts',
  'adapters/sql/sqlite/keep-prepared.ts',
  'adapters/sql/sqlite/sqlite-dialect.ts',
  'adapters/sql/sqlite/sqlite-prepared-reads.ts',
  'adapters/system/random-uuids.ts',
  'adapters/system/system-clock.ts',
  'adapters/system/system-timer.ts',
  'application/upload/upload-slots.ts',
  'decoder/protocol.ts',
  'domain/image/bit-count.ts',
  'domain/image/decode-excess.ts',
  'domain/image/original-file-name.ts',
  'domain/image/summary-of.ts',
  'domain/image/image-hashes.ts',
  'domain/image/media-type-of.ts',
  'domain/image/patch-metadata.ts',
  'domain/image/searchable-texts.ts',
  'domain/image/time/calendar.ts',
  'domain/image/utf8-length.ts',
  'domain/image/words/tags.ts',
  'domain/ports/bytes/readable-bytes.ts',
  'domain/space/is-within.ts',
  'infrastructure/bindings/watch-ports.ts',
  'infrastructure/start/create-log.ts',
];

/** The stations on the way of some requests, by the functions that run for each. */
export function stationsOf(functions: readonly string[]): ReadonlySet<string> {
  return new Set(functions.map((one) => one.slice(0, one.indexOf(' '))));
}

/** The stations that are not judged, and those that are listed but not on the way. */
export function stationFaults(requests: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const listed = new Set([...Object.keys(DECISIONS), ...OTHERS]);
  const stations = stationsOf(JUDGED_REQUESTS.flatMap((name) => requests.get(name) ?? []));
  return [
    ...[...stations].filter((file) => !listed.has(file)).map((file) => `station not judged: ${file}`),
    ...[...listed].filter((file) => !stations.has(file)).map((file) => `station not on the way: ${file}`),
  ];
}
