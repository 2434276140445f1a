// Runs the built client under any version of Node.js: PICTURE is a file, TOKENS a JSON array.
import { readFile } from 'node:fs/promises';
import * as client from '@image-catalog/client';
import { roundTrip } from './round-trip.mjs';

const { SERVICE_URL: url, TOKENS = '[]', PICTURE = '' } = process.env;
const picture = new Blob([await readFile(PICTURE)]);
const facts = await roundTrip(client, { url, tokens: JSON.parse(TOKENS), picture });
console.log(JSON.stringify({ node: process.versions.node.split('.')[0], ...facts }));
