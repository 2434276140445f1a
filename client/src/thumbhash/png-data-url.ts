/** W3C PNG, 5.2 */
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** RFC 1950, and RFC 1951, section 3.2.4: the only block is stored. */
const ZLIB_HEADER = [0x78, 0x01, 0x01];

/** Not compressed, so it needs no library. @param pixels red, green, blue and alpha of at most 65,535 bytes */
export function pngDataUrl(width: number, height: number, pixels: Uint8ClampedArray): string {
  const rows = Array.from({ length: height }, (_, row) => [
    0, // no filter
    ...pixels.subarray(row * width * 4, (row + 1) * width * 4),
  ]);
  const bytes = [
    ...SIGNATURE,
    // 8 bits per channel, RGBA
    ...chunk('IHDR', [...uint32(width), ...uint32(height), 8, 6, 0, 0, 0]),
    ...chunk('IDAT', storeInZlib(rows.flat())),
    ...chunk('IEND', []),
  ];
  return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
}

function chunk(type: string, data: readonly number[]): readonly number[] {
  const body = [...Array.from(type, (character) => character.charCodeAt(0)), ...data];
  return [...uint32(data.length), ...body, ...uint32(crc32(body))];
}

function storeInZlib(data: readonly number[]): readonly number[] {
  const { length } = data;
  return [...ZLIB_HEADER, ...uint16(length), ...uint16(~length), ...data, ...uint32(adler32(data))];
}

/** Little-endian, as in zlib. */
function uint16(value: number): readonly number[] {
  return [value & 255, (value >> 8) & 255];
}

/** Big-endian, as in PNG. */
function uint32(value: number): readonly number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
}

function crc32(bytes: readonly number[]): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

function adler32(bytes: readonly number[]): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}
