import sharp from 'sharp';

/**
 * The limit of a rendition: sharp alone, with the settings of the service. `argv`: how many at a time, then the originals.
 * Prints how long they took and the CPU time, in ms.
 */
const [concurrency = '1', ...paths] = process.argv.slice(2);

sharp.cache(false);
sharp.concurrency(1);

async function render(path: string): Promise<Buffer> {
  return await sharp(path, { failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: 320 })
    .toColourspace('srgb')
    .webp({ quality: 75 })
    .toBuffer();
}

async function work(queue: string[]): Promise<void> {
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) await render(path);
}

await render(paths[0] ?? ''); // The first one also loads and warms up the library.
const cpu = process.cpuUsage();
const begun = performance.now();
const queue = [...paths];
await Promise.all(Array.from({ length: Number(concurrency) }, () => work(queue)));
const elapsedMs = performance.now() - begun;
const { user, system } = process.cpuUsage(cpu);
console.log(
  JSON.stringify({
    renditions: paths.length,
    elapsedMs,
    cpuMs: (user + system) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  }),
);
