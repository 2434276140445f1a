import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import sqlite3 from 'sqlite3';
import { stringify } from 'uuid';
import { listen } from './listen.ts';

/** Baseline of a full listing: a keyset loop that writes the JSON of the service. Argument: the path of `catalog.sqlite`. */
const database = new sqlite3.Database(process.argv[2] ?? '', sqlite3.OPEN_READONLY);
const select = database.prepare(
  'select * from images join image_metadata on image_id = id where id > ? order by id limit 500',
);
const kinds = ['', 'image/jpeg', 'image/png', 'image/webp', 'image/gif'];
const widths = [16, 32, 48, 64, 96, 128, 256, 320, 384, 480, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];

interface Row {
  readonly id: number;
  readonly blob_uuid: Buffer;
  readonly original_name: string;
  readonly media_type: number;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly frames: number | null;
  readonly sha256: Buffer;
  readonly thumbhash_bytes: Buffer;
  readonly created_at: number;
  readonly created_by: string | null;
  readonly title: string | null;
  readonly tags: string | null;
  readonly taken_at: string | null;
}

listen((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  void writeAll(response);
});

async function writeAll(response: ServerResponse): Promise<void> {
  let separator = '[';
  for (let rows = await page(0); rows.length > 0; rows = await page(rows.at(-1)?.id ?? 0)) {
    if (!response.write(separator + rows.map(json).join(','))) await once(response, 'drain');
    separator = ',';
  }
  response.end(']');
}

async function page(after: number): Promise<readonly Row[]> {
  return await new Promise((resolve, reject) => {
    select.all([after], (error: Error | null, rows: Row[]) =>
      error === null ? resolve(rows) : reject(error),
    );
  });
}

function json(row: Row): string {
  const self = `/api/image/${row.id}`;
  const file = `${self}/file`;
  return JSON.stringify({
    id: row.id,
    filename: `${stringify(row.blob_uuid)}-${row.original_name}`,
    originalName: row.original_name,
    mediaType: kinds[row.media_type],
    size: row.size,
    width: row.width,
    height: row.height,
    frames: row.frames ?? 1,
    sha256: row.sha256.toString('hex'),
    thumbhash: row.thumbhash_bytes.toString('base64'),
    createdAt: new Date(row.created_at).toISOString(),
    title: row.title,
    tags: JSON.parse(row.tags ?? '[]'),
    takenAt: row.taken_at,
    createdBy: row.created_by,
    links: {
      self,
      file,
      metadata: `${self}/metadata`,
      similar: `${self}/similar`,
      renditions: { template: `${file}{?width,height,fit,format,quality}`, widths },
    },
  });
}
