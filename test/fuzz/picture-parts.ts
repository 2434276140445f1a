/** Of a JPEG its segments, and scans with their data; of a PNG its chunks, the first behind the signature. What ends the file is missing. */
export function pictureParts(format: 'jpeg' | 'png', file: Buffer): readonly Buffer[] {
  return format === 'jpeg' ? jpegParts(file) : pngParts(file);
}

function jpegParts(file: Buffer): readonly Buffer[] {
  const parts = [file.subarray(0, 2)];
  for (let at = 2; file[at + 1] !== 0xd9; ) {
    let end = at + 2 + file.readUInt16BE(at + 2);
    if (file[at + 1] === 0xda) while (file[end] !== 0xff || file[end + 1] === 0) end += 1;
    parts.push(file.subarray(at, end));
    at = end;
  }
  return parts;
}

function pngParts(file: Buffer): readonly Buffer[] {
  const parts = [file.subarray(0, 33)];
  for (let at = 33; at < file.length - 12; ) {
    const end = at + 12 + file.readUInt32BE(at);
    parts.push(file.subarray(at, end));
    at = end;
  }
  return parts;
}
