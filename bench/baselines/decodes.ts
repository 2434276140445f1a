import sharp from 'sharp';

/**
 * Baseline of an inspection: sharp alone decodes a file again and again. Arguments: the side in pixels, the concurrency,
 * the seconds, the path. Prints the number of decodes and the CPU time in ms.
 */
const [side = '1', concurrency = '1', seconds = '1', path = ''] = process.argv.slice(2);

sharp.cache(false);
sharp.concurrency(1);

async function decode(): Promise<void> {
  await sharp(path, { failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize(Number(side), Number(side), { fit: 'inside' })
    .raw()
    .toBuffer();
}

let decodes = 0;

async function decodeUntil(end: number): Promise<void> {
  for (; performance.now() < end; decodes += 1) await decode();
}

await decode(); // A warm-up: the first decode also loads the library.
const cpu = process.cpuUsage();
const end = performance.now() + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(concurrency) }, () => decodeUntil(end)));
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ decodes, cpuMs: (user + system) / 1000 }));
