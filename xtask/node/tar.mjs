/** The files of a tar archive: 512-byte headers (name at 0, size in octal at 124, type at 156), contents padded to 512. */
export function* entries(tar) {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const text = (from, length) => tar.toString("utf8", at + from, at + from + length).split("\0", 1)[0];
    const size = Number.parseInt(text(124, 12), 8);
    if (text(156, 1) === "0") yield { name: text(0, 100), bytes: tar.subarray(at + 512, at + 512 + size) };
    at += 512 + Math.ceil(size / 512) * 512;
  }
}
