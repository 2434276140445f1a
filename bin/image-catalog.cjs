#!/usr/bin/env node
// The entry of the service. It is CommonJS because the size of the thread pool must be set first: libuv reads it at the
// first use of the pool, and loading an ES module is such a use.
//
// Decoding or encoding a picture occupies a thread of that pool until it ends. With Node's default of four threads a few
// pictures would block all file access and all statements of the database.
const { availableParallelism } = require('node:os');
const { setFlagsFromString } = require('node:v8');

const THREADS_FOR_FILES_AND_DATABASE = 8;
// Inspections of uploads and renditions, up to RENDITION_CONCURRENCY of each: by default one more than there are cores.
const pictures = 2 * Number(process.env.RENDITION_CONCURRENCY || availableParallelism() + 1);

process.env.UV_THREADPOOL_SIZE ??= String(Math.min(1024, pictures + THREADS_FOR_FILES_AND_DATABASE));

// If most objects of one literal are alive at a collection, V8 allocates later ones as long-lived, and only a full
// collection frees them. The first batch of a listing causes this: in about every third process a listing of a million
// then took 65 MB more.
setFlagsFromString('--no-allocation-site-pretenuring');

// After it is loaded, sharp handles the warnings of libvips, so that none reaches stderr. While it loads, libvips itself
// prints a warning about a value above 1024 here. The service always uses one thread for each picture.
process.env.VIPS_CONCURRENCY = '1';

// Stack traces name the sources. The build makes the maps.
process.setSourceMapsEnabled(true);

if (process.argv[2] === '--version') console.log(require('../package.json').version);
else void import('../dist/main.js');
