import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { withSegments } from '../support/fixtures/embedded-chunks.ts';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { jpegSegment } from '../support/fixtures/raw-pictures.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { pathOf, WITH_WEB } from '../support/servers/signed-links.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const MIB = 1024 * 1024;
const IMAGES = 6;
const SIZE = { width: 2_200, height: 1_600 };
/** Each makes another rendition of about 10 MiB of the whole image. */
const WHOLE = ['width=3840', 'height=3840', 'width=3840&height=3840', 'width=3840&height=2048'];
const READERS_OF_OTHERS = 2;
/** What a response may hold, and what the readers hold together beyond it: code, buffers of encodes, garbage. */
const BYTES_OF_READER = MIB;
const SLACK_BYTES = 90 * MIB;

interface Reader {
  readonly port: number;
  readonly request: string;
}

let catalog: RunningCatalog;
/** Undoes what `break` of a cache has done to the machine. */
let mend: () => Promise<void> = async () => {};

async function portOf(message: string): Promise<number> {
  return await catalog.process.line((line) => {
    const { msg, port } = JSON.parse(line) as { readonly msg: string; readonly port?: number };
    return msg === message ? port : undefined;
  });
}

async function noise(): Promise<Buffer> {
  const raw = { ...SIZE, channels: 3 as const };
  return await sharp(randomBytes(SIZE.width * SIZE.height * 3), { raw })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

async function upload(bytes: Buffer): Promise<number> {
  return uploadedId(await catalog.client().upload(new Uint8Array(bytes), 'noise.jpg'));
}

/** With more parts than a list of parts may have. */
function withManyParts(jpeg: Buffer): Buffer {
  const parts = [jpegSegment(0xdd, Buffer.alloc(2)), jpegSegment(0xfe, Buffer.from('a comment'))];
  return withSegments(
    jpeg,
    Array.from({ length: 1_500 }, () => Buffer.concat(parts)),
  );
}

function bearer(): Readonly<Record<string, string>> {
  return { Authorization: catalog.bearer };
}

function post(path: string, body: object): string {
  const text = JSON.stringify(body);
  const headers = { ...bearer(), 'Content-Type': 'application/json', 'Content-Length': text.length };
  return requestHead('POST', path, headers) + text;
}

async function linkedPaths(ids: readonly number[]): Promise<readonly string[]> {
  const renditions = [{ format: 'png', width: 2_048 }, { metadata: 'none' }, {}];
  const body = JSON.stringify({ ids, renditions, page: { title: 'Noise' } });
  const headers = { 'content-type': 'application/json' };
  const response = await catalog.request('api/images/links', { method: 'POST', body, headers });
  const links = (await response.json()) as {
    readonly images: Readonly<Record<string, readonly string[]>>;
    readonly page: string;
  };
  return [...Object.values(links.images).flat(), links.page].map(pathOf);
}

/** A reader of each kind of response with a body, on each listener. */
async function readersOf(ids: readonly number[], many: number): Promise<readonly Reader[]> {
  const [web, management] = [await portOf('web listening'), await portOf('management listening')];
  const api = (path: string): Reader => ({ port: catalog.port, request: requestHead('GET', path, bearer()) });
  const open = (port: number, path: string): Reader => ({ port, request: requestHead('GET', path) });
  const [id] = ids;
  const others = [
    `/api/image/${id}/file`,
    `/api/image/${id}/file?metadata=none`,
    `/api/image/${many}/file?metadata=none`,
    '/',
    '/api/images',
    '/api/images?limit=1000',
    '/api/openapi.json',
    '/api/changes',
    '/api/tags',
    `/api/image/${id}`,
    `/api/image/${id}/metadata`,
    '/api/names',
    '/api/trash',
    '/api/usage',
    '/nowhere',
  ].map(api);
  const archive = { port: catalog.port, request: post('/api/images/archive', { ids }) };
  const ofWeb = ['/', '/config.json', '/openapi.json', ...(await linkedPaths(ids.slice(0, 1)))];
  const ofManagement = ['/livez', '/readyz', '/metrics', '/openapi.json'];
  return [
    ...ids.flatMap((each) => WHOLE.map((size) => api(`/api/image/${each}/file?format=png&${size}`))),
    // A subject may receive two archives at a time.
    archive,
    archive,
    ...Array.from({ length: READERS_OF_OTHERS }, () => [
      ...others,
      ...ofWeb.map((path) => open(web, path)),
      ...ofManagement.map((path) => open(management, path)),
    ]).flat(),
  ];
}

/** The present memory of the service without its decoders, in bytes. */
function memory(): number {
  catalog.forgetPeakRss();
  return catalog.ownPeakRss();
}

/** Connects, and reads nothing but the first bytes of the response. */
async function stall({ port, request }: Reader): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connection.send(request);
  await connection.begun();
  expect(connection.pending.slice(9, 12), request).to.match(/^(200|404)$/);
  return connection;
}

