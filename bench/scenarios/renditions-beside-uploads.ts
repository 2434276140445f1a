import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { FORM_TYPE, filePart, multipart } from '../../test/support/fixtures/multipart.ts';
import { makePhoto, type Photo, type PhotoShape, stamp } from '../support/make-photos.ts';
import { otherBuild } from '../support/other-build.ts';
import type { Note, Outcome, Scenario } from '../support/scenario.ts';
import { type Server, WITHOUT_PRERENDERING } from '../support/server.ts';
import { percentile } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const SHAPES = {
  '0.64 MB': { width: 2000, height: 1500, bytes: 640_000 },
  '3.3 MB': { width: 4000, height: 3000, bytes: 3_300_000 },
} as const satisfies Record<string, PhotoShape>;

/** Uploads at a time, and how many subjects share them. */
const LOADS = [
  [8, 1],
  [16, 1],
  [30, 1],
  [8, 4],
  [16, 4],
  [30, 4],
  [56, 4],
] as const;

const VIEWERS = 4;
/** Pictures of 12 megapixels, each of which has many renditions of 320 pixels. */
const PICTURES = 40;
const QUALITIES = Array.from({ length: 20 }, (_, index) => 5 * (index + 1));
const FORMATS = ['webp', 'jpeg'];
const HEIGHTS = [256, 320, 384, 480, 640, 750, 828, 1080];

/** After a response without success. */
const PAUSE_MS = 200;

/** Renditions that are not cached, beside uploads: does either keep the decoders from the other? */
export const renditionsBesideUploads: Scenario = { name: 'renditions-beside-uploads', isQuick: false, run };

async function run(bench: Workbench): Promise<Outcome> {
  const { against } = bench.options;
  const project = against === undefined ? {} : { project: await otherBuild(against) };
  const notes: Note[] = [];
  for (const env of [{ DECODERS: '2' }, {}]) {
    const server = await bench.startService(await bench.makeFolder('service'), {
      env: { ...WITHOUT_PRERENDERING, ...env },
      ...project,
    });
    await bench.upload(server, '3MB', PICTURES);
    const views = urlsOfViews();
    const alone = await inTime(bench, () => view(bench, server, views));
    notes.push(...notesOf(`${decodersOf(env)}, no uploads`, alone));
    for (const [size, shape] of Object.entries(SHAPES)) {
      const photo = await makePhoto(shape);
      for (const [clients, subjects] of LOADS) {
        const what = `${decodersOf(env)}, ${clients} uploads of ${size} of ${subjects === 1 ? 'one' : 'four'}`;
        notes.push(...(await compareUploads(bench, server, { what, photo, clients, subjects, views })));
      }
    }
    await server.stop();
  }
  return { notes };
}

function decodersOf({ DECODERS = 'all' }: { readonly DECODERS?: string }): string {
  return `${DECODERS} decoders`;
}

interface UploadLoad {
  readonly what: string;
  readonly photo: Photo;
  readonly clients: number;
  readonly subjects: number;
  readonly views: Iterator<string>;
}

async function compareUploads(
  bench: Workbench,
  server: Server,
  { what, photo, clients, subjects, views }: UploadLoad,
): Promise<readonly Note[]> {
  const uploads = (): Promise<Results> => upload(bench, server, photo, clients, subjects);
  const without = await inTime(bench, uploads);
  const [beside, seen] = await Promise.all([
    inTime(bench, uploads, 4),
    inTime(bench, () => view(bench, server, views), 4),
  ]);
  return [
    ...notesOf(what, seen),
    { what: `${what}: uploads without renditions`, measured: without.perSecond, unit: '/s' },
    { what: `${what}: uploads beside them`, measured: beside.perSecond / without.perSecond, unit: '' },
    { what: `${what}: uploads not 201`, measured: beside.refused + without.refused, unit: 'responses' },
  ];
}

interface Results {
  /** Calls the work of each client again and again, until the time is over. */
  readonly clients: ReadonlyArray<() => Promise<number>>;
  readonly good: number;
  readonly close: () => Promise<void>;
}

interface Measured {
  readonly latencies: readonly number[];
  readonly perSecond: number;
  readonly refused: number;
}

async function inTime(bench: Workbench, start: () => Promise<Results>, factor = 1): Promise<Measured> {
  const { clients, good, close } = await start();
  const latencies: number[] = [];
  let refused = 0;
  const begun = performance.now();
  const end = begun + factor * bench.seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const since = performance.now();
        const status = await client();
        if (status === good) latencies.push(performance.now() - since);
        else {
          refused += 1;
          await sleep(PAUSE_MS);
        }
      }
    }),
  );
  await close();
  return { latencies, refused, perSecond: (1000 * latencies.length) / (performance.now() - begun) };
}

function notesOf(what: string, { latencies, refused }: Measured): readonly Note[] {
  return [
    ...[0.5, 0.95, 0.99].map((part) => ({
      what: `${what}: renditions p${100 * part}`,
      measured: percentile(latencies, part),
      unit: 'ms',
    })),
    { what: `${what}: renditions refused`, measured: refused, unit: 'responses' },
  ];
}

let serial = 0;

async function upload(
  bench: Workbench,
  { url }: Server,
  { bytes, serialAt }: Photo,
  clients: number,
  subjects: number,
): Promise<Results> {
  const pool = new Pool(url, { connections: clients });
  const tokens = bench.authorizationsOf(subjects);
  const uploading = Array.from({ length: clients }, (_, index) => async () => {
    const copy = Buffer.from(bytes);
    stamp(copy, serialAt, (serial += 1));
    const { statusCode, body } = await pool.request({
      path: '/api/upload',
      method: 'POST',
      headers: { ...tokens[index % subjects], 'content-type': FORM_TYPE },
      body: multipart([filePart(copy)]),
    });
    await body.dump();
    return statusCode;
  });
  return { clients: uploading, good: 201, close: () => pool.close() };
}

async function view(bench: Workbench, { url }: Server, views: Iterator<string>): Promise<Results> {
  const pool = new Pool(url, { connections: VIEWERS });
  const viewing = Array.from({ length: VIEWERS }, () => async () => {
    const { value: path } = views.next() as IteratorYieldResult<string>;
    const { statusCode, body } = await pool.request({
      path,
      method: 'GET',
      headers: bench.otherAuthorization,
    });
    await body.dump();
    return statusCode;
  });
  return { clients: viewing, good: 200, close: () => pool.close() };
}

/** All of them have the same width: none is in the cache until all others are. */
function* urlsOfViews(): Generator<string> {
  for (const height of HEIGHTS) {
    for (const quality of QUALITIES) {
      for (const format of FORMATS) {
        for (let id = 1; id <= PICTURES; id += 1) {
          yield `/api/image/${id}/file?width=320&height=${height}&format=${format}&quality=${quality}`;
        }
      }
    }
  }
}
