#!/usr/bin/env node
// The entry of the service. CommonJS because of what must be done before anything else: libuv reads the size of
// its thread pool at first use, and loading an ES module is such a use.
//
// Decoding and encoding pictures holds a thread of that pool for as long as it takes. With Node's four threads a few
// pictures would keep every file and every statement of the database waiting.
const { availableParallelism } = require('node:os');
const { setFlagsFromString } = require('node:v8');

const THREADS_FOR_FILES_AND_DATABASE = 8;
// Uploads being inspected and renditions being made, each as many as RENDITION_CONCURRENCY says: by default one more than there are cores.
const pictures = 2 * Number(process.env.RENDITION_CONCURRENCY || availableParallelism() + 1);

process.env.UV_THREADPOOL_SIZE ??= String(Math.min(1024, pictures + THREADS_FOR_FILES_AND_DATABASE));

// Where V8 finds most objects of one literal alive at a collection, it takes those to come for long-lived and puts them
// where only a full collection finds them. The first batch of a listing is enough for that: in about every third process a
// listing of a million then took 65 MB more.
setFlagsFromString('--no-allocation-site-pretenuring');

// sharp takes the warnings of libvips over once it is loaded, so that none reaches stderr. While it loads, libvips itself
// prints a warning about a value above 1024 here. The service uses one thread for each picture in any case.
process.env.VIPS_CONCURRENCY = '1';

void import('../dist/src/infrastructure/main.js');
