import { open } from 'node:fs/promises';
import { listen } from './listen.ts';

/** Baseline of a file: open, fstat, one read, send. Argument: the path. */
const path = process.argv[2] ?? '';

async function readWhole(): Promise<Buffer> {
  const file = await open(path);
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, 0);
  await file.close();
  return buffer;
}

listen((_request, response) => {
  void readWhole().then((bytes) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length });
    response.end(bytes);
  });
});
