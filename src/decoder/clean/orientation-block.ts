/** EXIF that tells the orientation alone: big-endian, a directory of one entry, a SHORT (CIPA DC-008, 4.6.2). */
export function orientationBlock(orientation: number): Buffer {
  const block = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  block.writeUInt16BE(orientation, 18);
  return block;
}
