import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import sqlite3 from 'sqlite3';
import { listen } from './listen.ts';

/**
 * Baseline of a durable upload: busboy → temporary file and SHA-256, fsync, rename, fsync of the folder, insert in
 * WAL/FULL. Arguments: the data folder, and `--decode` for one shrink-on-load decode by sharp before the fsync, or
 * `--render` for one that also makes a WebP, which each GET of the image then gets from memory.
 */
const [folder = '.', flag] = process.argv.slice(2);

sharp.cache(false);
sharp.concurrency(1);

const database = new sqlite3.Database(join(folder, 'bare.sqlite'));
database.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists images (id integer primary key autoincrement, uuid text, size integer, sha256 text)`);

const renditions = new Map<string, Buffer>();

listen((request, response) => {
  if (request.method === 'GET') {
    sendRendition(request, response);
    return;
  }
  receive(request).then(
    (record) => respond(response, 201, record, { location: `/api/image/${record.id}` }),
    (error: unknown) => respond(response, 500, { message: String(error) }),
  );
});

function respond(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body));
}

/** Once, so that the memory does not grow with the run. */
function sendRendition({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const path = url.replace(/\/file\?.*$/, '');
  const rendition = renditions.get(path);
  renditions.delete(path);
  if (rendition === undefined) return respond(response, 404, {});
  response
    .writeHead(200, { 'content-type': 'image/webp', 'content-length': rendition.length })
    .end(rendition);
}

interface StoredFile {
  readonly id: number;
  readonly uuid: string;
  readonly size: number;
  readonly sha256: string;
}

async function receive(request: IncomingMessage): Promise<StoredFile> {
  const uuid = randomUUID();
  const temporary = join(folder, `${uuid}.part`);
  const { size, sha256 } = await writeFile(request, temporary);
  if (flag === '--decode') await decode(temporary);
  const rendition = flag === '--render' ? await render(temporary) : undefined;
  await sync(await open(temporary, 'r+'));
  await rename(temporary, join(folder, uuid));
  await sync(await open(folder));
  const id = await insert(uuid, size, sha256);
  if (rendition !== undefined) renditions.set(`/api/image/${id}`, rendition);
  return { id, uuid, size, sha256 };
}

/** busboy is a dependency of multer, which the service uses. Its types are not installed. */
type Busboy = (options: { readonly headers: IncomingHttpHeaders }) => Writable;
const busboy = createRequire(createRequire(import.meta.url).resolve('multer'))('busboy') as Busboy;

async function writeFile(request: IncomingMessage, path: string): Promise<{ size: number; sha256: string }> {
  const parser = busboy({ headers: request.headers });
  const hash = createHash('sha256');
  const file = createWriteStream(path);
  parser.once('file', (_name: string, part: Readable) => {
    part.on('data', (chunk: Buffer) => hash.update(chunk));
    part.pipe(file);
  });
  await Promise.all([pipeline(request, parser), finished(file)]);
  return { size: file.bytesWritten, sha256: hash.digest('hex') };
}

async function decode(path: string): Promise<void> {
  await sharp(path, { failOn: 'error', sequentialRead: true })
    .resize(100, 100, { fit: 'inside' })
    .raw()
    .toBuffer();
}

async function render(path: string): Promise<Buffer> {
  return await sharp(path, { failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: 320 })
    .toColourspace('srgb')
    .webp({ quality: 75 })
    .toBuffer();
}

async function sync(handle: FileHandle): Promise<void> {
  await handle.sync();
  await handle.close();
}

const statement = database.prepare('insert into images (uuid, size, sha256) values (?, ?, ?)');

async function insert(uuid: string, size: number, sha256: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    statement.run([uuid, size, sha256], function inserted(error) {
      if (error === null) resolve(this.lastID);
      else reject(error);
    });
  });
}
