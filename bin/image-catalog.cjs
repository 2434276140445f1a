#!/usr/bin/env node
// The entry of the service. It is CommonJS because the size of the thread pool must be set first: libuv reads it at the
// first use of the pool, and loading an ES module is such a use.
//
// Its syntax is that of old versions of Node.js: they get a sentence instead of a SyntaxError.
require('./require-node.cjs');

const { enableCompileCache } = require('node:module');
const { setFlagsFromString } = require('node:v8');

// Files and statements of the database take a thread each. A slow search holds one for seconds.
if (process.env.UV_THREADPOOL_SIZE === undefined) process.env.UV_THREADPOOL_SIZE = '16';

// If most objects of one literal are alive at a collection, V8 allocates later ones as long-lived, and only a full
// collection frees them. The first batch of a listing causes this: in about every third process a listing of a million
// then took 65 MB more.
setFlagsFromString('--no-allocation-site-pretenuring');

// Node.js 22.8 and later keep compiled code beside its source, if this user may write there. In a folder that the service may
// write and its code is not in, files that others put there would become code.
if (enableCompileCache !== undefined) enableCompileCache(`${__dirname}/../dist/compile-cache`);

// Stack traces name the sources. The build makes the maps. Node.js itself would read each map with its chunk.
Error.prepareStackTrace = (error, frames) => require('./mapped-stack.cjs')(error, frames);

if (process.argv[2] === '--version') console.log(require('../package.json').version);
else void import('../dist/main.js');