const CACHES: Readonly<Record<string, { env?: Record<string, string>; break?: () => Promise<void> }>> = {
  'that works': {},
  'that may hold nothing': { env: { RENDITION_CACHE_MAX_BYTES: '0' } },
  'that cannot be read or written': { break: unreadable },
  'on a full disk': { break: full },
};

/** Files in place of all folders of the cache: root can read and write anything else. */
async function unreadable(): Promise<void> {
  await rm(catalog.paths.renditions, { recursive: true, force: true });
  await mkdir(catalog.paths.renditions, { recursive: true });
  for (let shard = 0; shard < 256; shard += 1) {
    await writeFile(join(catalog.paths.renditions, shard.toString(16).padStart(2, '0')), '');
  }
}

async function full(): Promise<void> {
  await mkdir(catalog.paths.renditions, { recursive: true });
  const args = ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', catalog.paths.renditions];
  if (spawnSync('mount', args).status !== 0) throw new Error('cannot mount');
  mend = async () => void spawnSync('umount', ['-l', catalog.paths.renditions]);
}

function mayMount(): boolean {
  return (
    process.getuid?.() === 0 &&
    spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
  );
}

for (const [name, cache] of Object.entries(CACHES)) {
  describe(`readers that read nothing, of a service with a cache of renditions ${name}`, () => {
    let connections: readonly RawConnection[] = [];

    before(async function () {
      if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
      if (cache.break === full && !mayMount()) skipAloud(this, 'this user may not mount a file system');
      const env = { ...WITH_WEB, MANAGEMENT_PORT: '0', ...cache.env };
      catalog = await RunningCatalog.start({ env });
    });

    after(async () => {
      for (const connection of connections) connection.close();
      await mend();
      mend = async () => {};
      await catalog?.stop();
    });

    it('hold at most 1 MiB each, and nothing when they have left', async () => {
      const ids: number[] = [];
      for (let image = 0; image < IMAGES; image += 1) {
        ids.push(await upload(withExif(await noise(), exifBlock({ image: { 0x010e: 'noise' } }))));
      }
      const many = await upload(withManyParts(await noise()));
      await cache.break?.();
      const readers = await readersOf(ids, many);
      const files = await catalog.quietOpenFiles();
      const before = memory();
      const stalled: RawConnection[] = [];
      connections = stalled;
      for (const reader of readers) stalled.push(await stall(reader));
      const growth = memory() - before;
      console.log(`      ${readers.length} readers, ${Math.round(growth / MIB)} MiB`);
      expect(growth).to.be.below(readers.length * BYTES_OF_READER + SLACK_BYTES);
      for (const connection of stalled) connection.close();
      await eventually(
        () => catalog.openFiles(),
        (open) => open <= files + 4,
      );
      expect(catalog.errors()).to.deep.equal([]);
    });
  });
}
