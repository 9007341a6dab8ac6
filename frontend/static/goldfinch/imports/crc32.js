// CRC-32 as zlib computes it: of `bytes`, continuing from the checksum of what came before. Web Crypto can't continue a
// hash, and is missing on pages without HTTPS.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** @param {Uint8Array} bytes */
export function crc32(bytes, before = 0) {
  let rest = ~before;
  for (let at = 0; at < bytes.length; at += 1) rest = TABLE[(rest ^ bytes[at]) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}
