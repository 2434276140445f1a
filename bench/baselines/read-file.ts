import { readFile } from 'node:fs/promises';
import { listen } from './listen.ts';

/** Baseline of many files: `readFile`, send. Arguments: the paths; `/0` is the first one. */
const paths = process.argv.slice(2);

listen((request, response) => {
  void readFile(paths[Number(request.url?.slice(1))] ?? '').then((bytes) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length });
    response.end(bytes);
  });
});
