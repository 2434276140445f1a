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
 * WAL/FULL. Arguments: the data folder, and `--decode` for one shrink-on-load decode by sharp before the fsync.
 */
const [folder = '.', flag] = process.argv.slice(2);

sharp.cache(false);
sharp.concurrency(1);

const database = new sqlite3.Database(join(folder, 'bare.sqlite'));
database.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists images (id integer primary key autoincrement, uuid text, size integer, sha256 text)`);

listen((request, response) => {
  receive(request).then(
    (record) => respond(response, 201, record),
    (error: unknown) => respond(response, 500, { message: String(error) }),
  );
});

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

async function receive(request: IncomingMessage): Promise<object> {
  const uuid = randomUUID();
  const temporary = join(folder, `${uuid}.part`);
  const { size, sha256 } = await writeFile(request, temporary);
  if (flag === '--decode') await decode(temporary);
  await sync(await open(temporary, 'r+'));
  await rename(temporary, join(folder, uuid));
  await sync(await open(folder));
  return { id: await insert(uuid, size, sha256), uuid, size, sha256 };
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
