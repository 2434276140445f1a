import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listen } from './listen.ts';

/**
 * Baseline of a durable write: the body as it is sent → temporary file, fsync, rename, fsync of the folder. It is not
 * parsed, hashed, decoded or recorded. Argument: the folder.
 */
const [folder = '.'] = process.argv.slice(2);

listen((request, response) => {
  store(request).then(
    () => response.writeHead(201).end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

async function store(request: IncomingMessage): Promise<void> {
  const path = join(folder, randomUUID());
  await pipeline(request, createWriteStream(`${path}.part`, { flush: true }));
  await rename(`${path}.part`, path);
  const directory = await open(folder);
  await directory.sync();
  await directory.close();
}
