import sqlite3 from 'sqlite3';
import { listen } from './listen.ts';

/** Baseline of a record: one prepared statement, and its row as JSON. Argument: the path of `catalog.sqlite`. */
const database = new sqlite3.Database(process.argv[2] ?? '', sqlite3.OPEN_READONLY);
const select = database.prepare('select * from images where id = ?');

listen((request, response) => {
  const id = Number(request.url?.split('/').at(-1));
  select.get(id, (error: Error | null, row: unknown) => {
    const body = JSON.stringify(row ?? { message: error?.message });
    response.writeHead(row === undefined ? 404 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
